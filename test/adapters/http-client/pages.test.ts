import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkOf } from '../../../src/adapters/http-client/link-header.ts';
import { walkPages } from '../../../src/adapters/http-client/walks.ts';
import type { HttpDocument, HttpPage, HttpRequest, HttpWalk, JsonValue } from '../../../src/ports/index.ts';
import { type Answer, by, json, status } from '../../support/misbehaving-server.ts';
import { all, context, errorOf, fixedClient, startedServer } from './fixed-client.ts';

const server = startedServer();

const DATA = Array.from({ length: 7 }, (_, index) => ({ id: index + 1 }));
const ids = (records: readonly JsonValue[]) => records.map((record) => (record as { id: number }).id);

async function walked(walk: HttpWalk, request: HttpRequest = { path: 'list' }, settings = {}): Promise<number[]> {
  const { client } = fixedClient(server.origin, settings);
  const found: JsonValue[] = [];
  for await (const { records } of client.pages(request, walk, context)) found.push(...records);
  return ids(found);
}

async function* recordsIn(pages: AsyncIterable<HttpPage>): AsyncGenerator<readonly JsonValue[]> {
  for await (const { records } of pages) yield records;
}

const parameters = (path: string) => new URL(path, server.origin).searchParams;
const paths = () => server.requests.map(({ path }) => path);

describe('a list is read to its end', () => {
  it('by links in the head', async () => {
    server.at(
      '/list',
      by(({ path }) => {
        const page = Number(parameters(path).get('page') ?? 1);
        const next = page < 3 ? `</list?page=${page + 1}&q=a>; rel="next", ` : '';
        return json(DATA.slice((page - 1) * 3, page * 3), {
          link: `</list?page=1>; rel="first prev", ${next}</list?page=3>; rel=last`,
        });
      }),
    );
    expect(await walked({ by: 'link' }, { path: 'list', query: { q: 'a' } })).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(paths()).toEqual(['/list?q=a', '/list?page=2&q=a', '/list?page=3&q=a']);
  });

  it('by addresses in the answer, and empty pages in between', async () => {
    const pages: Record<string, Answer> = {
      '/list': json({ results: DATA.slice(0, 3), meta: { next: `${server.origin}/list?after=3` } }),
      '/list?after=3': json({ results: [], meta: { next: '?after=4' } }),
      '/list?after=4': json({ results: DATA.slice(3), meta: { next: null } }),
    };
    server.at(
      '/list',
      by(({ path }) => pages[path] ?? status(404)),
    );
    expect(await walked({ by: 'next', next: 'meta.next', items: 'results' })).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('by cursors in parameters, and in the body that is sent', async () => {
    const answer = (after: number) =>
      json({
        data: {
          hosts: {
            nodes: DATA.slice(after, after + 2),
            info: { end: after + 2 >= 7 ? null : after + 2, more: after + 2 < 7 },
          },
        },
      });
    server.at(
      '/list',
      by(({ path, body }) => {
        const sent = body === '' ? parameters(path).get('cursor') : (JSON.parse(body).variables?.after ?? 0);
        return answer(Number(sent ?? 0));
      }),
    );
    const walk = { by: 'cursor', cursor: 'data.hosts.info.end', items: 'data.hosts.nodes' } as const;
    expect(await walked({ ...walk, into: { query: 'cursor' } })).toEqual([1, 2, 3, 4, 5, 6, 7]);
    server.requests.length = 0;
    const query = { method: 'POST', path: 'list', json: { query: '{…}', variables: { first: 2 } } };
    expect(await walked({ ...walk, into: { body: 'variables.after' }, more: 'data.hosts.info.more' }, query)).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ]);
    expect(server.requests.map(({ body }) => JSON.parse(body).variables)).toEqual([
      { first: 2 },
      { first: 2, after: 2 },
      { first: 2, after: 4 },
      { first: 2, after: 6 },
    ]);
  });

  it('by numbers of pages', async () => {
    server.at(
      '/list',
      by(({ path }) => {
        const page = Number(parameters(path).get('p'));
        return json({ items: DATA.slice((page - 1) * 3, page * 3), total: '7', pages: 3 });
      }),
    );
    const walk = { by: 'page', parameter: 'p', items: 'items', size: { parameter: 'n', value: 3 } } as const;
    expect(await walked(walk)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(paths().at(-1)).toBe('/list?p=4&n=3');
    for (const end of [{ total: 'total' }, { pages: 'pages' }]) {
      server.requests.length = 0;
      expect(await walked({ ...walk, ...end })).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(paths()).toEqual(['/list?p=1&n=3', '/list?p=2&n=3', '/list?p=3&n=3']);
    }
  });

  it('by offsets, though the server gives less at once than it is asked for', async () => {
    server.at(
      '/list',
      by(({ path }) => {
        const offset = Number(parameters(path).get('offset'));
        return json({ result: DATA.slice(offset, offset + 2), count: 7 });
      }),
    );
    const walk = {
      by: 'offset',
      parameter: 'offset',
      items: 'result',
      size: { parameter: 'limit', value: 100 },
    } as const;
    expect(await walked({ ...walk, total: 'count' })).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(paths()).toEqual([
      '/list?offset=0&limit=100',
      '/list?offset=2&limit=100',
      '/list?offset=4&limit=100',
      '/list?offset=6&limit=100',
    ]);
    expect(await walked(walk)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('also where pages begin and end alike', async () => {
    const pages = [[1, 2, 1], [1, 3, 1], [1, 2, 1], []];
    server.at(
      '/list',
      by(({ path }) => json(pages[Number(parameters(path).get('p'))])),
    );
    const { client } = fixedClient(server.origin);
    const found = await all(
      recordsIn(client.pages({ path: 'list' }, { by: 'page', parameter: 'p', first: 0 }, context)),
    );
    expect(found).toEqual(pages.flat());
  });

  it('also when a page fails for a while', async () => {
    server.at('/list', json(DATA.slice(0, 3), { link: '</more>; rel=next' }));
    server.at('/more', status(503), status(500), json(DATA.slice(3)));
    expect(await walked({ by: 'link' })).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('one page at a time, when it is asked for', async () => {
    server.at(
      '/list',
      by(({ path }) => json(DATA.slice(0, 1), { link: `<${path}1>; rel=next` })),
    );
    server.at('/list1', json([]));
    for await (const { number } of fixedClient(server.origin).client.pages({ path: 'list' }, { by: 'link' }, context)) {
      expect(number).toBe(1);
      break;
    }
    expect(server.requests).toHaveLength(1);
  });

  it('and is not at all when its tag still holds', async () => {
    server.at('/list', status(304));
    expect(await walked({ by: 'page', parameter: 'p' }, { path: 'list', etag: '"v1"' })).toEqual([]);
  });
});

describe('what could pass for an end and is none throws', () => {
  const link = (target: string) => json([1], { link: `<${target}>; rel=next` });

  it.each<[string, HttpWalk, Answer, RegExp]>([
    ['a link to itself', { by: 'link' }, link('/list'), /goes in circles: page 2/],
    [
      'a link to another system',
      { by: 'link' },
      link('http://127.0.0.1:1/list'),
      /next page at http:\/\/127\.0\.0\.1:1: credentials go to/,
    ],
    ['a link to no address', { by: 'link' }, link('http://'), /no address/],
    [
      'an address of another system',
      { by: 'next', next: 'next', items: 'a' },
      json({ a: [], next: '//127.0.0.1:1/' }),
      /credentials go to/,
    ],
    [
      'an address that is no text',
      { by: 'next', next: 'next', items: 'a' },
      json({ a: [], next: {} }),
      /no text at next/,
    ],
    [
      'a cursor again',
      { by: 'cursor', cursor: 'c', items: 'a', into: { query: 'c' } },
      json({ a: [1], c: 'x' }),
      /the cursor of page 2 is repeated/,
    ],
    [
      'more without a cursor',
      { by: 'cursor', cursor: 'c', more: 'm', items: 'a', into: { query: 'c' } },
      json({ a: [1], m: true }),
      /no cursor at c/,
    ],
    [
      'a flag that is none',
      { by: 'cursor', cursor: 'c', more: 'm', items: 'a', into: { query: 'c' } },
      json({ a: [1], c: 'x' }),
      /no true or false at m/,
    ],
    [
      'a page that is always the same',
      { by: 'page', parameter: 'seite' },
      json([1, 2]),
      /same page again; the system does not seem to know the parameter seite/,
    ],
    [
      'an empty page before the total',
      { by: 'offset', parameter: 'o', total: 't', items: 'a' },
      json({ a: [], t: 5 }),
      /page 1 is empty after 0 of 5 records/,
    ],
    ['a missing total', { by: 'page', parameter: 'p', total: 't', items: 'a' }, json({ a: [1] }), /no number at t/],
    ['no list', { by: 'page', parameter: 'p', items: 'a.b' }, json({ a: [] }), /page 1 has no list at a\.b/],
    ['no list at all', { by: 'link' }, json({ a: [] }), /page 1 is not a list/],
    ['a page that fails', { by: 'link' }, status(404), /answered with 404/],
  ])('%s', async (_name, walk, answer, message) => {
    server.at('/list', answer);
    const error = await errorOf(walked(walk, { path: 'list', query: { token: 'of-the-query' } }));
    expect(error).toMatchObject({ code: 'failed' });
    expect(error.message).toMatch(message);
    expect(error.message).toContain(`GET ${server.origin}/list`);
    expect(error.message).not.toContain('of-the-query');
  });

  it('pages without end', async () => {
    server.at(
      '/list',
      by(({ path }) => json([Math.random()], { link: `</list?n=${path.length}${Math.random()}>; rel=next` })),
    );
    const error = await errorOf(walked({ by: 'link' }, { path: 'list' }, { limits: { pages: 5 } }));
    expect(error).toMatchObject({ fault: 'pages', message: expect.stringContaining('more than 5 pages') });
  });
});

describe('links', () => {
  it.each([
    ['</a>; rel="next"', '/a'],
    ['</a>; rel=next', '/a'],
    ['</a>; REL="prev NEXT"', '/a'],
    ['</a,b;c>; title="x, <y>; rel=next"; rel="last", </d>; rel="next"', '/d'],
    ['</a>; rel=prev; rel=next', undefined],
    ['</a>; rel=next; anchor="#x", </b>;rel=next', '/b'],
    ['</a>', undefined],
    ['no link', undefined],
    ['', undefined],
    ['<>; rel=next', ''],
  ])('%s', (header, target) => {
    expect(linkOf(header, 'next')).toBe(target);
  });

  it('are read in little time, whatever they are', () => {
    const began = performance.now();
    for (const text of ['</a>; rel', '</a>; rel=next; a="b', '</a>; rel="', '<', '</a>;']) {
      for (const piece of [' ', 'x', '; ', ';a', '\\', ' =', '"'])
        linkOf(`${text}${piece.repeat(60_000 / piece.length)}!`, 'next');
    }
    expect(performance.now() - began).toBeLessThan(5_000);
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('<', '>', ';', ',', '=', '"', '\\', ' ', 'rel', 'next', 'a'),
          maxLength: 300,
        }),
        (header) => {
          linkOf(header, 'next');
        },
      ),
    );
  });
});

/** A list that is served in pages of chance, by a server that keeps to its word. */
it('every way of walking gives every record once, in order', async () => {
  const way = fc.constantFrom(
    'link',
    'next',
    'cursor',
    'body cursor',
    'page',
    'page total',
    'page count',
    'offset',
    'offset total',
  );
  await fc.assert(
    fc.asyncProperty(
      way,
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      async (name, count, size, most) => {
        const data = Array.from({ length: count }, (_, id) => ({ id }));
        const cut = Math.min(size, most);
        const fixed = name.startsWith('page') ? size : cut;
        const asked: HttpRequest[] = [];
        const answer = async (request: HttpRequest): Promise<HttpDocument> => {
          asked.push(request);
          const url = new URL(request.path ?? '/', 'http://system');
          const said = (parameter: string) =>
            Number(request.query?.[parameter] ?? url.searchParams.get(parameter) ?? 0);
          const body = Number((request.json as { after?: string } | undefined)?.after ?? 0);
          const start = name.startsWith('page') ? (said('page') - 1) * fixed : said('at') + body;
          const end = start + fixed;
          const value = {
            items: data.slice(start, end),
            total: count,
            pages: Math.max(1, Math.ceil(count / fixed)),
            next: end < count ? `http://system/?at=${end}` : null,
            cursor: end < count ? end : '',
          };
          const link = end < count ? `<?at=${end}>; rel="next"` : '';
          return { status: 200, headers: { link }, url: url.href, notModified: false, value };
        };
        const items = 'items';
        const walks: Record<string, HttpWalk> = {
          link: { by: 'link', items },
          next: { by: 'next', next: 'next', items },
          cursor: { by: 'cursor', cursor: 'cursor', into: { query: 'at' }, items },
          'body cursor': { by: 'cursor', cursor: 'cursor', into: { body: 'after' }, items },
          page: { by: 'page', parameter: 'page', items },
          'page total': { by: 'page', parameter: 'page', items, total: 'total' },
          'page count': { by: 'page', parameter: 'page', items, pages: 'pages' },
          offset: { by: 'offset', parameter: 'at', items },
          'offset total': { by: 'offset', parameter: 'at', items, total: 'total' },
        };
        const deps = {
          json: answer,
          maxPages: 100,
          nextAddress: (target: string, from: string) => new URL(target, from).href,
          shown: 'GET',
        };
        const found: number[] = [];
        for await (const { records } of walkPages(deps, {}, walks[name] as HttpWalk)) found.push(...ids(records));
        expect(found).toEqual(data.map(({ id }) => id));
        expect(asked.length).toBeLessThanOrEqual(Math.ceil(count / fixed) + 1);
      },
    ),
    { numRuns: 300 },
  );
});

describe('records of one answer', () => {
  it('come while it is read, in flat memory', async () => {
    const piece = `${Array.from({ length: 100 }, (_, id) => JSON.stringify({ id, text: 'x'.repeat(100) })).join(',')},`;
    server.at('/list', (response) => {
      let left = 2_000;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .write('{"note": {"items": [0]}, "data": {"items": [');
      const write = (): void => {
        while (left-- > 0) if (!response.write(piece)) return void response.once('drain', write);
        response.end('{"id": -1}]}, "after": [1]}');
      };
      write();
    });
    const before = process.memoryUsage().rss;
    let count = 0;
    let most = before;
    for await (const batch of fixedClient(server.origin).client.records({ path: 'list' }, 'data.items', context)) {
      count += batch.length;
      most = Math.max(most, process.memoryUsage().rss);
    }
    expect(count).toBe(200_001);
    // The answer has 25 MB; what grows is what the collector has not looked at yet.
    expect(most - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('keep long numbers, and characters that lie across pieces', async () => {
    server.at('/list', (response) => {
      response.writeHead(200);
      for (const byte of Buffer.from('[{"ä€😀": 12345678901234567890}]')) response.write(Uint8Array.of(byte));
      response.end();
    });
    const records = fixedClient(server.origin).client.records({ path: 'list' }, '', context);
    expect(await all(records)).toEqual([{ 'ä€😀': '12345678901234567890' }]);
  });

  it.each<[string, string, RegExp]>([
    ['{"a": [1, 2', 'a', /text that is truncated/],
    ['{"a": {"b": 1}}', 'a.b', /without a list at a\.b/],
    ['{"a": 1}', 'b', /without a list at b/],
    ['{"a": [1], "a": [2]}', 'a', /has the list a twice/],
    ['{"a": [1,, 2]}', 'a', /not valid JSON: a record is missing/],
    ['{"a": [{"b": secret}]}', 'a', /not valid JSON in record 1/],
    ['<html><title>Login</title>', 'a', /web page \("Login"\)/],
    ['', 'a', /answered with nothing/],
    ['{"a": []} {}', 'a', /answered with text that contains more than one JSON document in line 1$/],
  ])('of %s at %s are refused', async (text, path, message) => {
    server.at('/list', (response) => response.end(text));
    const error = await errorOf(all(fixedClient(server.origin).client.records({ path: 'list' }, path, context)));
    expect(error.message).toMatch(message);
    expect(error.message.startsWith(`GET ${server.origin}/list is answered`)).toBe(true);
    expect(error.message).not.toContain('secret');
  });
});
