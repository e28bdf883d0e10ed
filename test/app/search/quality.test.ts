import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostTest, type QueryFacts } from '../../../src/app/search/decisions/host-test.ts';
import { parseQuery } from '../../../src/app/search/decisions/parse-query.ts';
import { DuplicateFinder } from '../../../src/app/search/decisions/quality/duplicates.ts';
import { LabelQuality } from '../../../src/app/search/decisions/quality/label-quality.ts';
import { type HostRecord, type Labels, StoredJson } from '../../../src/ports/index.ts';
import { documentOf } from '../../../src/testing/samples.ts';

const facts: QueryFacts = {
  now: new Date(),
  accounts: new Map(),
  found: new Map(),
  targets: () => [],
  groups: () => [],
  served: () => [],
};

function foundBy(where: string, hosts: readonly HostRecord[]): number {
  const query = parseQuery(where);
  if (!query.ok) throw new Error(`${where}: ${query.message}`);
  const test = hostTest(query.value, facts);
  if (!test.ok) throw new Error(`${where}: ${test.message}`);
  return hosts.filter(test.value).length;
}

const names = fc.constantFrom(
  'site',
  'Site',
  'SITE',
  'name',
  'serial',
  'Serial-No',
  'ip',
  'IP Address',
  'a "b" (c)',
  'x.y',
  'OR',
  '-z',
);
const values = fc.oneof(
  fc.constantFrom(
    'Berlin',
    'berlin',
    'BER LIN',
    '',
    'a*',
    '"',
    'J4711',
    'j 4711',
    '10.3.0.1',
    '10.3.0.1/24',
    'FD00::1',
    'fd00:0::1',
    'none',
    '\\',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.integer(),
  fc.constant(null),
);
const labels = fc.dictionary(names, fc.oneof(values, fc.array(values, { maxLength: 3 })), { maxKeys: 5 });
const hostnames = fc.constantFrom(
  'web01',
  'WEB01',
  'web01.example.org',
  'web02',
  '10.3.0.1',
  '_x.y',
  '-a.b',
  'é.f',
  'web01.*',
);
const inventories = fc.array(fc.tuple(hostnames, labels), { maxLength: 12 }).map((entries) =>
  [...new Map(entries)].map(
    ([hostname, own]): HostRecord => ({
      ...documentOf(hostname),
      hostname,
      labels: StoredJson.ofValue(own as Labels),
    }),
  ),
);

it('asks with each number for just the hosts that it counts', () => {
  fc.assert(
    fc.property(inventories, (hosts) => {
      const quality = new LabelQuality();
      const finder = new DuplicateFinder();
      for (const host of hosts) {
        quality.add(host);
        finder.add(host);
      }
      for (const { filled, filledWhere, empty, emptyWhere, missing, missingWhere } of quality.shares()) {
        expect([filledWhere, foundBy(filledWhere, hosts)]).toEqual([filledWhere, filled]);
        expect([emptyWhere, foundBy(emptyWhere, hosts)]).toEqual([emptyWhere, empty]);
        expect([missingWhere, foundBy(missingWhere, hosts)]).toEqual([missingWhere, missing]);
      }
      const kinds = ['serial', 'uuid', 'address', 'short_name'] as const;
      for (const { where, hosts: count } of [
        ...quality.spelledDifferently(),
        ...quality.namedDifferently(),
        ...kinds.flatMap((kind) => finder.found(kind)),
      ]) {
        expect(count).toBeGreaterThan(0);
        expect([where, foundBy(where, hosts)]).toEqual([where, count]);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('finds labels whose names differ in case alone, those of the most hosts first', () => {
  const quality = new LabelQuality();
  for (const own of [{ site: 'a', OS: 'x' }, { Site: 'b', site: 'b' }, { SITE: null }, { os: 'y' }, { rack: 1 }]) {
    quality.add({ labels: StoredJson.ofValue(own as Labels) });
  }
  expect(quality.namedDifferently()).toEqual([
    {
      hosts: 3,
      names: [
        { name: 'site', count: 2 },
        { name: 'SITE', count: 1 },
        { name: 'Site', count: 1 },
      ],
      where: 'label.site:* OR label.SITE:* OR label.Site:*',
    },
    {
      hosts: 2,
      names: [
        { name: 'OS', count: 1 },
        { name: 'os', count: 1 },
      ],
      where: 'label.OS:* OR label.os:*',
    },
  ]);
});
