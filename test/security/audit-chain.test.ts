import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { backUp } from '../../src/app/backups/operations/back-up.ts';
import { restoreBackup } from '../../src/app/backups/operations/restore-backup.ts';
import { AuditForwarding } from '../../src/app/journal/audit/forwarding.ts';
import { PUT_BACK } from '../../src/app/journal/audit/put-back.ts';
import { beginAuditChain } from '../../src/app/maintenance/operations/begin-audit-chain.ts';
import { runMaintenance } from '../../src/app/maintenance/operations/run-maintenance.ts';
import { checkStorage } from '../../src/app/storage-tools/operations/check-storage.ts';
import { addUser } from '../../src/app/users/operations/add-user.ts';
import { changeUser } from '../../src/app/users/operations/change-user.ts';
import type { AuditSink, Storage } from '../../src/ports/index.ts';
import { OperationsApp, PASSWORD } from '../app/operations/operations-app.ts';
import { type AuditRowInDatabase, DATABASES, type OpenedDatabase } from './support/opened-stores.ts';

const OTHER_KEY = '99'.repeat(32);

/** What `muster storage check` says about the audit log. */
async function problemsOf(app: OperationsApp): Promise<readonly string[]> {
  const { problems } = (await app.read(checkStorage, {})) as { problems: { subject: string; message: string }[] };
  return problems.filter(({ subject }) => subject === 'audit log').map(({ message }) => message);
}

/** Leaves eight entries: a user that is made and changed, each with what changed in an entry of its own. */
async function work(app: OperationsApp, name = 'olga'): Promise<void> {
  await app.run(addUser, { name, password: PASSWORD, roles: ['objects'] });
  for (const role of ['rules', 'syncer', 'objects']) {
    await app.run(changeUser, { name, roles: [role] });
  }
  await app.app.services.audit.settled();
}

const told = expect.stringMatching(/^entry \d+ records that the log was set back.*it had reached entry \d+/);

describe.each(DATABASES)('the audit log in %s', (_name, open) => {
  let database: OpenedDatabase;
  let app: OperationsApp;
  /** Each test leaves the log as it was before. */
  let rows: AuditRowInDatabase[] = [];
  let state: string | undefined;
  beforeAll(async () => {
    database = await open();
    app = await OperationsApp.over(database.storage);
    await work(app);
    await database.changeAudit((found) => {
      rows = structuredClone(found);
      return found;
    });
    state = await database.chainState();
    await app.stop();
  });
  // A process of its own: one that saw the log of an earlier test would tell that it was put back.
  beforeEach(async () => {
    app = await OperationsApp.over(database.storage);
  });
  afterEach(async () => {
    await app.stop();
    await putBack();
  });
  afterAll(() => database.close());

  /** As it was before the test, by the back door. */
  async function putBack(): Promise<void> {
    await app.app.services.audit.settled();
    await database.changeAudit(() => rows);
    await database.setChainState(state);
  }

  it('is whole while nobody but the service writes it, from any number of processes at once', async () => {
    const others = await Promise.all([1, 2].map(async () => OperationsApp.over(await database.reopen())));
    await Promise.all([app, ...others].map((each, n) => work(each, `user${n}`)));
    for (const each of [app, ...others]) expect(await problemsOf(each)).toEqual([]);
    const entries = await database.storage.audit.latest({ limit: 100 });
    expect(entries.filter(({ operation }) => operation.startsWith('users/'))).toHaveLength(32);
    for (const each of others) await each.stop();
  });

  const attacks: Readonly<
    Record<string, readonly [attack: (rows: AuditRowInDatabase[]) => AuditRowInDatabase[], found: RegExp]>
  > = {
    'a row in the middle is removed': [(rows) => rows.filter(({ seq }) => seq !== 4), /^entry 4 is missing/],
    'the last rows are removed': [(rows) => rows.slice(0, -3), /^entries 6 to 8 are missing/],
    'the first rows are removed': [(rows) => rows.slice(2), /^entries 1 to 2 are missing/],
    'all rows are removed': [() => [], /^entries 1 to 8 are missing/],
    'who did it is changed': [
      (rows) => rows.map((row) => (row.seq === 3 ? { ...row, actor: 'somebody' } : row)),
      /^entry 3 was changed.*somebody/,
    ],
    'what came of it is changed': [
      (rows) => rows.map((row) => (row.seq === 8 ? { ...row, outcome: 'read_only' } : row)),
      /^entry 8 was changed/,
    ],
    'two rows change places': [
      (rows) => rows.map((row) => ({ ...row, ...pick(rows, row.seq === 2 ? 5 : row.seq === 5 ? 2 : Number(row.seq)) })),
      /^entry 2 was changed, inserted or moved/,
    ],
    'a row is put in without a mark': [
      (rows) => [...rows, { ...(rows[7] as AuditRowInDatabase), id: 'e'.repeat(24), seq: null, mark: null }],
      /^an entry was inserted/,
    ],
    'a row is put in at the end with a mark of another': [
      (rows) => [...rows, { ...(rows[7] as AuditRowInDatabase), id: 'e'.repeat(24), seq: 99 }],
      /^entry 99 was inserted after the end/,
    ],
    'a row is put in before the beginning': [
      (rows) => [...rows, { ...(rows[7] as AuditRowInDatabase), id: 'e'.repeat(24), seq: -5 }],
      /^entry -5 was inserted before the beginning/,
    ],
    'a row is taken out and the others close up': [
      (rows) => rows.slice(0, 3).concat(rows.slice(4).map((row) => ({ ...row, seq: Number(row.seq) - 1 }))),
      /^entry 4 was changed, inserted or moved/,
    ],
    'all rows are made older than the chain': [
      (rows) => rows.slice(1).map((row) => ({ ...row, seq: null, mark: null })),
      /^an entry was inserted|entries 1 to 8 are missing/,
    ],
  };

  it.each(Object.entries(attacks))('tells when %s', async (_what, [attack, found]) => {
    await database.changeAudit(attack);
    expect(await problemsOf(app)).toContainEqual(expect.stringMatching(found));
  });

  it('tells when its record is made anew, put back, or taken away', async () => {
    const old = (await database.chainState()) ?? '';
    await work(app, 'nina');
    await database.setChainState(old);
    expect(await problemsOf(app)).toContainEqual(expect.stringMatching(/^entry \d+ was inserted after the end/));
    const record = JSON.parse(old) as { start: object; end: object };
    await database.setChainState(JSON.stringify({ ...record, start: record.end }));
    expect(await problemsOf(app)).toContainEqual(expect.stringMatching(/changed by something other than Muster/));
    await database.setChainState(undefined);
    expect(await problemsOf(app)).toContainEqual(expect.stringMatching(/^the record of its chain is gone/));
  });

  it('tells when an earlier state of the whole log is put back, also long after, also on another node', async () => {
    const other = await OperationsApp.over(await database.reopen());
    await work(app, 'petra');
    await work(other, 'peter');
    expect(await problemsOf(app)).toEqual([]);
    await putBack();
    // Somebody writes on with what knows nothing, so that the log is as long as it was.
    const fresh = await OperationsApp.over(await database.reopen());
    await fresh.run(changeUser, { name: 'olga', roles: ['all'] });
    expect(await problemsOf(fresh)).toEqual([]);
    await app.run(changeUser, { name: 'olga', roles: ['rules'] });
    expect(await problemsOf(app)).toEqual([told]);
    expect(await problemsOf(fresh)).toContainEqual(told);
    // What the other node knew is not there either, and both go on in one chain.
    await other.app.services.audit.chain.look();
    await work(fresh, 'paula');
    const later = await OperationsApp.over(await database.reopen());
    expect(await problemsOf(later)).toEqual([told, told]);
    for (const each of [other, fresh, later]) await each.stop();
  });

  it('tells when all of it is taken away, and goes on', async () => {
    await app.app.services.audit.chain.look();
    await database.changeAudit(() => []);
    await database.setChainState(undefined);
    await app.run(changeUser, { name: 'olga', roles: ['rules'] });
    expect(await problemsOf(app)).toEqual([told]);
  });

  it('goes on being kept, outside of the chain, by who has not its key, and the check tells', async () => {
    const intruder = await OperationsApp.over(await database.reopen(), { INSTANCE_KEY: OTHER_KEY });
    await intruder.run(changeUser, { name: 'olga', roles: ['all'] });
    await intruder.app.services.audit.settled();
    expect((await database.storage.audit.latest({ limit: 1 }))[0]).toMatchObject({ operation: 'users/change-user' });
    const outside = expect.stringMatching(/^an entry was inserted, or written by a process without/);
    expect(await problemsOf(app)).toEqual([outside, outside]);
    expect(await problemsOf(intruder)).toEqual([expect.stringMatching(/nothing was verified$/)]);
    await intruder.stop();
  });

  it('goes on in a new chain where the key is lost, and only then', async () => {
    await expect(app.run(beginAuditChain, {})).rejects.toThrow('can be continued; nothing was changed');
    await app.app.services.audit.settled();
    const heir = await OperationsApp.over(await database.reopen(), { INSTANCE_KEY: OTHER_KEY });
    await heir.run(changeUser, { name: 'olga', roles: ['all'] });
    await heir.app.services.audit.settled();
    expect(await problemsOf(heir)).toEqual([expect.stringMatching(/begin-audit-chain.*nothing was verified$/)]);
    // Refused writes are entries too.
    expect(await heir.run(beginAuditChain, {})).toEqual({ status: 'begun', unverifiable: 9 });
    expect(await problemsOf(heir)).toEqual([]);
    await work(heir, 'nora');
    const later = await OperationsApp.over(await database.reopen(), { INSTANCE_KEY: OTHER_KEY });
    await work(later, 'norbert');
    for (const each of [heir, later]) expect(await problemsOf(each)).toEqual([]);
    await database.changeAudit((rows) => rows.filter(({ seq }) => seq !== 12));
    expect(await problemsOf(later)).toContainEqual('entry 12 is missing');
    for (const each of [heir, later]) await each.stop();
  });

  it('loses what was left of a chain without its key by maintenance, when its time has come', async () => {
    const config = { AUDIT_DAYS: 30, INSTANCE_KEY: OTHER_KEY };
    const heir = await OperationsApp.over(await database.reopen(), config);
    await heir.run(beginAuditChain, {});
    await heir.stop();
    const later = await appAt(database.storage, 29, config);
    expect(await later.run(runMaintenance, {})).toMatchObject({ audit: 0 });
    await later.stop();
    const late = await appAt(database.storage, 31, config);
    expect((await late.run(runMaintenance, {})).audit).toBeGreaterThanOrEqual(8);
    expect(await problemsOf(late)).toEqual([]);
    await late.stop();
  });

  it('goes on in a new chain where its record is gone', async () => {
    await database.setChainState(undefined);
    await app.run(changeUser, { name: 'olga', roles: ['all'] });
    expect(await app.run(beginAuditChain, {})).toMatchObject({ unverifiable: 8 });
    expect(await problemsOf(app)).toEqual([]);
  });

  it('may lose its beginning by maintenance, and by nobody else', async () => {
    const config = { AUDIT_DAYS: 30 };
    const later = await appAt(database.storage, 31, config);
    await later.run(addUser, { name: 'uma', password: PASSWORD, roles: [] });
    const stolen = (await database.chainState()) ?? '';
    const report = await later.run(runMaintenance, {});
    expect(report.audit).toBe(8);
    expect(await problemsOf(later)).toEqual([]);
    await later.run(changeUser, { name: 'uma', roles: ['rules'] });
    expect(await problemsOf(later)).toEqual([]);
    await database.changeAudit((rows) => rows.slice(1));
    expect(await problemsOf(later)).toContainEqual(expect.stringMatching(/^entry 9 is missing/));
    await database.setChainState(stolen);
    expect(await problemsOf(later)).not.toEqual([]);
    await later.stop();
  });

  it('is whole in a backup that is restored elsewhere with the same key, and goes on there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-audit-'));
    const file = join(folder, 'a.backup');
    await app.run(backUp, { file });
    const storage = memoryStorage()();
    await storage.start();
    const restored = await OperationsApp.over(storage);
    await restored.run(restoreBackup, { file });
    await restored.app.services.audit.settled();
    expect(await problemsOf(restored)).toEqual([]);
    const seqs: (number | undefined)[] = [];
    for await (const batch of storage.audit.linked({ after: 0, batchSize: 9 }))
      seqs.push(...batch.map(({ link }) => link?.seq));
    expect(seqs.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await restored.stop();
    await storage.stop();
    await rm(folder, { recursive: true });
  });
});

describe.each(DATABASES)('an audit log in %s that is forwarded', (_name, open) => {
  it('tells when it goes less far than that, and forwards what is new under old numbers', async () => {
    const database = await open();
    let app = await OperationsApp.over(database.storage);
    const got: (readonly [number | undefined, string])[] = [];
    const send: AuditSink['send'] = async (entries) => {
      for (const { link, operation } of entries) got.push([link?.seq, operation]);
    };
    let turn = 0;
    const forward = async (by: OperationsApp) => {
      const { audit, logger } = by.app.services;
      const now = new Date(Date.now() + ++turn * 10_000);
      const { audit: store, access } = database.storage;
      const sinks = async () => [{ name: 'tower', send }];
      const deps = { store, access, chain: audit.chain, sinks, clock: { now: () => now }, logger };
      await new AuditForwarding(deps).run(new AbortController().signal);
    };
    await work(app);
    await forward(app);
    let rows: AuditRowInDatabase[] = [];
    await database.changeAudit((found) => {
      rows = structuredClone(found);
      return found;
    });
    const state = await database.chainState();
    await work(app, 'frida');
    await forward(app);
    await forward(app);
    expect(got.map(([seq]) => seq)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
    await app.stop();
    await database.changeAudit(() => rows);
    await database.setChainState(state);
    app = await OperationsApp.over(database.storage);
    expect(await problemsOf(app)).toContainEqual(expect.stringMatching(/^it was forwarded to tower up to entry 16/));
    // As many entries as were sent, made while nothing of it runs.
    await work(app, 'felix');
    await app.run(changeUser, { name: 'felix', roles: ['all'] });
    await app.app.services.audit.settled();
    got.length = 0;
    await forward(app);
    // The storage was checked, felix was made and changed.
    expect(got.slice(8)).toHaveLength(12);
    expect(got.slice(8).map(([seq]) => seq)).toEqual(Array.from({ length: 12 }, (_, n) => n + 9));
    expect(got.at(-1)).toEqual([20, PUT_BACK]);
    expect(await problemsOf(app)).toEqual([told]);
    await forward(app);
    expect(got.filter(([, operation]) => operation === PUT_BACK)).toHaveLength(1);
    await app.stop();
    await database.close();
  });
});

describe('an audit log from before there was a chain', () => {
  it('stands before it: the chain begins behind, old rows may go and none may come', async () => {
    const storage = memoryStorage()();
    await storage.start();
    const old = {
      actor: 'ada',
      entrance: 'cli',
      address: '',
      operation: 'o',
      subject: '',
      outcome: 'done',
      details: '',
    };
    const entry = (n: number) => ({ ...old, id: `${n}`.repeat(24), at: new Date(n), requestId: '', link: null });
    await storage.audit.append([entry(1), entry(2), entry(3)]);
    const app = await OperationsApp.over(storage);
    await work(app);
    expect(await problemsOf(app)).toEqual([]);
    await storage.audit.pruneUnlinked(new Date(2));
    expect(await problemsOf(app)).toEqual([]);
    await storage.audit.append([entry(4), entry(5)]);
    expect(await problemsOf(app)).toEqual([expect.stringMatching(/^1 entry from before .* was inserted later/)]);
    await app.stop();
    await storage.stop();
  });
});

function pick(rows: readonly AuditRowInDatabase[], seq: number): AuditRowInDatabase {
  const found = rows.find((row) => row.seq === seq) as AuditRowInDatabase;
  const { seq: _seq, mark: _mark, ...content } = found;
  return content as AuditRowInDatabase;
}

/** The application so many days later. */
async function appAt(storage: Storage, days: number, config: object): Promise<OperationsApp> {
  const clock = { now: () => new Date(Date.now() + days * 86_400_000) };
  return OperationsApp.over(storage, config, undefined, undefined, clock);
}
