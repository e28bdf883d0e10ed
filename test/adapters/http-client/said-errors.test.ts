import { describe, expect, it } from 'vitest';
import type { HttpPage, HttpRequest, HttpWalk, JsonValue } from '../../../src/ports/index.ts';
import { by, json, status } from '../../support/misbehaving-server.ts';
import { context, errorOf, fixedClient, startedServer } from './fixed-client.ts';

const server = startedServer();

const refusal = (document: JsonValue) =>
  (document as { errors?: readonly { message: string }[] }).errors?.map(({ message }) => message).join('; ');

describe('an answer that says what went wrong, though its status is 200', () => {
  it('is an error, as a whole and as a stream', async () => {
    server.at('/graphql', json({ data: null, errors: [{ message: 'Cannot query field hosts' }] }));
    const { client } = fixedClient(server.origin);
    const request: HttpRequest = { path: 'graphql', method: 'POST', json: { query: '{}' }, repeatable: true, refusal };
    const read = async (path: string | undefined) => {
      for await (const _ of client.records(request, path, context));
    };
    for (const asked of [client.json(request, context), read('data.hosts'), read(undefined)]) {
      expect(await errorOf(asked)).toMatchObject({
        fault: 'refused',
        message: expect.stringMatching(/^POST \S+ is refused by the system, which says: "Cannot query field hosts"$/),
      });
    }
    expect(server.requests).toHaveLength(3);
  });
});

describe('a stream of records', () => {
  async function rest(value: unknown, path: string | undefined) {
    server.at('/list', json(value, { link: '</list?page=2>; rel="next"' }));
    const records = fixedClient(server.origin).client.records({ path: 'list' }, path, context);
    const found: JsonValue[] = [];
    for (;;) {
      const step = await records.next();
      if (step.done === true) return { found, rest: step.value };
      found.push(...step.value);
    }
  }

  it('returns what stands beside its list', async () => {
    const document = {
      count: 3,
      data: { hosts: [{ id: 1 }, { id: 2 }], total: 3 },
      _links: { next: { href: '/list?page=2' } },
      included: Array.from({ length: 50 }, (_, id) => ({ id })),
      long: 'x'.repeat(70_000),
    };
    const answer = await rest(document, 'data.hosts');
    expect(answer.found).toEqual([{ id: 1 }, { id: 2 }]);
    expect(answer.rest).toMatchObject({ status: 200, headers: { link: '</list?page=2>; rel="next"' } });
    expect(answer.rest.value).toEqual({
      count: 3,
      data: { total: 3 },
      _links: { next: { href: '/list?page=2' } },
      included: Array.from({ length: 10 }, (_, id) => ({ id })),
    });
  });

  it('is found where there is only one, and else it is said which there are', async () => {
    expect((await rest([1, 2], undefined)).found).toEqual([1, 2]);
    const { found, rest: beside } = await rest({ next: null, results: [1] }, undefined);
    expect([found, beside.value]).toEqual([[1], { next: null }]);
    expect(await errorOf(rest({ hosts: [1], vms: [2] }, undefined))).toMatchObject({
      message: expect.stringContaining('has several lists (hosts, vms); give the path'),
    });
    expect(await errorOf(rest({ status: 'ok' }, undefined))).toMatchObject({
      message: expect.stringContaining('has no list among its members (status)'),
    });
    for (const path of [undefined, 'hosts'])
      expect(await errorOf(rest({ detail: 'Credentials were not provided' }, path))).toMatchObject({
        message: expect.stringContaining('; it says: "Credentials were not provided"'),
      });
    expect(await errorOf(rest('text', undefined))).toMatchObject({ message: expect.stringContaining('is not a list') });
  });
});

describe('a walk whose requests are made page by page', () => {
  it('puts the place where the request wants it', async () => {
    server.at(
      '/rpc',
      by(({ body }) => {
        const { from, size } = JSON.parse(body);
        return json({ result: [1, 2, 3, 4, 5].slice(from, from + size) });
      }),
    );
    const found: JsonValue[] = [];
    const pages = fixedClient(server.origin).client.pages(
      ({ offset, size }) => ({ path: 'rpc', method: 'POST', json: { from: offset, size: size ?? null } }),
      { by: 'offset', size: { value: 2 }, items: 'result' },
      context,
    );
    for await (const { records } of pages) found.push(...records);
    expect(found).toEqual([1, 2, 3, 4, 5]);
  });

  it('may be told by a header how many there are', async () => {
    server.at(
      '/range',
      by(({ path }) => {
        const [from = 0, to = 0] = (new URL(path, server.origin).searchParams.get('range') ?? '')
          .split('-')
          .map(Number);
        if (from >= 5) return status(400);
        return json([1, 2, 3, 4, 5].slice(from, to + 1), { 'content-range': `${from}-${to}/5` }, 206);
      }),
    );
    const found: JsonValue[] = [];
    const pages = fixedClient(server.origin).client.pages(
      ({ offset, size = 0 }) => ({ path: 'range', query: { range: `${offset}-${offset + size - 1}` } }),
      { by: 'offset', size: { value: 2 }, total: 'header:Content-Range' },
      context,
    );
    for await (const { records } of pages) found.push(...records);
    expect(found).toEqual([1, 2, 3, 4, 5]);
  });

  it('hands over the cursor', async () => {
    server.at(
      '/rpc',
      by(({ body }) => {
        const { after } = JSON.parse(body);
        return json({ nodes: [after ?? 0], next: (after ?? 0) < 2 ? (after ?? 0) + 1 : null });
      }),
    );
    const found: JsonValue[] = [];
    const pages = fixedClient(server.origin).client.pages(
      ({ cursor }) => ({ path: 'rpc', method: 'POST', json: { after: cursor } }),
      { by: 'cursor', cursor: 'next', items: 'nodes' },
      context,
    );
    for await (const { records } of pages) found.push(...records);
    expect(found).toEqual([0, 1, 2]);
  });
});

describe('a walk that passes over pages', () => {
  const SIZE = 10;
  /** 115 records, and some pages that fail. */
  function served(broken: readonly number[], { total = true, code = 500 } = {}): void {
    server.at(
      '/list',
      by(({ path }) => {
        const parameters = new URL(path, server.origin).searchParams;
        const offset = Number(parameters.get('offset') ?? (Number(parameters.get('page')) - 1) * SIZE);
        if (broken.includes(offset / SIZE + 1)) return status(code);
        const hosts = Array.from({ length: Math.max(0, Math.min(SIZE, 115 - offset)) }, (_, index) => offset + index);
        return json({ hosts, ...(total ? { total: 115 } : {}) });
      }),
    );
  }
  async function walked(walk: HttpWalk): Promise<readonly HttpPage[]> {
    const { client } = fixedClient(server.origin, { retry: { attempts: 2 } });
    const pages: HttpPage[] = [];
    for await (const page of client.pages({ path: 'list' }, walk, context)) pages.push(page);
    return pages;
  }
  const shown = (pages: readonly HttpPage[]) =>
    pages
      .filter(({ failure }) => failure !== undefined)
      .map(({ number, of, failure }) => [number, of, failure?.status]);
  const count = (pages: readonly HttpPage[]) => pages.reduce((sum, { records }) => sum + records.length, 0);

  const offset = { by: 'offset', parameter: 'offset', items: 'hosts', passes: true } as const;
  const numbered = { by: 'page', parameter: 'page', items: 'hosts', passes: true } as const;

  it.each<[string, HttpWalk, number | undefined]>([
    ['by offsets and a total', { ...offset, total: 'total' }, 12],
    ['by offsets', offset, undefined],
    ['by pages and a total', { ...numbered, total: 'total' }, 12],
    ['by pages', numbered, undefined],
  ])('goes on behind them, %s', async (_, walk, of) => {
    served([7], { total: of !== undefined });
    const pages = await walked(walk);
    expect(shown(pages)).toEqual([[7, of, 500]]);
    expect(count(pages)).toBe(105);
    served([12], { total: of !== undefined });
    expect(shown(await walked(walk))).toEqual([[12, of, 500]]);
  });

  it('throws for the first, the third in a row, and for what holds for all', async () => {
    const walk: HttpWalk = { ...offset, total: 'total' };
    for (const [broken, code] of [
      [[1], 500],
      [[3, 4, 5], 500],
      [[3], 401],
      [[3], 403],
    ] as const) {
      served(broken, { code });
      expect(await errorOf(walked(walk))).toMatchObject({ status: code });
    }
    served([3, 4, 6, 7]);
    expect(shown(await walked(walk))).toHaveLength(4);
  });
});
