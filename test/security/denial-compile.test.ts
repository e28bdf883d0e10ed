import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { importRulesOfType } from '../../src/app/rules/operations/import-rules-of-type.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { countTurns } from '../support/event-loop-turns.ts';

/** Whoever changes one of many rules makes all of them be compiled anew: nobody else waits for that. */

const RULES = 2_500;

let app: OperationsApp;
const storage = memoryStorage()();

beforeEach(async () => {
  await storage.start();
  app = await OperationsApp.over(storage);
  const rules = Array.from({ length: RULES }, (_, index) => ({
    name: `rule ${index}`,
    enabled: true,
    condition_typ: 'all',
    conditions: [
      { match_type: 'tag', tag: 'role', tag_match: 'equal', value: `(web|db)${index}\\w*x{2,9}`, value_match: 'regex' },
    ],
    outcomes: [{ attribute_name: `attribute${index}`, attribute_value: `{{ role|upper }} of ${index}` }],
  }));
  await app.run(importRulesOfType, { rule_type: 'custom_attributes', rules });
}, 60_000);

afterEach(() => app.stop());

it('thousands of rules are compiled in turns with everybody else', async () => {
  const { evaluators } = app.app.services;
  // What is read of the store is read before.
  await evaluators.projects();
  const turns = countTurns();
  const [program, second] = await Promise.all([evaluators.forProject(null), evaluators.forProject(null)]);
  const during = turns.soFar();
  await turns.stop();
  expect(during).toBeGreaterThan(5);
  expect(program.errors()).toEqual([]);
  // Who asks meanwhile gets the same program.
  expect(second).toBe(program);
});
