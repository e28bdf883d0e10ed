import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SourceItem, SourceRecord } from '../../../src/ports/index.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import {
  type Answer,
  by,
  json,
  type MisbehavingServer,
  misbehavingServer,
  reset,
  type SeenRequest,
  status,
} from '../../support/misbehaving-server.ts';
import { itemsOf } from '../../support/read-source.ts';
import { type AccountFields, openRest, told } from './rest-account.ts';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await misbehavingServer();
});
afterEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

const hosts = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => ({ host: `web${first + index}.example.org`, id: first + index }));
const names = (count: number, first = 1) => hosts(count, first).map(({ host }) => host);
const parameters = ({ path }: SeenRequest) => new URL(path, server.origin).searchParams;
const paths = () => server.requests.map(({ path }) => path);

async function read(fields: Record<string, unknown>, more: AccountFields = {}): Promise<readonly SourceItem[]> {
  return itemsOf(await openRest(server.origin, fields, more));
}
const reading = async (fields: Record<string, unknown>, more: AccountFields = {}) => told(await read(fields, more));
const records = (items: readonly SourceItem[]) => items.filter((item): item is SourceRecord => item.kind === 'record');

describeSourceContract('rest', {
  async healthy() {
    server.at('/hosts', json([...hosts(3), { host: null, id: 4 }]));
    return {
      source: await openRest(server.origin, { path: 'hosts', key_fields: 'id' }),
      hostname: 'web1.example.org',
      keys: { hostname: 'web2.example.org', values: { id: ['2'] } },
      nameless: { id: ['4'] },
    };
  },
  async broken() {
    server.at('/broken', status(500));
    return openRest(server.origin, { path: 'broken' });
  },
});

describeSourceContract('rest with names of a template', {
  async healthy() {
    server.at('/hosts', json([...hosts(2), { host: null, id: 3 }]));
    const name_template = '{{ host | upper }}';
    return {
      source: await openRest(server.origin, { path: 'hosts', key_fields: 'id', name_template }),
      hostname: 'WEB1.EXAMPLE.ORG',
      nameless: { id: ['3'] },
    };
  },
  async broken() {
    return openRest(server.origin, { path: 'broken', name_template: '{{ host }}' });
  },
});

describeSourceContract('rest by name', {
  async healthy() {
    server.at('/named', json({ data: { web1: { id: 1 }, web2: {}, '': { id: 3 } } }));
    return {
      source: await openRest(server.origin, {
        path: 'named',
        records: 'by_name',
        data_key: 'data',
        key_fields: 'id',
      }),
      hostname: 'web1',
      keys: { hostname: 'web1', values: { id: ['1'] } },
      nameless: { id: ['3'] },
    };
  },
  async broken() {
    server.at('/named', status(500));
    return openRest(server.origin, { path: 'named', records: 'by_name' });
  },
});

describe('one answer', () => {
  it('is a list, or has one', async () => {
    server.at('/list', json(hosts(2)));
    server.at('/one', json({ results: hosts(2), count: 2 }));
    server.at('/two', json({ data: { hosts: hosts(2), vms: [1] } }));
    server.at(
      '/nested',
      json({ Reservations: [{ Instances: hosts(2) }, { Instances: [] }, { Instances: hosts(1, 3) }] }),
    );
    expect(await reading({ path: 'list' })).toEqual(names(2));
    expect(await reading({ path: 'list', data_key: '.' })).toEqual(names(2));
    expect(await reading({ path: 'one' })).toEqual(names(2));
    expect(await reading({ path: 'two', data_key: 'data.hosts' })).toEqual(names(2));
    expect(await reading({ path: 'nested', data_key: 'Reservations[].Instances[]' })).toEqual(names(3));
    await expect(reading({ path: 'two' })).rejects.toThrow('has no list among its members (data)');
  });

  it('may be an object of records by name', async () => {
    server.at('/named', json({ data: { web1: { os: 'debian' }, web2: null, web3: 5 } }));
    expect(await read({ path: 'named', records: 'by_name', data_key: 'data' })).toEqual([
      { kind: 'record', position: 'member "web1"', hostname: 'web1', labels: { os: 'debian' } },
      { kind: 'record', position: 'member "web2"', hostname: 'web2', labels: {} },
      { kind: 'skipped', position: 'member "web3"', hostname: 'web3', reason: 'is not an object' },
    ]);
  });

  it('gives records with labels and sections, and the first name that there is', async () => {
    server.at(
      '/list',
      json([{ fqdn: '', name: 'a', os: { name: 'debian' }, facts: { ports: { a: 1 } } }, { fqdn: 'b.x' }, {}]),
    );
    expect(await read({ path: 'list', hostname_field: 'fqdn, name', inventory_fields: 'facts' })).toEqual([
      {
        kind: 'record',
        position: 'record 1',
        hostname: 'a',
        laterName: true,
        labels: { fqdn: '', name: 'a', 'os.name': 'debian' },
        inventory: { facts: { ports: { a: 1 } } },
      },
      { kind: 'record', position: 'record 2', hostname: 'b.x', labels: { fqdn: 'b.x' } },
      {
        kind: 'skipped',
        position: 'record 3',
        reason: expect.objectContaining({ text: 'has no name: "fqdn" is missing, "name" is missing' }),
        labels: {},
      },
    ]);
  });
});

describe('a request', () => {
  it('is made of path, parameters and body, filled in with values of the account', async () => {
    server.at('/api/servers', json(hosts(1)));
    const account = { username: 'nina', password: 'pa"55' };
    await read(
      {
        path: 'api/{{ table }}',
        method: 'post',
        query: 'filter=site%3D{{ site }}&user={{ username }}',
        body: '{"by": "{{ username }}", "key": "{{ password }}", "deep": [{"n": "{{ OFFSET }}"}, 1, null]}',
        parameters: 'table=servers&site=muc',
        auth: 'none',
      },
      { account },
    );
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/api/servers?filter=site%3Dmuc&user=nina' });
    expect(JSON.parse(request?.body ?? '')).toEqual({ by: 'nina', key: 'pa"55', deep: [{ n: 0 }, 1, null] });
  });

  it('sends fields of a form, and texts as they are', async () => {
    server.at('/api', json(hosts(1)));
    await read({ path: 'api', body: 'name={{ account }}&all=1 2', auth: 'none' });
    await read({
      path: 'api',
      method: 'POST',
      post_body: "{'all': 1}",
      request_headers: "{'Content-Type': 'text/x-python'}",
    });
    await read({ path: 'api', post_body: "{'all': 1}", method: 'GET' });
    expect(server.requests.map(({ method, body, headers }) => [method, body, headers['content-type']])).toEqual([
      ['POST', 'name=cmdb&all=1+2', 'application/x-www-form-urlencoded'],
      ['POST', "{'all': 1}", 'text/x-python'],
      ['GET', '', undefined],
    ]);
  });

  it('sends documents that are written as Python writes them', async () => {
    server.at('/api', json(hosts(1)));
    const ofExisting = {
      path: 'api',
      method: 'POST',
      request_headers: "{'Content-Type': 'application/json', 'X-Team': 'cmdb'}",
    };
    const bodies = [
      `{'query': 'select "all"', 'archived': False, 'only': True, 'after': None, 'ids': (1, 2), 'size': 1.5,}`,
      "{'user': '{{ account }}', 'it\\'s': u'M\\xfcnchen'}",
      "{'limit': {{ OFFSET + 10 }}, 'deep': [{'n': None}]}",
      "['a', 'b']",
      '{}',
      '{"all": true}',
      "{'open': }",
      "{'all': call()}",
    ];
    for (const post_body of bodies) await read({ ...ofExisting, post_body });
    const sent = server.requests.map(({ body }) => body);
    expect(sent.slice(0, 6).map((body) => JSON.parse(body))).toEqual([
      { query: 'select "all"', archived: false, only: true, after: null, ids: [1, 2], size: 1.5 },
      { user: 'cmdb', "it's": 'München' },
      { limit: 10, deep: [{ n: null }] },
      ['a', 'b'],
      {},
      { all: true },
    ]);
    // What is neither JSON nor a literal goes out as it stands.
    expect(sent.slice(6)).toEqual(["{'open': }", "{'all': call()}"]);
    expect(new Set(server.requests.map(({ headers }) => headers['content-type']))).toEqual(
      new Set(['application/json']),
    );
    server.requests.length = 0;
    await read({ path: 'api', post_body: "{'all': True}" });
    expect(server.requests[0]).toMatchObject({ body: '{"all":true}', headers: { 'content-type': 'application/json' } });
  });

  it('says what it cannot be filled in with', async () => {
    await expect(read({ path: 'api/{{ table }}' })).rejects.toThrow("path cannot be filled in: 'table' is undefined");
    await expect(read({ path: 'api', parameters: 'x=1', repeat: 'tables' })).rejects.toThrow(
      'repeat names the parameter tables',
    );
    expect(server.requests).toEqual([]);
  });

  it('counts errors of GraphQL and JSON-RPC, whatever the status is', async () => {
    server.at('/graphql', json({ errors: [{ message: 'Cannot query field "hosts"' }], data: null }));
    server.at(
      '/rpc',
      json({ jsonrpc: '2.0', id: 1, error: { code: -32604, message: 'Authentication error', data: 'no key' } }),
    );
    await expect(
      read({ path: 'graphql', protocol: 'graphql', body: '{ hosts { name } }', data_key: 'data.hosts' }),
    ).rejects.toThrow('is refused by the system, which says: "Cannot query field "hosts""');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ query: '{ hosts { name } }' });
    await expect(
      read({ path: 'rpc', protocol: 'jsonrpc', body: '{"method": "hosts"}', data_key: 'result' }),
    ).rejects.toThrow('which says: "-32604 Authentication error no key"');
  });

  it('is repeated for each value of a parameter, and one of them may be missing', async () => {
    server.at('/table/a', json({ result: hosts(2) }));
    server.at('/table/b', status(404));
    server.at('/table/c', json({ result: hosts(1, 3) }));
    const items = await read({ path: 'table/{{ table }}', repeat: 'table', parameters: 'table=a, b,c' });
    expect(told(items)).toEqual([
      ...names(2),
      expect.stringMatching(/^gap: b: GET \S+ is answered with 404/),
      ...names(1, 3),
    ]);
    expect(items[0]).toMatchObject({ position: 'a, record 1' });
    server.at('/table/b', status(401));
    await expect(read({ path: 'table/{{ table }}', repeat: 'table', parameters: 'table=a,b' })).rejects.toThrow('401');
  });
});

/** A list of 25 records in pages of 10. */
function paged(page: (request: SeenRequest) => number, more: (records: unknown[], number: number) => Answer): Answer {
  return by((request) => {
    const number = page(request);
    return more(hosts(Math.max(0, Math.min(10, 25 - number * 10)), number * 10 + 1), number);
  });
}

describe('pages', () => {
  const offset = (request: SeenRequest) => Number(parameters(request).get('offset') ?? 0) / 10;
  const number = (request: SeenRequest) => Number(parameters(request).get('page') ?? 1) - 1;
  const sized = { page_size: '10', page_size_parameter: 'limit' };

  it('are followed where the answer leads to them, without being told', async () => {
    server.at(
      '/next',
      paged(number, (results, at) => json({ results, next: at < 2 ? `/next?page=${at + 2}` : null })),
    );
    server.at(
      '/links',
      paged(number, (data, at) => json({ data, _links: at < 2 ? { next: { href: `?page=${at + 2}` } } : {} })),
    );
    server.at(
      '/odata',
      paged(number, (value, at) =>
        json({ value, ...(at < 2 ? { '@odata.nextLink': `${server.origin}/odata?page=${at + 2}` } : {}) }),
      ),
    );
    server.at(
      '/head',
      paged(number, (list, at) => json(list, at < 2 ? { link: `</head?page=${at + 2}>; rel="next"` } : {})),
    );
    for (const path of ['next', 'links', 'odata', 'head']) expect(await reading({ path })).toEqual(names(25));
    expect((await read({ path: 'next' })).at(-1)).toMatchObject({ position: 'page 3, record 5' });
  });

  it('by number, offset, cursor and address are read as the account says', async () => {
    server.at(
      '/offset',
      paged(offset, (list) => json({ list, total: 25 })),
    );
    server.at(
      '/page',
      paged(number, (list) => json({ list, pages: 3 })),
    );
    server.at(
      '/cursor',
      paged(
        (request) => Number(parameters(request).get('after') ?? 0),
        (list, at) => json({ list, info: { after: at + 1, more: at < 2 } }),
      ),
    );
    expect(
      await reading({
        path: 'offset',
        paging: 'offset',
        page_parameter: 'offset',
        data_key: 'list',
        total_key: 'total',
        ...sized,
      }),
    ).toEqual(names(25));
    expect(paths()).toEqual(['/offset?limit=10&offset=0', '/offset?limit=10&offset=10', '/offset?limit=10&offset=20']);
    expect(
      await reading({ path: 'page', paging: 'page', page_parameter: 'page', data_key: 'list', pages_key: 'pages' }),
    ).toEqual(names(25));
    expect(
      await reading({
        path: 'cursor',
        paging: 'cursor',
        page_parameter: 'after',
        cursor_key: 'info.after',
        more_key: 'info.more',
        data_key: 'list',
      }),
    ).toEqual(names(25));
  });

  it('stand in a body where the system wants them there', async () => {
    server.at(
      '/rpc',
      paged(
        ({ body }) => JSON.parse(body).from / 10,
        (list) => json({ result: list }),
      ),
    );
    const body = '{"from": "{{ OFFSET }}", "count": "{{ LIMIT }}", "range": "{{ OFFSET }},{{ LIMIT }}"}';
    expect(await reading({ path: 'rpc', body, paging: 'offset', page_size: 10, data_key: 'result' })).toEqual(
      names(25),
    );
    expect(server.requests.map(({ body: sent }) => JSON.parse(sent).range)).toEqual([
      '0,10',
      '10,10',
      '20,10',
      '25,10',
    ]);
    await expect(read({ path: 'rpc', paging: 'offset' })).rejects.toThrow(
      'paging offset needs page_parameter, or {{ OFFSET }}',
    );
    await expect(read({ path: 'rpc', paging: 'cursor' })).rejects.toThrow('paging cursor needs cursor_key');
  });

  it('that cannot be read are gaps, and the others are read', async () => {
    const fields = {
      path: 'list',
      paging: 'offset',
      page_parameter: 'offset',
      data_key: 'list',
      total_key: 'total',
      ...sized,
    };
    server.at(
      '/list',
      by((request) =>
        offset(request) === 1 ? status(500) : (paged(offset, (list) => json({ list, total: 25 })) as Answer),
      ),
    );
    const items = await reading(fields);
    expect(items).toEqual([
      ...names(10),
      expect.stringMatching(/^gap: page 2 of 3: GET \S+ is answered with 500/),
      ...names(5, 21),
    ]);
    server.at(
      '/next',
      by((request) =>
        number(request) === 1 ? reset() : paged(number, (results) => json({ results, next: '/next?page=2' })),
      ),
    );
    expect((await reading({ path: 'next' })).slice(10)).toEqual([
      expect.stringMatching(/^gap: page 2 and what follows it: .*lost its connection/),
    ]);
    server.at(
      '/list',
      by((request) => (offset(request) === 1 ? status(403) : paged(offset, (list) => json({ list, total: 25 })))),
    );
    await expect(read(fields)).rejects.toThrow('forbidden (403)');
  });

  it('that nobody asked for are a gap, so that no page is taken for the whole', async () => {
    const gapOf = async (answer: unknown, fields = {}, headers = {}) => {
      server.at('/list', json(answer, headers));
      return (await reading({ path: 'list', data_key: 'list', ...fields })).slice(2);
    };
    const list = hosts(2);
    expect(await gapOf({ list, next: '/list?page=2' }, { paging: 'none' })).toEqual([
      expect.stringContaining('next says that there is more: set paging'),
    ]);
    expect(await gapOf({ list, has_more: true })).toEqual([
      expect.stringContaining('gap: the rest of the list: has_more says that there is more'),
    ]);
    expect(await gapOf({ list, isLast: false })).toEqual([expect.stringContaining('isLast says')]);
    expect(await gapOf({ list, nextPageToken: 'abc' })).toEqual([expect.stringContaining('nextPageToken says')]);
    for (const total of [{ count: 3 }, { total: 3 }, { '@odata.count': 3 }, { meta: { total: 3 } }]) {
      expect(await gapOf({ list, ...total })).toEqual([
        expect.stringMatching(/^gap: 1 of 3 records: \S+ says that there are 3, but 2 arrived/),
      ]);
    }
    expect(await gapOf({ list }, {}, { 'x-total-count': '7' })).toEqual([
      expect.stringContaining('gap: 5 of 7 records'),
    ]);
    expect(await gapOf({ list, hits: 9 }, { total_key: 'hits' })).toEqual([
      expect.stringContaining('gap: 7 of 9 records'),
    ]);
    expect(await gapOf({ list, total: 3 }, { total_key: 'none' })).toEqual([]);
    expect(await gapOf({ list, total: 2, has_more: false, next: null, isLast: true })).toEqual([]);
    await expect(gapOf({ list }, { total_key: 'hits' })).rejects.toThrow('no number at total_key hits');
    server.at('/list', json({ data: { list, total: 3 } }));
    expect((await reading({ path: 'list', data_key: 'data.list' })).slice(2)).toEqual([
      expect.stringContaining('1 of 3'),
    ]);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['by offset', { paging: 'offset', page_parameter: 'offset', total_key: 'total' }, ['total fell from 25 to 24']],
    ['by offset, to an empty page', { paging: 'offset', page_parameter: 'offset' }, ['total fell from 25 to 24']],
    ['by number', { paging: 'page', page_parameter: 'page', total_key: 'total' }, ['total fell from 25 to 24']],
    ['by address', { paging: 'next', next_key: 'next' }, ['total fell from 25 to 24']],
    ['as the answers lead', {}, ['total fell from 25 to 24']],
    ['and the number is ignored', { paging: 'next', next_key: 'next', ignored_members: 'total' }, []],
    ['and no number is compared', { paging: 'offset', page_parameter: 'offset', total_key: 'none' }, []],
  ])('of which a record is removed meanwhile are not the whole: %s', async (_name, fields, reasons) => {
    server.at(
      '/list',
      by((request) => {
        const at = parameters(request).get('offset') ?? (Number(parameters(request).get('page') ?? 1) - 1) * 10;
        const start = Number(at);
        const there = start === 0 ? hosts(25) : hosts(24, 2);
        const next = start + 10 < there.length ? `/list?offset=${start + 10}` : null;
        // Such a count is that of the page.
        const list = there.slice(start, start + 10);
        return json({ list, next, total: there.length, count: list.length });
      }),
    );
    const items = await read({ path: 'list', data_key: 'list', ...fields });
    expect(records(items)).toHaveLength(24);
    const gaps = told(items).filter((text) => text.startsWith('gap'));
    expect(gaps).toEqual(reasons.map((reason) => expect.stringContaining(reason)));
  });

  it('are the whole where their number grows, or is that of each page', async () => {
    const numbers = [(at: number) => ({ total: 23 + at }), (at: number) => ({ count: at < 2 ? 10 : 5 })];
    for (const said of numbers) {
      server.at(
        '/list',
        paged(offset, (list, at) => json({ list, ...said(Math.min(at, 2)) })),
      );
      const fields = { path: 'list', data_key: 'list', paging: 'offset', page_parameter: 'offset' };
      expect(await reading(fields)).toEqual(names(25));
    }
  });

  it('are asked for while the one before is worked on, and no further', async () => {
    server.at(
      '/list',
      paged(offset, (list) => json({ list })),
    );
    const source = await openRest(server.origin, {
      path: 'list',
      paging: 'offset',
      page_parameter: 'offset',
      data_key: 'list',
    });
    const batches = source
      .read({ signal: new AbortController().signal, progress: () => undefined })
      [Symbol.asyncIterator]();
    let step = await batches.next();
    while (step.value?.length === 0) step = await batches.next();
    await expect.poll(() => server.requests.length).toBe(2);
    await batches.return?.();
    expect(server.requests).toHaveLength(2);
  });
});

describe('what belongs to a record', () => {
  it('is joined from other lists', async () => {
    server.at(
      '/hosts',
      json([
        { host: 'a', id: 1, site_id: 7 },
        { host: 'b', id: 2, site_id: 8 },
        { host: 'c', id: 3 },
      ]),
    );
    server.at(
      '/sites',
      json({
        results: [
          { id: 7, name: 'berlin', city: 'B' },
          { id: 8, name: 'paris' },
        ],
      }),
    );
    server.at(
      '/tags',
      json([
        { host_id: 1, name: 'web' },
        { host_id: 1, name: 'prod' },
        { host_id: 9, name: 'x' },
      ]),
    );
    const join = JSON.stringify([
      { path: 'sites', on: 'site_id', as: 'site' },
      { path: 'tags', on: 'id', key: 'host_id', as: 'tags', many: true },
    ]);
    const items = records(await read({ path: 'hosts', join }));
    expect(items.map(({ hostname, labels }) => [hostname, labels])).toEqual([
      ['a', { id: 1, site_id: 7, 'site.id': 7, 'site.name': 'berlin', 'site.city': 'B', tags: ['web', 'prod'] }],
      ['b', { id: 2, site_id: 8, 'site.id': 8, 'site.name': 'paris', tags: [] }],
      ['c', { id: 3, tags: [] }],
    ]);
    server.at('/tags', json({ results: [], total: 4 }));
    await expect(read({ path: 'hosts', join })).rejects.toThrow(
      'tags, which belongs to the records, cannot be read as a whole',
    );
  });

  it('is asked for record by record, some at a time', async () => {
    server.at('/hosts', json(hosts(12)));
    let underWay = 0;
    let most = 0;
    for (const { id } of hosts(12)) {
      server.at(`/hosts/${id}`, (response) => {
        most = Math.max(most, ++underWay);
        setTimeout(() => {
          underWay--;
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ data: { os: `os${id}` } }));
        }, 5);
      });
    }
    const join = '[{"path": "hosts/{id}", "data_key": "data"}]';
    const items = records(await read({ path: 'hosts', join, join_requests: 3 }));
    expect(items.map(({ labels }) => labels.os)).toEqual(hosts(12).map(({ id }) => `os${id}`));
    expect(most).toBe(3);
    server.at('/hosts/5', status(500));
    const some = await reading({ path: 'hosts', join });
    expect(some.slice(4, 6)).toEqual([
      'skipped: record 5: what belongs to it could not be read',
      expect.stringMatching(/^gap: what belongs to web5.example.org: GET \S+ is answered with 500/),
    ]);
    expect(some).toHaveLength(13);
  });

  it('names the record in path, parameters and body', async () => {
    server.at('/hosts', json([{ host: 'a/b', id: 5 }]));
    server.at(
      '/rpc/a%2Fb',
      by((request) => json({ result: { sent: JSON.parse(request.body), kind: parameters(request).get('of') } })),
    );
    const join = '[{"path": "rpc/{host}", "query": "of={id}", "body": {"params": 1}, "data_key": "result", "as": "x"}]';
    await expect(read({ path: 'hosts', join })).rejects.toThrow('join number 1 is not valid');
    const [item] = records(
      await read({
        path: 'hosts',
        join: join.replace('{"params": 1}', JSON.stringify('{"params": ["{id}", "{no such}"]}')),
      }),
    );
    expect(item?.labels).toMatchObject({ 'x.kind': '5', 'x.sent.params': [5, '{no such}'] });
  });

  it.each<[string, unknown, Record<string, unknown>, readonly string[]]>([
    ['an error', { error: { message: 'Transaction cancelled' }, status: 'failure' }, {}, ['Transaction cancelled']],
    ['null and an error', { result: null, error: 'time exceeded' }, {}, ['time exceeded']],
    [
      'a list with more',
      [{ mac: 'a' }],
      { data_key: undefined, headers: { 'x-total-count': '3' } },
      ['2 of 3 records'],
    ],
    ['nothing', {}, {}, []],
    ['null', { result: null }, {}, []],
    ['a record with a state of its own', { result: { mac: 'a' }, status: 'failed' }, {}, []],
    ['an element of nothing', { result: [] }, { data_key: 'result[]' }, []],
    ['elements, and an error', { result: [], error: 'time exceeded' }, { data_key: 'result[]' }, ['time exceeded']],
  ])('is not taken for whole if the answer is %s', async (_name, answer, { headers, ...fields }, reasons) => {
    server.at('/hosts', json(hosts(2)));
    server.at('/if/1', json({ result: [{ mac: 'a' }] }));
    server.at('/if/2', json(answer, headers as Record<string, string> | undefined));
    const join = JSON.stringify([{ path: 'if/{id}', data_key: 'result', as: 'ifs', ...fields }]);
    const items = await read({ path: 'hosts', join });
    const gaps = told(items).filter((text) => text.startsWith('gap: what belongs to web2.example.org'));
    expect(gaps).toEqual(reasons.map((reason) => expect.stringContaining(reason)));
    expect(records(items)).toHaveLength(2 - reasons.length);
  });

  it('may have the name or what the filter asks for, which are not known where it cannot be read', async () => {
    server.at('/hosts', json([...hosts(2), { id: 3, retired: 'yes' }]));
    server.at('/hosts/1', json({ fqdn: 'a', os: 'debian', retired: 'no' }));
    server.at('/hosts/2', status(500));
    server.at('/hosts/3', status(500));
    const join = '[{"path": "hosts/{id}"}]';
    const gaps = async (fields: object) =>
      (await reading({ path: 'hosts', join, ...fields })).map((text) => text.slice(0, 40));
    expect(await gaps({ hostname_field: 'fqdn', record_filter: 'retired!=yes' })).toEqual([
      'a',
      expect.stringMatching(/^skipped: record 2: has no name/),
      'gap: what belongs to record 2: GET http:',
      'left_out',
    ]);
    expect(await gaps({ record_filter: 'os=debian, retired!=yes' })).toEqual([
      'web1.example.org',
      'gap: what belongs to record 2: GET http:',
      'left_out',
    ]);
  });

  it('fails the run when the system answers for none', async () => {
    server.at('/hosts', json(hosts(30)));
    await expect(read({ path: 'hosts', join: '[{"path": "details/{id}"}]' })).rejects.toThrow('404');
  });

  it('is declared in words that say what is wrong', async () => {
    for (const [join, message] of [
      ['[', 'join must be a JSON list'],
      ['[{"path": "x"}]', 'join number 1 needs on'],
      ['[{"path": "x", "onn": "y"}]', 'join number 1 is not valid'],
    ]) {
      await expect(read({ path: 'hosts', join })).rejects.toThrow(message);
    }
  });
});

describe('a check', () => {
  it('says what answers, and as whom it is asked', async () => {
    server.at('/hosts', json(hosts(1)));
    server.at('/status', json({ app: { version: '4.1.2' } }));
    const signal = new AbortController().signal;
    const account = { username: 'nina', password: 'pass phrase' };
    const check = async (fields: object) =>
      (await openRest(server.origin, { path: 'hosts', ...fields }, { account })).check?.({ signal });
    expect(await check({})).toBe(`JSON over HTTP at ${server.origin} as nina`);
    expect(await check({ check_path: 'status', version_key: 'app.version' })).toBe(
      `JSON over HTTP at ${server.origin} as nina, version 4.1.2`,
    );
    await expect(check({ path: 'gone' })).rejects.toThrow('404');
  });
});
