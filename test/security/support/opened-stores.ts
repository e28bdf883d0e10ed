import Database from 'better-sqlite3';
import type { Storage } from '../../../src/ports/index.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from '../../adapters/mongodb/harness.ts';
import { openSqlite, sqliteFolder } from '../../adapters/sqlite/sqlite-harness.ts';

/** A row of the audit log as somebody finds it who writes the database behind the service's back. */
export type AuditRowInDatabase = Record<string, unknown> & { readonly id: string };

/** A started storage, another one over the same data, and a way into the database that asks nobody. */
export interface OpenedDatabase {
  readonly storage: Storage;
  reopen(): Promise<Storage>;
  /** Puts what `change` makes of the rows of the audit log in their place. */
  changeAudit(change: (rows: AuditRowInDatabase[]) => AuditRowInDatabase[]): Promise<void>;
  chainState(): Promise<string | undefined>;
  setChainState(state: string | undefined): Promise<void>;
  close(): Promise<void>;
}

export const DATABASES: readonly (readonly [name: string, open: () => Promise<OpenedDatabase>])[] = [
  ['SQLite', openSqliteDatabase],
  ['MongoDB', openMongodbDatabase],
];

async function openSqliteDatabase(): Promise<OpenedDatabase> {
  const folder = await sqliteFolder();
  const opened = [await openSqlite(folder.path)];
  const raw = <T>(work: (database: Database.Database) => T): T => {
    const database = new Database(folder.path);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    storage: opened[0] as Storage,
    async reopen() {
      const storage = await openSqlite(folder.path);
      opened.push(storage);
      return storage;
    },
    async changeAudit(change) {
      raw((database) => {
        const rows = database.prepare('SELECT * FROM audit_entries ORDER BY seq').all() as AuditRowInDatabase[];
        const changed = change(structuredClone(rows));
        database.exec('DELETE FROM audit_entries');
        for (const row of changed) {
          const names = Object.keys(row);
          const places = names.map((name) => `@${name}`).join(', ');
          database.prepare(`INSERT INTO audit_entries (${names.join(', ')}) VALUES (${places})`).run(row);
        }
      });
    },
    chainState: async () =>
      raw((database) => database.prepare('SELECT state FROM audit_chain').pluck().get() as string | undefined),
    async setChainState(state) {
      raw((database) => {
        if (state === undefined) database.exec('DELETE FROM audit_chain');
        else database.prepare('INSERT OR REPLACE INTO audit_chain (id, state) VALUES (1, ?)').run(state);
      });
    },
    async close() {
      for (const storage of opened) await storage.stop();
      await folder.remove();
    },
  };
}

async function openMongodbDatabase(): Promise<OpenedDatabase> {
  const url = await freshUrl();
  const opened = [openStorage(url)];
  await opened[0]?.start();
  return {
    storage: opened[0] as Storage,
    async reopen() {
      const storage = openStorage(url);
      await storage.start();
      opened.push(storage);
      return storage;
    },
    changeAudit: (change) =>
      withRaw(url, async (db) => {
        const audit = db.collection<{ _id: string }>('audit');
        const docs = await audit.find({}, { sort: { seq: 1 } }).toArray();
        const changed = change(docs.map(({ _id, ...doc }) => ({ ...doc, id: _id })));
        await audit.deleteMany({});
        const made = changed.map(({ id, seq, mark, ...row }) => {
          return { _id: id, ...row, ...(seq === null || seq === undefined ? {} : { seq, mark }) };
        });
        if (made.length > 0) await audit.insertMany(made);
      }),
    chainState: () =>
      withRaw(url, async (db) => (await db.collection('auditChain').findOne())?.state as string | undefined),
    setChainState: (state) =>
      withRaw(url, async (db) => {
        const chain = db.collection<{ _id: string }>('auditChain');
        if (state === undefined) await chain.deleteMany({});
        else {
          const { end } = JSON.parse(state) as { end: { seq: number } };
          const record = { state, waiting: [], settled: { state, seq: end.seq } };
          await chain.updateOne({ _id: 'chain' }, { $set: record }, { upsert: true });
        }
      }),
    async close() {
      for (const storage of opened) await storage.stop();
      await dropDatabase(url);
    },
  };
}
