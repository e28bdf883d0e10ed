import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  by,
  content,
  json,
  type MisbehavingServer,
  misbehavingServer,
  status,
} from '../../support/misbehaving-server.ts';
import { itemsOf } from '../../support/read-source.ts';
import { openRest, told } from './rest-account.ts';

let server: MisbehavingServer;
beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());

const reading = async (fields: Record<string, unknown>) => {
  server.requests.length = 0;
  return told(await itemsOf(await openRest(server.origin, fields)));
};
const paths = () => server.requests.map(({ path }) => path);
const LIST = [{ host: 'w1' }, { host: 'w2' }];

describe('a request', () => {
  it.each([
    ['attrs=name&attrs=address', '/list?attrs=name&attrs=address'],
    ['a=1&a=2&b=3', '/list?a=1&a=2&b=3'],
    ['a[]=1&a[]=2&a[]=3', '/list?a%5B%5D=1&a%5B%5D=2&a%5B%5D=3'],
  ])('has a parameter as often as the option has it: %s', async (query, path) => {
    server.at('/list', json(LIST));
    await reading({ path: 'list', query });
    expect(paths()).toEqual([path]);
  });

  it('has a field of a form as often as the body has it', async () => {
    server.at('/list', json(LIST));
    await reading({ path: 'list', body: 'id=1&id=2' });
    expect(server.requests[0]?.body).toBe('id=1&id=2');
  });

  it.each(['custom_headers', 'request_headers'])('asks for what %s wants to be answered', async (option) => {
    server.at('/list', json(LIST));
    await reading({ path: 'list', [option]: 'Accept: application/json' });
    expect(server.requests[0]?.headers.accept).toBe('application/json');
  });
});

describe('pages', () => {
  const pages = by(({ path }) => {
    const page = Number(new URL(path, server.origin).searchParams.get('page'));
    return page <= 2 ? json({ hosts: [{ host: `w${page}` }] }) : status(404);
  });

  it('end with a status that the account names', async () => {
    server.at('/list', pages);
    const fields = { path: 'list', data_key: 'hosts', paging: 'page', page_parameter: 'page' };
    expect(await reading({ ...fields, end_status: '404' })).toEqual(['w1', 'w2']);
    expect((await reading(fields)).join('\n')).toContain('set end_status=404');
    server.at(
      '/list',
      by(({ path }) => (path.includes('page=1') ? json({ hosts: LIST, total: 9 }) : status(404))),
    );
    expect((await reading({ ...fields, end_status: 404 })).at(-1)).toContain('7 of 9 records');
  });
});

describe('answers of one document a line', () => {
  it('are records, and a line that is none says what is missing', async () => {
    server.at(
      '/list',
      content('{"host":"e1"}\n{"host":"e2","error":"disk"}\n', { 'content-type': 'application/x-ndjson' }),
    );
    expect(await reading({ path: 'list', records: 'lines' })).toEqual(['e1', 'e2']);
    server.at('/list', content('{"host":"e1"}\n{"error":"timed out"}\n', { 'content-type': 'application/x-ndjson' }));
    const found = await reading({ path: 'list', records: 'lines' });
    expect(found[0]).toBe('e1');
    expect(found[1]).toContain('error says that the list is not whole: timed out');
    server.at('/list', content('{"host":"e1"}\n{"host":"e', { 'content-type': 'application/x-ndjson' }));
    await expect(reading({ path: 'list', records: 'lines' })).rejects.toThrow(/cut|JSON/);
    await expect(reading({ path: 'list', records: 'lines', paging: 'page', page_parameter: 'p' })).rejects.toThrow(
      'paging must be auto or none',
    );
  });
});

describe('what belongs to a record', () => {
  const join = (entry: object) => ({ path: 'list', join: JSON.stringify([{ as: 'more', ...entry }]) });

  it.each(['/redfish/v1/Systems/1', 'absolute'])(
    'is asked for at the address that the record has: %s',
    async (link) => {
      const address = link === 'absolute' ? `${server.origin}/redfish/v1/Systems/1` : link;
      server.at('/list', json([{ host: 'w1', '@odata.id': address }]));
      server.at('/redfish/v1/Systems/1', json({ serial: 'S1' }));
      server.at('/redfish/v1/Systems/1/Bios', json({ serial: 'S2' }));
      expect(await reading(join({ path: '{@odata.id}' }))).toEqual(['w1']);
      expect(paths()[1]).toBe('/redfish/v1/Systems/1');
      await reading(join({ path: '{@odata.id}/Bios', data_key: '.' }));
      expect(paths()[1]).toBe('/redfish/v1/Systems/1/Bios');
    },
  );

  it('is asked for at this system alone, and an id stays one part of a path', async () => {
    server.at('/list', json([{ host: 'w1', link: 'http://169.254.169.254/x' }]));
    expect((await reading(join({ path: '{link}' }))).join('\n')).toContain('credentials go to');
    expect(paths()).toEqual(['/list']);
    server.at('/list', json([{ host: 'w1', link: 'a/b' }]));
    server.at('/a%2Fb', json({ x: 1 }));
    await reading(join({ path: '{link}' }));
    expect(paths()[1]).toBe('/a%2Fb');
  });

  it('is an object at data_key "."', async () => {
    server.at('/list', json([{ host: 'w1', id: 7 }]));
    server.at('/more/7', json({ serial: 'S1' }));
    const items = await itemsOf(await openRest(server.origin, join({ path: 'more/{id}', data_key: '.' })));
    expect(items[0]).toMatchObject({ labels: { 'more.serial': 'S1' } });
  });

  it('leaves the record alone where a part of a list came', async () => {
    server.at('/list', json([{ host: 'w1', id: 7 }]));
    for (const said of [{ next: '/more/7?page=2' }, { total: 9 }, { error: 'broken off' }]) {
      server.at('/more/7', json({ disks: [{ size: 1 }], ...said }));
      const found = await reading(join({ path: 'more/{id}', data_key: 'disks' }));
      expect(found.join('\n')).toContain('what belongs to w1');
    }
    server.at('/more/7', json({ disks: [{ size: 1 }], total: 1, next: null }));
    expect(await reading(join({ path: 'more/{id}', data_key: 'disks' }))).toEqual(['w1']);
  });
});
