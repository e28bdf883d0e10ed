import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fields, Kind } from '../../../src/adapters/storage/shared/transfer-kinds.ts';
import { itemOf, recordOf, TRANSFER_TABLE } from '../../../src/adapters/storage/shared/transfer-table.ts';
import { PART_ROWS } from '../../../src/adapters/storage/sqlite/transfer-rows.ts';
import {
  type JsonObject,
  type JsonValue,
  TRANSFER_PARTS,
  type TransferPart,
  type TransferRecord,
} from '../../../src/ports/index.ts';

const AWKWARD = ['', '__proto__', 'null', '\u0000', '"', '10', 'ü', '\u{10ffff}', '{"b":1,"10":2}', ' '];
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...AWKWARD));
const moments = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const details = fc.array(fc.record({ level: texts, message: texts }), { maxLength: 3 });
const counts = fc.maxSafeInteger();
const accounts = fc.array(
  fc.record({ accountId: fc.option(texts, { nil: null }), hosts: counts, objects: counts, archived: counts }),
  { maxLength: 3 },
);
const places = fc.nat(99_999_999);

/** The members of records of a part, in the order in which records have them. */
function valuesOf(part: TransferPart): fc.Arbitrary<JsonObject> {
  return fc.tuple(recordsOf(TRANSFER_TABLE[part].fields), fc.boolean()).map(([value, isLinked]) => {
    const isThere = ([name, member]: [string, JsonValue]) => {
      if (part === 'relations') return member !== null;
      if (part !== 'audit') return true;
      return name === 'seq' || name === 'mark' ? isLinked : name !== 'details' || member !== '';
    };
    return Object.fromEntries(Object.entries(value).filter(isThere));
  });
}

function recordsOf(fields: Fields): fc.Arbitrary<Record<string, JsonValue>> {
  const members = Object.entries(fields).map(([name, kind]) => [name, membersOf(name, kind)] as const);
  return fc.record(Object.fromEntries(members));
}

function membersOf(name: string, kind: Kind<unknown>): fc.Arbitrary<JsonValue> {
  if (name === 'confirmedBy') return fc.constantFrom('operator', 'administrator', null);
  if (name === 'place') return places;
  if (name === 'accounts') return accounts;
  const some = someOf(kind);
  return takesNull(name, kind) ? fc.option(some, { nil: null }) : some;
}

function someOf({ form, fields = {} }: Kind<unknown>): fc.Arbitrary<JsonValue> {
  switch (form) {
    case 'text':
      return texts;
    case 'number':
      return fc.maxSafeInteger();
    case 'flag':
      return fc.boolean();
    case 'moment':
      return moments;
    case 'list':
      return details;
    case 'object':
      return recordsOf(fields);
    case 'json':
      return fc.constant({ template: '{count} hosts', values: { count: 2 } });
  }
}

function takesNull(name: string, kind: Kind<unknown>): boolean {
  return kind.read({ seq: 1, [name]: null }, name, () => false as never) === null;
}

function refusal(part: TransferPart, value: JsonObject, key = 'a\u0000b'): unknown {
  try {
    return itemOf(part, { key, value });
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the table of transfers', () => {
  it.each(TRANSFER_PARTS)('understands records of %s and gives them again to the letter', (part) => {
    fc.assert(
      fc.property(valuesOf(part), (value) => {
        const record = recordOf(part, itemOf(part, { key: '', value }));
        expect(JSON.stringify(record.value)).toBe(JSON.stringify(value));
        // What a backup holds is the same again.
        const read: TransferRecord = JSON.parse(JSON.stringify(record));
        expect(recordOf(part, itemOf(part, read))).toEqual(record);
      }),
    );
  });

  it.each(TRANSFER_PARTS)('lies in rows of %s without loss', (part) => {
    function check<Part extends TransferPart>(name: Part, value: JsonObject): void {
      const item = itemOf(name, { key: '', value });
      expect(PART_ROWS[name].item(PART_ROWS[name].values(item))).toEqual(item);
    }
    fc.assert(fc.property(valuesOf(part), (value) => check(part, value)));
  });

  it.each(TRANSFER_PARTS)('refuses records of %s in which a member does not fit, naming it', (part) => {
    fc.assert(
      fc.property(valuesOf(part), (value) => {
        for (const name of Object.keys(value)) {
          // No member is a list of lists.
          const message = refusal(part, { ...value, [name]: [[]] });
          expect(message).toMatch(new RegExp(`^the record a b cannot be stored: ${name} must be `));
        }
      }),
      { numRuns: 10 },
    );
  });

  it('makes keys of the fields that a record is known by', () => {
    const key = (part: TransferPart, value: JsonObject) => recordOf(part, itemOf(part, { key: '', value })).key;
    const at = '2026-01-01T00:00:00.000Z';
    const actor = { kind: 'user', name: 'ada' };
    const change = { hostname: 'web', at, place: 12, actor, kind: 'labels', changes: '[]' };
    expect(key('host_changes', change)).toBe(`web\u0000${at}\u000000000012`);
    expect(key('token_uses', { tokenId: 't', at })).toBe('t');
    expect(key('audit_chain', { state: '{}' })).toBe('chain');
  });

  it('says what a member must be', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const log = { id: '1', at, message: '', source: '', details: [], hasError: false };
    const change = { hostname: 'web', at, place: 0, actor: { kind: 'user', name: 'ada' }, kind: 'labels', changes: '' };
    const said = (part: TransferPart, value: JsonObject) =>
      String(refusal(part, value)).replace('the record a b cannot be stored: ', '');
    expect(said('logs', { ...log, at: 'yesterday' })).toBe('at must be a time');
    expect(said('logs', { ...log, at: 1 })).toBe('at must be a text');
    expect(said('logs', { ...log, hasError: 1 })).toBe('hasError must be true or false');
    expect(said('logs', { ...log, details: {} })).toBe('details must be a list');
    expect(said('logs', { ...log, details: ['x'] })).toBe('details must be a list of objects');
    expect(said('logs', { ...log, details: [{ level: 'info' }] })).toBe('message must be a text');
    expect(said('host_changes', { ...change, place: 0.5 })).toBe('place must be a whole number');
    expect(said('host_changes', { ...change, actor: 'ada' })).toBe('actor must be an object');
    expect(said('host_changes', { ...change, actor: { name: 'ada' } })).toBe('kind must be a text');
  });

  it('takes the place of an audit entry with its mark or not at all', () => {
    const names = ['id', 'actor', 'entrance', 'address', 'operation', 'subject', 'outcome', 'requestId'];
    const entry = { ...Object.fromEntries(names.map((name) => [name, name])), at: '2026-01-01T00:00:00.000Z' };
    expect(refusal('audit', entry)).toMatchObject({ details: '', seq: null, mark: null });
    expect(refusal('audit', { ...entry, mark: 'm' })).toMatchObject({ seq: null, mark: null });
    expect(refusal('audit', { ...entry, seq: 1 })).toBe('the record a b cannot be stored: mark must be a text');
    expect(refusal('audit', { ...entry, seq: null, mark: 'm' })).toMatch(/seq must be a whole number$/);
  });

  it('takes rules of before confirmations as confirmed by the operator, and words of others as by nobody', () => {
    const rule = { type: 't', id: '1', name: 'n', uniqueValue: null, version: 1, document: '{}' };
    const value = { ...rule, changedAt: '2026-01-01T00:00:00.000Z' };
    expect(refusal('rules', value)).toMatchObject({ confirmedBy: 'operator' });
    expect(refusal('rules', { ...value, confirmedBy: 'somebody' })).toMatchObject({ confirmedBy: null });
  });
});
