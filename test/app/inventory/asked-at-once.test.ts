import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { actor, labelsOf, minute, red } from '../../../src/testing/samples.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { OPERATOR, OperationsApp } from '../operations/operations-app.ts';

/**
 * Who asks for an inventory while others are still reading it may be given the same rendering, and never one from before a write that was
 * over when he asked.
 */

const INVENTORY = { provider: 'automation' };
const host = fc.constantFrom('web01', 'web02', 'db01', 'db02');
const by = { at: minute(1), actor };

type Step = (muster: OperationsApp) => Promise<unknown>;

const write: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(host, fc.constantFrom('linux', 'windows', '')).map(([hostname, os]): Step => {
    const entries = [{ hostname, labels: labelsOf({ os }) }];
    return ({ storage }) => storage.hosts.saveLabels({ account: red, entries, ...by });
  }),
  fc.tuple(host, fc.constantFrom({ cpus: 1 }, { cpus: 2 })).map(([hostname, section]): Step => {
    const entries = [{ hostname, key: 'hw', section: StoredJson.ofValue(section) }];
    return ({ storage }) => storage.hosts.saveInventory({ entries, scope: null, ...by });
  }),
  host.map(
    (hostname): Step =>
      ({ storage }) =>
        storage.hosts.archive({ hostnames: [hostname], by: 'api', scope: null, ...by }),
  ),
  host.map(
    (hostname): Step =>
      ({ storage }) =>
        storage.hosts.purge({ hostnames: [hostname], scope: null, ...by }),
  ),
  fc
    .tuple(fc.constantFrom('one', 'two'), fc.boolean(), fc.constantFrom('1', '{{ os }}'))
    .map(([name, enabled, value]): Step => {
      const rule = {
        name,
        enabled,
        condition_typ: 'anyway',
        conditions: [],
        outcomes: [{ attribute_name: name, attribute_value: value }],
        last_match: false,
        sort_field: 0,
      };
      return (muster) =>
        muster.run(importRulesOfType, { rule_type: 'automation_customvars', rules: [rule], override: true });
    }),
);

const steps = fc.array(fc.oneof(write, fc.constantFrom<'ask' | 'leave'>('ask', 'ask', 'leave')), {
  minLength: 4,
  maxLength: 16,
});

async function isNeverStale(
  storage: OpenedStorage['storage'],
  given: readonly (Step | 'ask' | 'leave')[],
): Promise<void> {
  const muster = await OperationsApp.over(storage);
  const open: AsyncIterator<string | Uint8Array>[] = [];
  for (const step of given) {
    if (step === 'leave') await open.shift()?.return?.();
    else if (step !== 'ask') await step(muster);
    else {
      const answer = await muster.app.executor.stream(renderInventory, { kind: 'value', value: INVENTORY }, OPERATOR);
      const reader = answer.body[Symbol.asyncIterator]();
      await reader.next();
      open.push(reader);
      const fresh = await OperationsApp.over(storage);
      expect(await muster.text(renderInventory, INVENTORY)).toBe(await fresh.text(renderInventory, INVENTORY));
    }
  }
  for (const reader of open) while ((await reader.next()).done !== true);
}

async function createMemory(): Promise<OpenedStorage> {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  return { storage, close: () => storage.stop() };
}

describe.each([
  ['memory', createMemory, process.env.THOROUGH ? 40 : 20],
  ['SQLite', createSqlite, process.env.THOROUGH ? 15 : 8],
  ['MongoDB', createStorage, process.env.THOROUGH ? 6 : 3],
] as const)('an inventory over %s', (_name, create, numRuns) => {
  let opened: OpenedStorage;
  beforeAll(async () => {
    opened = await create();
  });
  afterAll(() => opened.close());

  it('is what is stored, also while others still read what was', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        await opened.storage.transfer.clear();
        await isNeverStale(opened.storage, given);
      }),
      { numRuns },
    );
  }, 120_000);
});
