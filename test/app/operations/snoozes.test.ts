import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { exportRules } from '../../../src/app/rules/operations/export-rules.ts';
import { endSnoozeOfProblem } from '../../../src/app/snoozes/operations/end-snooze.ts';
import { listSnoozes } from '../../../src/app/snoozes/operations/list-snoozes.ts';
import { snoozeProblem } from '../../../src/app/snoozes/operations/snooze-problem.ts';
import { OPERATOR, OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const person = (more: Partial<Caller>): Caller => ({ ...OPERATOR, name: 'ada', globalAdmin: false, ...more });

let muster: OperationsApp;
let now: Date;
beforeEach(async () => {
  now = new Date('2026-03-01T08:00:00Z');
  const clock = { now: () => now };
  const storage = memoryStorage()({ clock });
  await storage.start();
  muster = await OperationsApp.over(storage, {}, undefined, undefined, clock);
  await muster.addAccounts('red', 'blue');
});
afterEach(() => muster.stop());

const red = { kind: 'account', name: 'red', severity: 3, hours: 8 };
const known = async (caller?: Caller) =>
  (await muster.run(listSnoozes, {}, caller)).snoozes.map(({ kind, name, until, by }) => [kind, name, until, by]);

it('have a name and an end, and are audited', async () => {
  await muster.run(snoozeProblem, red, person({ roles: ['syncer'] }));
  expect(await known()).toEqual([['account', 'red', '2026-03-01T16:00:00.000Z', 'ada']]);
  await muster.run(snoozeProblem, { ...red, hours: 168 });
  expect(await known()).toEqual([['account', 'red', '2026-03-08T08:00:00.000Z', 'operator']]);
  const { entries } = await muster.run(listAudit, { operation: 'snoozes/snooze-problem' });
  expect(entries.map(({ actor, subject }) => [actor, subject])).toEqual([
    ['operator', 'account red'],
    ['ada', 'account red'],
  ]);
  now = new Date('2026-03-08T08:00:01Z');
  expect(await known()).toEqual([]);
  for (const hours of [0, 169]) {
    await expect(muster.run(snoozeProblem, { ...red, hours })).rejects.toEqual(code('invalid_input'));
  }
});

it('are ended by hand, and are no rules that anything lists', async () => {
  await muster.run(snoozeProblem, red);
  expect(JSON.stringify(await muster.read(exportRules, {}))).not.toContain('snooze');
  await muster.run(endSnoozeOfProblem, { kind: 'account', name: 'red' });
  expect(await known()).toEqual([]);
  await expect(muster.run(endSnoozeOfProblem, { kind: 'account', name: 'red' })).rejects.toEqual(code('not_found'));
});

it('are for those who may act on the subject', async () => {
  const blue = [(await muster.app.services.accounts.byName('blue'))?.id ?? ''];
  const syncer = person({ roles: ['syncer'] });
  await expect(muster.run(snoozeProblem, red, person({ roles: ['syncer'], scope: blue }))).rejects.toEqual(
    code('not_found'),
  );
  await expect(muster.run(snoozeProblem, red, person({ roles: ['rules'] }))).rejects.toEqual(code('role_missing'));
  await expect(muster.run(snoozeProblem, red, person({ roles: ['objects'] }))).rejects.toEqual(code('role_missing'));
  await expect(muster.run(snoozeProblem, red, person({ roles: ['syncer'], readOnly: true }))).rejects.toEqual(
    code('read_only'),
  );
  const system = { kind: 'system', name: 'disk', severity: 3, hours: 1 };
  await expect(muster.run(snoozeProblem, system, syncer)).rejects.toEqual(code('role_missing'));
  await muster.run(snoozeProblem, system);
  await muster.run(snoozeProblem, red);
  expect((await known()).length).toBe(2);
  expect((await known(syncer)).map(([, name]) => name)).toEqual(['red']);
  expect(await known(person({ roles: ['syncer'], scope: blue }))).toEqual([]);
});
