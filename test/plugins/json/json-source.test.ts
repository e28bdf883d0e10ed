import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/kit/worded.ts';
import { jsonOptions } from '../../../src/plugins/json/options.ts';
import { readJson } from '../../../src/plugins/json/read.ts';
import { collect, failure, readContext, temporaryFile } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';

const FIXTURES = new URL('../../../src/plugins/json/fixtures/', import.meta.url);

async function read(content: string, options: Record<string, string> = {}) {
  return collect(
    readJson(jsonOptions().parse({ path: await temporaryFile(content), ...options }), sourceFiles, readContext()),
  );
}

async function faultOf(content: string, options: Record<string, string> = {}) {
  return failure(
    readJson(jsonOptions().parse({ path: await temporaryFile(content), ...options }), sourceFiles, readContext()),
  );
}

async function labelsOf(record: string): Promise<string> {
  const [item] = await read(`[${record}]`);
  if (item?.kind !== 'record') throw new Error(JSON.stringify(item));
  return JSON.stringify(item.labels);
}

describe('json source', () => {
  it('reads the devices of NetBox; nameless ones are skipped by index', async () => {
    const path = new URL('netbox-devices.json', FIXTURES).pathname;
    const items = await collect(
      readJson(jsonOptions().parse({ path, hostname_field: 'name' }), sourceFiles, readContext()),
    );
    expect(items).toHaveLength(72);
    expect(items.filter(({ kind }) => kind === 'skipped')).toHaveLength(22);
    expect(items.find(({ kind }) => kind === 'skipped')).toMatchObject({
      reason: expect.objectContaining({ text: 'has no name: "name" is null' }),
    });
    expect(items[0]).toEqual({
      kind: 'record',
      position: 'record 1',
      hostname: 'dmi01-akron-rtr01',
      labels: {
        id: 1,
        'status.value': 'active',
        'site.id': 2,
        'site.name': 'DM-Akron',
        location: null,
        'rack.id': 1,
        'rack.name': 'Comms closet',
        'role.id': 1,
        'role.name': 'Router',
        'device_type.id': 6,
        'device_type.model': 'ISR 1111-8P',
        'device_type.manufacturer.id': 3,
        'device_type.manufacturer.name': 'Cisco',
        'platform.id': 1,
        'platform.name': 'Cisco IOS',
        'tenant.id': 5,
        'tenant.name': 'Dunder-Mifflin, Inc.',
        serial: '',
        asset_tag: null,
        primary_ip4: null,
        primary_ip6: null,
        position: '4.0',
      },
    });
  });

  it('keeps nested facts as inventory sections when asked to', async () => {
    const path = new URL('facts.json', FIXTURES).pathname;
    const options = jsonOptions().parse({ path, hostname_field: 'hostname', inventory_fields: 'facts, absent' });
    const [item] = await collect(readJson(options, sourceFiles, readContext()));
    expect(item).toMatchObject({ kind: 'record', labels: {}, inventory: { facts: { kernel: 'Linux' } } });
  });

  it.each([
    ['[{"host":"a"}]', {}],
    ['{"count":1,"results":[{"host":"a"}]}', {}],
    ['{"list":[1],"data":{"hosts":[{"host":"a"}],"x":[[2]]},"after":{"y":"]}"}}', { data_key: 'data.hosts' }],
    ['{"a.b":[{"host":"a"}]}', { data_key: 'a.b' }],
    ['\ufeff\n [ {"host" : "a"} \t]\r\n', {}],
    ['[{"id":{"name":"a"}}]', { hostname_field: 'id.name' }],
    ['[{"id.name":"a","id":{"name":"b"}}]', { hostname_field: 'id.name' }],
    ['{"x":"\\\\\\"[","y":"[]{}","hosts":[{"host":"a"}]}', {}],
  ])('finds the list in %s', async (content, options) => {
    const [first] = await read(content, options);
    expect(first).toMatchObject({ kind: 'record', position: 'record 1', hostname: 'a' });
  });

  it('flattens what is nested', async () => {
    const record = `{"host":"a","n":null,"b":true,"l":[1,"x",null],"e":{},"el":[],
      "tags":[{"name":"one","id":1},{"display":"two"},{"id":3},[4],5],
      "deep":{"a.b":{"c":1},"__proto__":{"p":2}},"__proto__":"own"}`;
    expect(await labelsOf(record)).toBe(
      '{"n":null,"b":true,"l":[1,"x",null],"el":[],"tags":["one","two","{\\"id\\":3}","[4]",5],' +
        '"deep.a.b.c":1,"deep.__proto__.p":2,"__proto__":"own"}',
    );
  });

  it('keeps numbers that a double cannot hold as text', async () => {
    expect(
      await labelsOf(
        '{"host":"a","ok":9007199254740991,"id":9007199254740993,"neg":-12345678901234567890,"far":1e400}',
      ),
    ).toBe('{"ok":9007199254740991,"id":"9007199254740993","neg":"-12345678901234567890","far":"1e400"}');
    expect(await labelsOf('{"host":"a","s":"id 12345678901234567890 \\"1e5\\"","f":0.5,"z":1e3}')).toBe(
      '{"s":"id 12345678901234567890 \\"1e5\\"","f":0.5,"z":1000}',
    );
    expect(await labelsOf(`{"host":"a","n":12345678901234567890,"t":"${'x\\\\'.repeat(1_000_000)}"}`)).toContain(
      '"12345678901234567890"',
    );
  });

  it('reads an object of records by name', async () => {
    const records =
      '{"web1":{"host":"a label","net":{"ip":"10.0.0.1"}},"a.b":{},"web2":null,"web3":[7],"":{},"web4":7}';
    const expected = [
      {
        kind: 'record',
        position: 'member "web1"',
        hostname: 'web1',
        labels: { host: 'a label', 'net.ip': '10.0.0.1' },
      },
      { kind: 'record', position: 'member "a.b"', hostname: 'a.b', labels: {} },
      { kind: 'record', position: 'member "web2"', hostname: 'web2', labels: {} },
      { kind: 'skipped', position: 'member "web3"', hostname: 'web3', reason: 'is not an object' },
      { kind: 'skipped', position: 'member ""', reason: 'has no name' },
      { kind: 'skipped', position: 'member "web4"', hostname: 'web4', reason: 'is not an object' },
    ];
    expect(await read(records, { records: 'by_name' })).toEqual(expected);
    const nested = `{"data.x":{"lost":{}},"count":6,"data":{"n":[1],"hosts":${records},"more":{}},"hosts":{"no":{}}}`;
    expect(await read(nested, { records: 'by_name', data_key: 'data.hosts' })).toEqual(expected);
    const twice = `{"data":{"hosts":{}},"data.hosts":{}}`;
    expect(await faultOf(twice, { records: 'by_name', data_key: 'data.hosts' })).toMatch(
      /several objects at "data.hosts"/,
    );
    expect(await faultOf('[1]', { records: 'by_name' })).toMatch(/is not an object of records/);
    expect(await faultOf('{"a":[1]}', { records: 'by_name', data_key: 'a' })).toMatch(
      /has no object at data_key "a"; its members: "a"/,
    );
    expect(await faultOf('{"a":{"b":{}}', { records: 'by_name' })).toMatch(/is truncated/);
  });

  it('reads a document a line', async () => {
    const lines = '{"host":"web1","n":12345678901234567890}\n\n{"host":"web2"}\r\n7\n{"host":{"name":"web3"}}';
    expect(
      (await read(lines, { records: 'lines' })).map((item) =>
        item.kind === 'record' ? item.hostname : 'reason' in item && textOf(item.reason),
      ),
    ).toEqual(['web1', 'web2', 'is not an object', 'has no name: "host" is not a text']);
    const dotted = await read(lines, { records: 'lines', hostname_field: 'host.name' });
    expect(dotted.at(-1)).toMatchObject({ kind: 'record', hostname: 'web3' });
    expect(await faultOf('{"host":"web1"}\n{"host":"we', { records: 'lines' })).toMatch(/is truncated/);
    expect(await faultOf('{"host":"web1"} x', { records: 'lines' })).toMatch(/is not valid JSON/);
    expect(await faultOf(' \n', { records: 'lines' })).toMatch(/contains no JSON/);
    expect(await faultOf('{"a":1}', { records: 'lines', data_key: 'a' })).toMatch(/data_key says nothing/);
  });

  it('skips what has no name and what is no record', async () => {
    const items = await read('[{"host":null},{"host":" "},{"x":1},{"host":{"a":1}},7,null,[],"s",{"host":12}]');
    expect(
      items.map((item) => (item.kind === 'record' ? item.hostname : 'reason' in item && textOf(item.reason))),
    ).toEqual([
      'has no name: "host" is null',
      'has no name: "host" is empty',
      'has no name: "host" is missing',
      'has no name: "host" is not a text',
      'is not an object',
      'the source gives null in its place',
      'the source gives a list in its place',
      'is not an object',
      '12',
    ]);
    expect(items[8]).toMatchObject({ position: 'record 9' });
  });

  it.each([
    ['[{"host":"a"}', /truncated/],
    ['[{"host":"a"},', /truncated/],
    ['{"results":[{"host":"a"}]', /truncated/],
    ['{"results":[{"host":"a', /truncated/],
    ['[{"host":"a"},]', /a record is missing before "]" in line 1/],
    ['[{"host":"a"}\n{"host":"b"}]', /"," or "]" is missing before "{" in line 2/],
    ['[{"host":"a"},\n{"host":}]', /not valid JSON in record 2/],
    [
      '{"host":"a"}\n{"host":"b"}',
      / contains more than one JSON document \(JSON Lines\? Then set records to lines\) in line 2$/,
    ],
    ['[{"host":"a"}] x', /more than one/],
    ['{"x":1}', /no list of records; its members: "x"; set data_key/],
    ['{"a":[],"b":[]}', /several lists \("a", "b"\)/],
    ['{"x":nul,"a":[]}', /not valid JSON/],
    ['{x:[]}', /member name/],
    ['"text"', /no list/],
    ['  \n', /contains no JSON/],
    ['', /is empty/],
    ['host,site\n', /not valid JSON|no list/],
  ])('fails for %s', async (content, message) => {
    expect(await faultOf(content)).toMatch(message);
  });

  it('names what stands at data_key', async () => {
    expect(await faultOf('{"a":1,"b":{"c":[]}}', { data_key: 'b.x' })).toMatch(
      /nothing at data_key "b.x"; its members: "a", "b"/,
    );
    expect(await faultOf('{"a":1}', { data_key: 'a' })).toMatch(/no list at data_key "a"/);
    expect(await faultOf('{"a":[],"a":[]}', { data_key: 'a' })).toMatch(/several lists/);
  });

  it('fails for the real file cut anywhere', async () => {
    const whole = await readFile(new URL('netbox-devices.json', FIXTURES), 'utf8');
    for (let at = 1; at < whole.trimEnd().length; at += 977) {
      expect(
        await faultOf(whole.slice(0, at), { hostname_field: 'name', data_key: 'results' }),
        `cut at ${at}`,
      ).toMatch(/truncated/);
    }
  });

  it('gives nothing for an empty list', async () => {
    expect(await read('[]')).toEqual([]);
    expect(await read('{"results":[]}')).toEqual([]);
  });
});

describe('members that an object has twice', () => {
  it.each([
    ['{"host":"c","os":"debian","os":"rocky"}', '"os"'],
    ['{"host":"c","site":{"a":{"b":1,"b":2}}}', '"site.a.b"'],
    ['{"host":"c","nics":[{"mac":"a","mac":"b"}],"x":12345678901234567890}', '"nics.0.mac"'],
    ['{"host":"c","o\\u0073":"debian","os":"rocky"}', '"os"'],
  ])('are named: %s', async (record, names) => {
    const [item] = await read(`[${record}]`, { hostname_field: 'host' });
    expect(item).toMatchObject({ kind: 'record', hostname: 'c' });
    const { warnings = [] } = item as { warnings?: readonly { text: string }[] };
    expect(warnings.map(({ text }) => text)).toEqual([`has members twice, of which the later counts: ${names}`]);
  });
});
