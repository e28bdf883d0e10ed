import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { createExecutor, type OperationInput, OperationLost } from '../../../src/app/kernel/executor.ts';
import type { AnyOperation } from '../../../src/app/kernel/operation.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { defineOperation } from '../../../src/app/rules/services.ts';
import { AppError, type Storage } from '../../../src/ports/index.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const CALLER = localOperator({ name: 'olga', path: 'test', requestId: 'r1', entrance: 'rest' });
const IMPORT: OperationInput = {
  kind: 'json',
  body: Buffer.from('[]'),
  members: { rule_type: 'custom_attributes' },
  bodyMember: 'rules',
};

let storage: Storage;
let operations: OperationsApp;

beforeEach(async () => {
  storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  operations = await OperationsApp.over(storage);
});

afterEach(async () => {
  await operations.stop();
  await storage.stop();
});

/** Runs an operation over a runner that fails in that way, and answers the failure and what the audit log has of it. */
async function failElsewhere(failure: Error, operation: AnyOperation, input: OperationInput) {
  const executor = createExecutor({ services: operations.app.services, heavy: { run: () => Promise.reject(failure) } });
  const error = await executor.value(operation as never, input, CALLER).catch((thrown: unknown) => thrown);
  const { entries } = await operations.run(listAudit, { actor: 'olga' });
  return { error, entries };
}

describe('an operation that says on what it acts', () => {
  const asking: AnyOperation = defineOperation({
    name: 'tests/ask',
    title: 'Ask',
    description: 'Asks.',
    effect: 'write',
    roles: ['objects'],
    weight: 'light',
    at: {},
    input: z.object({ id: z.string(), works: z.boolean().optional() }),
    output: z.object({ works: z.boolean() }),
    subject: ({ id }) => id,
    hasFailed: ({ works }) => !works,
    async run({ works }, { actsOn }) {
      actsOn('dc');
      if (works === undefined) throw new AppError('conflict', 'meanwhile');
      return { works };
    },
  }) as never;

  it.each(['value', 'json'] as const)(
    'is audited by that, whether it succeeds or fails, asked for its %s',
    async (form) => {
      const executor = createExecutor({ services: operations.app.services });
      for (const works of [undefined, false, true]) {
        await executor[form](asking as never, { kind: 'value', value: { id: '1', works } }, CALLER).catch(
          () => undefined,
        );
      }
      const { entries } = await operations.run(listAudit, { actor: 'olga' });
      expect(entries.map(({ subject, outcome }) => [subject, outcome])).toEqual([
        ['dc', 'done'],
        ['dc', 'failed'],
        ['dc', 'conflict'],
      ]);
    },
  );
});

describe('a dry run of an operation that writes', () => {
  const trying = defineOperation({
    name: 'tests/try',
    title: 'Try',
    description: 'Tries.',
    effect: 'destructive',
    roles: ['objects'],
    weight: 'light',
    at: {},
    input: z.object({ dry_run: z.boolean().default(false), works: z.boolean() }),
    output: z.object({}),
    async run({ works }) {
      if (!works) throw new AppError('conflict', 'meanwhile');
      return {};
    },
  });

  it('is not in the audit log as a write, whether it succeeds, fails or is lost elsewhere; the real run is', async () => {
    const executor = createExecutor({ services: operations.app.services });
    for (const dry_run of [true, false]) {
      for (const works of [true, false]) {
        await executor
          .value(trying as never, { kind: 'value', value: { dry_run, works } }, CALLER)
          .catch(() => undefined);
      }
    }
    const lost = new OperationLost(new AppError('cancelled', 'cancelled'));
    const { entries } = await failElsewhere(
      lost,
      { ...trying, weight: 'heavy' },
      {
        kind: 'json',
        body: Buffer.from('{"works":true,"dry_run":true}'),
        members: {},
      },
    );
    expect(entries.map(({ outcome }) => outcome)).toEqual(['conflict', 'done']);
  });
});

describe('a heavy operation that is run elsewhere', () => {
  it('and never got there is audited once, with its outcome', async () => {
    const reason = new AppError('unavailable', 'too much heavy work is waiting; try again', { retryAfterSeconds: 2 });
    const { error, entries } = await failElsewhere(new OperationLost(reason), importRulesOfType as never, IMPORT);
    expect(error).toBe(reason);
    expect(entries).toEqual([
      expect.objectContaining({
        actor: 'olga',
        operation: 'rules/import-rules-of-type',
        subject: 'custom_attributes',
        outcome: 'unavailable',
        request_id: 'r1',
      }),
    ]);
  });

  it('and fails there is left to the audit trail there', async () => {
    const failure = new AppError('invalid_input', 'wrong');
    const { error, entries } = await failElsewhere(failure, importRulesOfType as never, IMPORT);
    expect([error, entries]).toEqual([failure, []]);
  });

  it('and only reads is in no audit log', async () => {
    const lost = new OperationLost(new AppError('unavailable', 'busy'));
    const input: OperationInput = { kind: 'value', value: { provider: 'automation' } };
    const { error, entries } = await failElsewhere(lost, renderInventory as never, input);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(entries).toEqual([]);
  });
});
