import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqliteStorage } from '../../../src/adapters/storage/sqlite/storage.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import { activeHosts, actor, minute, namesOf, red, ruleId, save, saveNames } from '../../../src/testing/samples.ts';
import { countTurns } from '../../support/event-loop-turns.ts';
import { openSqlite, type SqliteFolder, sqliteFolder } from './sqlite-harness.ts';

let folder: SqliteFolder;
let storage: SqliteStorage;
beforeEach(async () => {
  folder = await sqliteFolder();
  storage = await openSqlite(folder.path);
});
afterEach(async () => {
  await storage.stop();
  await folder.remove();
});

function logEntry(id: number) {
  return { id: ruleId(id), at: minute(1), message: '', source: 'test', details: [], hasError: false };
}

describe('sqlite: writer thread', () => {
  it('writes what waits in one transaction', async () => {
    await save(storage.hosts, { warm: {} });
    const before = (await storage.revisions()).get('hosts') ?? 0;
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, n) => save(storage.hosts, { [`h${n}`]: {} })));
    expect(outcomes.flat()).toEqual(Array.from({ length: 100 }, () => 'created'));
    expect((await storage.revisions()).get('hosts')).toBe(before + 1);
  });

  it('lets one failing call not take others of its group down', async () => {
    await storage.logs.append(logEntry(1));
    const results = await Promise.allSettled([
      save(storage.hosts, { first: { n: 1 } }),
      storage.logs.append(logEntry(1)),
      save(storage.hosts, { second: { n: 1 }, first: { n: 2 } }),
      storage.audit.append([
        {
          ...logEntry(2),
          actor: 'a',
          entrance: 'cli',
          address: '',
          operation: '',
          subject: '',
          outcome: '',
          requestId: '',
          details: '',
          link: null,
        },
      ]),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'internal' } });
    expect(await namesOf(storage.hosts.page({ filter: activeHosts, offset: 0, limit: 9 }))).toEqual([
      'first',
      'second',
    ]);
    expect((await storage.hosts.get('first', null))?.labels.value).toEqual({ n: 2 });
    expect((await storage.audit.latest({ limit: 9 })).length).toBe(1);
    const problems: string[] = [];
    for await (const { subject } of storage.check({ fix: false })) problems.push(subject);
    expect(problems).toEqual([`account ${red.id}`]);
  });

  it('refuses writes when too many wait, and takes them again afterwards', async () => {
    const small = await openSqlite(folder.path, { maxQueuedWrites: 5 });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => save(small.hosts, { [`h${n}`]: {} })),
    );
    expect(results.filter((result) => result.status === 'fulfilled').length).toBe(5);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 1 } });
    expect(await save(small.hosts, { later: {} })).toEqual(['created']);
    await small.stop();
  });

  it('bounds what waits by size, but takes a single large write', async () => {
    const small = await openSqlite(folder.path, { maxQueuedSize: 1000 });
    const large = { text: 'x'.repeat(5000) };
    const [first, second] = await Promise.allSettled([
      save(small.hosts, { a: large }),
      save(small.hosts, { b: large }),
    ]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { code: 'unavailable' } });
    await small.stop();
  });

  it('serves other threads of the process through a port', async () => {
    const other = await openSqlite(folder.path, { writer: storage.writerPort() });
    const [left, right] = await Promise.all([
      Promise.all(Array.from({ length: 50 }, (_, n) => save(storage.hosts, { [`h${n}`]: {} }))),
      Promise.all(Array.from({ length: 50 }, (_, n) => save(other.hosts, { [`h${n}`]: {} }))),
    ]);
    expect([...left, ...right].flat().sort()).toEqual([
      ...Array.from({ length: 50 }, () => 'created'),
      ...Array.from({ length: 50 }, () => 'unchanged'),
    ]);
    const third = await openSqlite(folder.path, { writer: other.writerPort() });
    expect(await save(third.hosts, { third: {} })).toEqual(['created']);
    await third.stop();
    await other.stop();
    expect(await save(storage.hosts, { after: {} })).toEqual(['created']);
  });

  it('tells the other threads when the writer has gone', async () => {
    const other = await openSqlite(folder.path, { writer: storage.writerPort() });
    await save(other.hosts, { a: {} });
    await storage.stop();
    await expect(save(other.hosts, { b: {} })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await other.hosts.get('a', null))?.hostname).toBe('a');
    await other.stop();
    await storage.start();
    expect(await save(storage.hosts, { b: {} })).toEqual(['created']);
  });

  it('tells a thread whose port never had a writer', async () => {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    const lost = await openSqlite(folder.path, { writer: port1 });
    await expect(save(lost.hosts, { b: {} })).rejects.toMatchObject({ code: 'unavailable' });
    await lost.stop();
  });

  it('keeps the event loop free while a large call is written', async () => {
    await saveNames(storage.hosts, ['warm']);
    const entries = Array.from({ length: 10_000 }, (_, n) => ({
      hostname: `host-${n}`,
      labels: StoredJson.ofText<Record<string, string>>(`{"n":"${n}","text":"${'x'.repeat(500)}"}`),
    }));
    const turns = countTurns();
    await storage.hosts.saveLabels({ account: red, entries, at: minute(1), actor });
    // Written in this thread it would be one turn or two.
    expect(turns.soFar()).toBeGreaterThan(50);
    await turns.stop();
  });
});
