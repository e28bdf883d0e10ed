import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Storage } from '../../../src/ports/index.ts';
import { minute, ruleId, save, saveNames } from '../../../src/testing/samples.ts';
import { openNoted, type SentCommand } from './commands.ts';
import { dropDatabase, freshUrl, withRaw } from './harness.ts';

/** More than two rounds of deleting. */
const MANY = 2_100;
const LATER = minute(100);
const PLAN = ruleId(9);

let url: string;
let storage: Storage;
let sent: SentCommand[];

beforeEach(async () => {
  url = await freshUrl();
  ({ storage, sent } = await openNoted(url));
});

afterEach(async () => {
  await storage.stop();
  await dropDatabase(url);
});

/** Statements of writes that may meet any number of documents, which no driver tries again and which may outlast an answer. */
function unbounded(): readonly string[] {
  return sent.flatMap(({ name, command }) => {
    const collection = String(command[name]);
    if (name === 'delete') {
      return command.deletes.flatMap(({ q, limit }: { q: object; limit: number }) =>
        limit === 1 ? [] : `delete ${collection} ${JSON.stringify(q)}`,
      );
    }
    if (name !== 'update') return [];
    return command.updates.flatMap(({ q, multi }: { q: object; multi?: boolean }) =>
      multi === true ? `update ${collection} ${JSON.stringify(q)}` : [],
    );
  });
}

const calls: Record<string, () => Promise<unknown>> = {
  'history and feed are pruned': () => storage.history.prune(LATER),
  'marks of an account go': () => storage.marks.clear('a'),
  'ownership of an account goes': () => storage.ownership.clear('a'),
  'logs are pruned': () => storage.logs.prune(LATER),
  'audit entries without a chain are pruned': () => storage.audit.pruneUnlinked(LATER),
  'sent messages are pruned': () => storage.outbox.prune(LATER),
  'runs of playbooks are pruned': () => storage.playbooks.prune(LATER),
  'everything goes': () => storage.transfer.clear(),
};

it.each(Object.entries(calls))('no single write meets any number of documents where %s', async (_, call) => {
  await saveNames(storage.hosts, ['alpha', 'beta']);
  await save(storage.hosts, { alpha: { n: 1 } }, { at: minute(1) });
  await storage.logs.append({
    id: 'a'.repeat(24),
    at: minute(1),
    message: 'm',
    source: 's',
    details: [],
    hasError: false,
  });
  await storage.logs.append({
    id: 'b'.repeat(24),
    at: minute(2),
    message: 'm',
    source: 's',
    details: [],
    hasError: false,
  });
  sent.splice(0);
  await call();
  expect(unbounded().filter((statement) => !statement.startsWith('delete control'))).toEqual([]);
});

it('no single write meets all entries of a plan that goes', async () => {
  const owned = { holder: 'n1', leaseMs: 1, isExclusive: false };
  const made = { accountId: 'a', account: 'out', madeBy: 'ada', madeAt: minute(0), basis: { hosts: 1, rules: 'r' } };
  await storage.plans.begin({ id: PLAN, ...made, ...owned });
  await withRaw(url, (db) =>
    db.collection('planEntries').insertMany(Array.from({ length: MANY }, (_, number) => ({ plan: PLAN, number }))),
  );
  sent.splice(0);
  await expect.poll(() => storage.plans.remove(PLAN)).toBe(true);
  expect(unbounded().filter((statement) => !statement.startsWith('update plans'))).toEqual([]);
  expect(await withRaw(url, (db) => db.collection('planEntries').countDocuments())).toBe(0);
});

it('history is pruned however long it is, and what is younger stays', async () => {
  const change = (seq: number, at: Date) => {
    return {
      hostname: 'alpha',
      seq,
      prev: null,
      at,
      actor: { kind: 'user', name: 'ada' },
      kind: 'labels',
      changes: '[]',
    };
  };
  await withRaw(url, (db) =>
    db
      .collection('history')
      .insertMany([...Array.from({ length: MANY }, (_, seq) => change(seq, minute(1))), change(MANY, minute(3))]),
  );
  sent.splice(0);
  expect(await storage.history.prune(minute(2))).toBe(MANY);
  const rounds = sent
    .filter(({ command }) => command.delete === 'history')
    .map(({ command }) => command.deletes.length);
  expect(Math.max(...rounds)).toBeLessThanOrEqual(1_000);
  expect(await withRaw(url, (db) => db.collection('history').countDocuments())).toBe(1);
});
