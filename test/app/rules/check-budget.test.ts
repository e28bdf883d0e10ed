import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { OperationsApp } from '../operations/operations-app.ts';

let muster: OperationsApp;

beforeEach(async () => {
  const storage = memoryStorage()();
  await storage.start();
  muster = await OperationsApp.over(storage);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await muster.stop();
});

const rules = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `rule ${index}`,
    enabled: false,
    condition_typ: 'all',
    conditions: [{ match_type: 'host', hostname: 'web.*', hostname_match: 'regex', hostname_match_negate: false }],
    outcomes: [],
  }));
const stored = async () => (await muster.storage.rules.counts()).get('custom_attributes') ?? 0;

/** Each look at the clock finds it so much later. */
function slowClock(milliseconds: number): void {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += milliseconds));
}

it.each([
  ['a bundle', importRules, { rules: { custom_attributes: rules(200), automation_customvars: rules(200) } }],
  ['a list of one type', importRulesOfType, { rule_type: 'custom_attributes', rules: rules(400) }],
  ['a dry run', importRules, { rules: { custom_attributes: rules(400) }, dry_run: true }],
] as const)('%s whose documents take too long together is refused as a whole', async (_, operation, input) => {
  slowClock(100);
  await expect(muster.run(operation as typeof importRules, input)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('longer than 60 seconds to be checked, and none was stored'),
  });
  expect(await stored()).toBe(0);
});

it('what takes a while is stored', async () => {
  slowClock(100);
  await muster.run(importRules, { rules: { custom_attributes: rules(100) } });
  expect(await stored()).toBe(100);
});
