import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  inspectKey,
  isOfAccountAlone,
  keyAsWritten,
  keyOfText,
  keyText,
} from '../../../src/app/hosts/decisions/host-keys.ts';
import { decideName, type HoldersByKey, matchByKeys } from '../../../src/app/runs/import/decisions/key-match.ts';
import type { SourceItem } from '../../../src/ports/index.ts';
import { sourceOf, world } from './support.ts';

const name: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const value = fc.constantFrom('J471', 'J472', 'J473', 'J474', 'J475');

/** What a source has at one time: each name once, with its keys. */
const read = fc
  .uniqueArray(fc.record({ name, serial: fc.array(value, { maxLength: 1 }), mac: fc.array(value, { maxLength: 2 }) }), {
    selector: (one) => one.name,
    minLength: 1,
    maxLength: 7,
  })
  .map((records) =>
    records.map((one) => ({
      ...one,
      keys: [...one.serial.map((v) => `serial=${v}`), ...one.mac.map((v) => `asset=${v}`)],
    })),
  );

type Read = typeof read extends fc.Arbitrary<infer T> ? T : never;

function itemsOf(records: Read): SourceItem[] {
  return records.map(({ name: hostname, serial, mac }) => ({
    kind: 'record',
    position: hostname,
    hostname,
    labels: { of: serial.join() },
    keys: { serial, asset: mac },
  }));
}

describe('keys, whatever a source has and then has', () => {
  it('rename a host only to a record with its key, once, and where the source has its old name no more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(read, { minLength: 2, maxLength: 4 }), async (reads) => {
        const here = await world();
        const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
        for (const records of reads) {
          here.advance(1_000);
          const before = new Map<string, string[]>();
          for (const mark of await here.storage.marks.of(['a', 'b', 'c', 'd', 'e', 'f', 'g'])) {
            before.set(mark.hostname, [...(before.get(mark.hostname) ?? []), mark.value]);
          }
          const told: string[] = [];
          const trial = await here.run(sourceOf(itemsOf(records)), {
            options,
            dryRun: true,
            onDiff: ({ hostname, changes }) => {
              const [first] = changes;
              if (first?.path === 'hostname') told.push(`${String(first.before)} ${hostname}`);
            },
          });
          const report = await here.run(sourceOf(itemsOf(records)), { options });
          const names = records.map((one) => one.name).sort();
          expect(await here.active()).toEqual(names);
          const { created, updated, unchanged, conflicts, skipped, failed, seen } = report.summary;
          expect(created + updated + unchanged + conflicts + skipped + failed).toBe(seen);
          expect(report.renamed).toBe(report.renamedSample.length);
          expect(new Set(report.renamedSample.map(({ from }) => from)).size).toBe(report.renamed);
          for (const { from, to } of report.renamedSample) {
            expect(names).toContain(to);
            expect(names).not.toContain(from);
            const keys = records.find((one) => one.name === to)?.keys ?? [];
            expect(keys.filter((key) => before.get(from)?.includes(key)).length).toBeGreaterThan(0);
            expect(before.has(to)).toBe(false);
          }
          // What was told beforehand is what happened.
          const pairs = report.renamedSample.map(({ from, to }) => `${from} ${to}`).sort();
          expect(trial.renamedSample.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(pairs);
          expect(told.sort()).toEqual(pairs);
          expect({ ...trial.summary, duration_ms: 0 }).toEqual({ ...report.summary, duration_ms: 0 });
          // Each host has the keys that it has in the source, and no others.
          for (const { name: hostname, keys } of records) {
            const kept = (await here.storage.marks.of([hostname])).map((mark) => mark.value);
            expect(kept).toEqual([...new Set(keys)].sort());
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('lead to a host only where nothing else can be', () => {
    const holder = fc.record({
      hostname: name,
      archivedBy: fc.constantFrom(null, 'import' as const, 'operator' as const),
    });
    const holders = fc.dictionary(value, fc.uniqueArray(holder, { selector: (one) => one.hostname, maxLength: 3 }));
    fc.assert(
      fc.property(holders, fc.array(name), fc.dictionary(name, fc.nat(3)), (all, named, claims) => {
        // One host is in one state, whatever key leads to it.
        const states = new Map(
          Object.values(all)
            .flat()
            .map((one) => [one.hostname, one]),
        );
        const byKey: HoldersByKey = new Map(
          Object.entries(all).map(([key, some]) => [key, some.map((one) => states.get(one.hostname) ?? one)]),
        );
        const decision = decideName(byKey, {
          isNamed: (hostname) => named.includes(hostname),
          claims: (hostname) => claims[hostname] ?? 0,
        });
        if (decision.kind === 'own') return;
        const { from, key } = decision;
        const match = matchByKeys(byKey);
        expect(match.kind === 'one' && match.holder.hostname === from && match.key === key).toBe(true);
        expect(named).not.toContain(from);
        expect(claims[from] ?? 0).toBeLessThanOrEqual(1);
        expect(states.get(from)?.archivedBy === 'operator').toBe(decision.kind === 'archived');
        for (const some of byKey.values()) {
          const active = some.filter(({ archivedBy }) => archivedBy === null);
          const counted = active.length > 0 ? active : some;
          if (counted.length === 1) expect(counted[0]?.hostname).toBe(from);
        }
      }),
    );
  });
});

describe('the form of keys', () => {
  it('is the same however often it is made, and for however people write it', () => {
    const names = fc.constantFrom('serial', 'mac', 'uuid', 'fqdn', 'id', 'cloud_id');
    fc.assert(
      fc.property(names, fc.string({ maxLength: 40 }), (keyName, text) => {
        const key = inspectKey(keyName, text);
        if (!key.ok || key.value === undefined) return;
        expect(inspectKey(keyName, key.value.value)).toEqual(key);
        expect(keyOfText(keyText(key.value))).toEqual(key.value);
        expect(keyAsWritten(`${keyName}=${text}`)).toEqual(key);
        expect(isOfAccountAlone(keyText(key.value))).toBe(keyName === 'id');
      }),
    );
  });

  it.each([
    ['mac', '00-1A-2B-3C-4D-5E', '00:1a:2b:3c:4d:5e'],
    ['mac', '001a.2b3c.4d5e', '00:1a:2b:3c:4d:5e'],
    ['asset_tag', ' 7 ', '7'],
    ['uuid', '{4C4C4544-0042-3510-8051-B7C04F4A3132}', '4c4c4544-0042-3510-8051-b7c04f4a3132'],
    ['uuid', '4C4C4544004235108051B7C04F4A3132', '4c4c4544-0042-3510-8051-b7c04f4a3132'],
    ['fqdn', 'Web01.Example.ORG.', 'web01.example.org'],
    ['fqdn', 'Web01 ..', 'web01'],
    ['serial', ' CZ3abc ', 'CZ3abc'],
    ['id', '0', '0'],
  ])('of %s %s is %s', (keyName, text, kept) => {
    expect(inspectKey(keyName, text)).toEqual({ ok: true, value: { name: keyName, value: kept } });
  });

  it.each([
    '',
    'N/A',
    'none',
    '0',
    '00:00:00:00:00:00',
    'FF:FF:FF:FF:FF:FF',
    'To Be Filled By O.E.M.',
    '-',
    'xxxxxxxx',
    '123456789',
    'SYS-1234567890',
    'Not Settable',
    '#N/A',
    '12345678',
  ])('is none for %s', (text) => {
    for (const keyName of ['serial', 'mac', 'uuid'])
      expect(inspectKey(keyName, text)).toEqual({ ok: true, value: undefined });
  });

  it('is refused for names and values that cannot be kept', () => {
    for (const [keyName, text] of [
      ['Serial', '1'],
      ['', '1'],
      ['a.b', '1'],
      ['serial', 'J4711'.repeat(101)],
      ['serial', 'J47\u000711'],
    ] as const) {
      expect(inspectKey(keyName, text).ok, `${keyName} ${text}`).toBe(false);
    }
    for (const text of ['J4711', '=J4711', 'serial=', 'serial=N/A']) expect(keyAsWritten(text).ok, text).toBe(false);
  });
});
