import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordMaker } from '../../../../src/kit/records/record-maker.ts';
import { jsonOptions } from '../../../../src/plugins/json/options.ts';
import type { JsonValue } from '../../../../src/ports/index.ts';

async function made(element: JsonValue, options: Record<string, string>, file?: string) {
  const maker = await RecordMaker.of(jsonOptions().parse({ path: 'file', ...options }));
  const item = maker.listed(element, 'record 1', file);
  if (item?.kind === 'record') {
    const { hostname, labels, inventory } = item;
    return inventory === undefined ? { hostname, labels } : { hostname, labels, inventory };
  }
  return item?.kind === 'skipped' ? item.reason : item;
}

async function labelsOf(record: Record<string, JsonValue>): Promise<object> {
  const { labels } = (await made(record, {})) as { readonly labels: object };
  return labels;
}

describe('labels', () => {
  it('of a record are the same whether another member is nested or not', async () => {
    const value = fc.oneof(
      fc.constantFrom(null, true, '', 0),
      fc.string(),
      fc.array(fc.string()),
      fc.constant([{ name: 'a' }, 1]),
    );
    const keys = fc.oneof(fc.constantFrom('__proto__', 'constructor', '1', 'a.b'), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(keys, value)), async (members) => {
        const record = Object.fromEntries([...members, ['host', 'h']]);
        const nested = { ...record, 'nested member': { of: 'it' } };
        const labels = Object.entries(await labelsOf(record));
        expect(Object.entries(await labelsOf(nested))).toEqual([...labels, ['nested member.of', 'it']]);
        expect(labels.map(([key]) => key)).toEqual(Object.keys(record).filter((key) => key !== 'host'));
      }),
    );
  });
});

describe('lists of keys and values', () => {
  it.each<[JsonValue, string, JsonValue]>([
    [{ Tags: [{ Key: 'Name', Value: 'web1' }] }, 'Tags', { 'Tags.Name': 'web1' }],
    [{ t: [{ key: 'a.b/c', value: 1 }] }, 't', { 't.a.b/c': 1 }],
    [{ t: [{ name: 'x', value: null }] }, 't', { 't.x': null }],
    [{ t: [{ k: 'x', v: [1, 2] }] }, 't:k:v', { 't.x': [1, 2] }],
    [{ ports: [{ name: 'ge0', up: true, l: [] }] }, 'ports:name', { 'ports.ge0.up': true, 'ports.ge0.l': [] }],
    [{ a: { t: [{ Name: 'x', Value: 'y' }] } }, 'a.t', { 'a.t.x': 'y' }],
    [{ t: [] }, 't', {}],
    [{ t: [{ key: 'x', value: 1 }], u: [{ key: 'y', value: 2 }] }, 't, u', { 't.x': 1, 'u.y': 2 }],
    // What stands twice is kept twice.
    [
      {
        t: [
          { key: 'x', value: 1 },
          { key: 'x', value: 2 },
        ],
      },
      't',
      { 't.x': [1, 2] },
    ],
    // What is no list of pairs stays as it is.
    [{ t: ['a', 'b'] }, 't', { t: ['a', 'b'] }],
    [{ t: [{ key: 'x', value: 1 }, 7] }, 't', { t: ['{"key":"x","value":1}', 7] }],
    [{ t: [{ key: ' ', value: 1 }] }, 't', { t: ['{"key":" ","value":1}'] }],
    [{ t: [{ key: {}, value: 1 }] }, 't', { t: ['{"key":{},"value":1}'] }],
    [{ t: 'text' }, 't', { t: 'text' }],
    [{ t: null }, 't', { t: null }],
    [{}, 't', {}],
  ])('%j by %s', async (record, pair_fields, labels) => {
    expect(await made({ host: 'h', ...(record as object) }, { pair_fields })).toEqual({ hostname: 'h', labels });
  });

  it('keep keys of any name', async () => {
    const result = await made(JSON.parse('{"host":"h","t":[{"key":"__proto__","value":"p"}]}'), { pair_fields: 't' });
    expect(JSON.stringify(result)).toBe('{"hostname":"h","labels":{"t.__proto__":"p"}}');
  });

  it('may be sections, names of hosts, and compared by a filter', async () => {
    const record = { id: 'i-1', Tags: [{ Key: 'Name', Value: 'web1' }] };
    const options = { pair_fields: 'Tags', hostname_field: 'Tags.Name,id', record_filter: 'Tags.Name=web1' };
    expect(await made(record, { ...options, inventory_fields: 'Tags' })).toEqual({
      hostname: 'web1',
      labels: { id: 'i-1' },
      inventory: { Tags: { Name: 'web1' } },
    });
    expect(await made({ ...record, Tags: [] }, { ...options, record_filter: '' })).toMatchObject({ hostname: 'i-1' });
  });

  it.each([':a', 'a:', 'a::b', 'a:b:', 'a:b:c:d'])('are not named by %s', (pair_fields) => {
    expect(jsonOptions().safeParse({ path: 'file', pair_fields }).success).toBe(false);
  });
});

describe('names of records', () => {
  it.each<[JsonValue, string, unknown]>([
    [{ fqdn: 'a.example.org', name: 'a' }, 'fqdn,name', 'a.example.org'],
    [{ fqdn: null, name: 'a' }, 'fqdn, name', 'a'],
    [{ fqdn: ' ', meta: { name: 'a' } }, 'fqdn,meta.name', 'a'],
    [{ addresses: [{ type: 'IP' }, { type: 'Hostname', host: 'a' }] }, 'addresses[].host', 'a'],
    [{ names: ['', 'a', 'b'] }, 'names[]', 'a'],
    [{ 'a,b': 'whole', a: 'part' }, 'a,b', 'whole'],
    [{ x: { 'a,b': 'whole' } }, 'x.a,b', 'whole'],
  ])('%j by %s', async (record, hostname_field, expected) => {
    expect(await made(record, { hostname_field })).toMatchObject({ hostname: expected });
  });

  it('leave all members as labels where there are several', async () => {
    const record = { fqdn: null, name: 'a' };
    expect(await made(record, { hostname_field: 'fqdn,name' })).toEqual({ hostname: 'a', labels: record });
    expect(await made(record, { hostname_field: 'name' })).toEqual({ hostname: 'a', labels: { fqdn: null } });
  });

  it('are told with every field when there is none', async () => {
    const reason = 'has no name: "fqdn" is null, "name" is missing, "id" is not a text, "x" is empty';
    expect(await made({ fqdn: null, id: {}, x: '' }, { hostname_field: 'fqdn,name,id,x' })).toMatchObject({
      text: reason,
    });
  });

  it('may be that of the file', async () => {
    expect(await made({ x: 1 }, { hostname_field: 'fqdn,file:name' }, 'web1')).toMatchObject({ hostname: 'web1' });
    expect(await made({ x: 1 }, { hostname_field: 'file:name' })).toMatchObject({
      text: 'has no name: "file:name" is missing',
    });
  });
});
