import { endProcess } from '../test/servers/processes.ts';
import type { Benchmark } from './support/benchmark.ts';
import { timed } from './support/benchmark.ts';
import { hostnameOf, labelsOf } from './support/hosts.ts';
import { inTurn, type Kit } from './support/kit.ts';

const ROUNDS = 3;
const COUNT = 100_000;
const TARGET = 1.5;

/** Where the rows are: a file, or a server. */
interface Database {
  readonly settings: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly password?: string;
}

interface Side {
  readonly folder: string;
  readonly database: Database;
}

/** The rows of the table: a column each label, lists joined by blanks. */
const COLUMNS = ['host', ...Object.keys(labelsOf(0))];

function rowOf(index: number): readonly (string | number)[] {
  const values = Object.values(labelsOf(index)).map((value) => (typeof value === 'object' ? value.join(' ') : value));
  return [hostnameOf(index), ...values];
}

async function makeSqlite(path: string): Promise<void> {
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(path);
  database.exec(`CREATE TABLE hosts (${COLUMNS.map((name) => `"${name}"`).join(', ')})`);
  const insert = database.prepare(`INSERT INTO hosts VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  database.transaction(() => {
    for (let index = 0; index < COUNT; index++) insert.run(...rowOf(index));
  })();
  database.close();
}

/** A real server of the tests; or why there is none. */
async function makePostgresql(kit: Kit): Promise<{ readonly database: Database; stop(): Promise<void> } | string> {
  const { whyNot } = await import('../test/servers/install.ts');
  const { postgresql } = await import('../test/servers/postgresql.ts');
  const reason = await whyNot(postgresql);
  if (reason !== undefined) return reason;
  const folder = await kit.folder();
  const { chmod } = await import('node:fs/promises');
  await chmod(folder, 0o755);
  const { facts, processes } = await postgresql.start(folder);
  const { address = '', password = '', ca = '', port } = facts;
  const { default: pg } = await import('pg');
  const login = { host: '127.0.0.1', port: Number(port), user: 'postgres', password, database: 'cmdb' };
  const client = new pg.Client({ ...login, ssl: { rejectUnauthorized: false } });
  await client.connect();
  await client.query(`CREATE TABLE many (${COLUMNS.map((name) => `"${name}" text`).join(', ')})`);
  for (let from = 0; from < COUNT; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => rowOf(from + index).map(String));
    const columns = COLUMNS.map((_, column) => rows.map((row) => row[column]));
    await client.query(
      `INSERT INTO many SELECT * FROM unnest(${COLUMNS.map((_, column) => `$${column + 1}::text[]`).join(', ')})`,
      columns,
    );
  }
  await client.end();
  return {
    database: { address, password, settings: { table: 'many', ca_cert_chain: ca } },
    stop: async () => {
      await Promise.all(processes.map(endProcess));
    },
  };
}

interface Row {
  readonly [column: string]: unknown;
}

/** Rows of the bare driver, kept, and one transaction. */
async function save(folder: string, rows: readonly Row[]): Promise<void> {
  const { RawStore } = await import('./support/raw-store.ts');
  const store = new RawStore(`${folder}/floor.db`);
  store.save(
    rows.map((row) => {
      const { host, ...labels } = row;
      return { hostname: String(host), labels };
    }),
  );
  store.database.close();
}

async function sqliteFloor({ folder, database }: Side) {
  const { default: Sqlite } = await import('better-sqlite3');
  return timed(async () => {
    const source = new Sqlite(database.settings.path as string, { readonly: true });
    const rows = [...(source.prepare('SELECT * FROM hosts').iterate() as IterableIterator<Row>)];
    source.close();
    await save(folder, rows);
  });
}

/** The server's cursor, 1000 rows at a time, as the driver gives them. */
async function postgresqlFloor({ folder, database }: Side) {
  const { default: pg } = await import('pg');
  return timed(async () => {
    const client = new pg.Client({
      connectionString: database.address?.replace('@', `:${database.password}@`),
      ssl: { rejectUnauthorized: false },
    });
    await client.connect();
    await client.query('BEGIN READ ONLY; DECLARE c CURSOR FOR SELECT * FROM many');
    const rows: Row[] = [];
    for (;;) {
      const { rows: more } = await client.query<Row>('FETCH 1000 FROM c');
      if (more.length === 0) break;
      rows.push(...more);
    }
    await client.end();
    await save(folder, rows);
  });
}

async function prepare({ folder, database }: Side) {
  const { ACCOUNT, CALLER, openProduct } = await import('./support/product.ts');
  const { addAccount } = await import('../src/app/accounts/operations/add-account.ts');
  const app = await openProduct({ folder });
  const { settings, address, password } = database;
  const all = address === undefined ? settings : { ...settings, address };
  const account = { name: ACCOUNT, type: 'sql', settings: all, ...(password === undefined ? {} : { password }) };
  await app.executor.value(addAccount, { kind: 'value', value: account }, CALLER);
  await app.stop();
  return {};
}

async function product({ folder }: Side) {
  const { ACCOUNT, CALLER, openProduct } = await import('./support/product.ts');
  const { importAccount } = await import('../src/app/runs/import/operations/import-account.ts');
  const app = await openProduct({ folder });
  const figures = await timed(async () => {
    const { summary } = await app.executor.value(importAccount, { kind: 'value', value: { account: ACCOUNT } }, CALLER);
    if (summary.created + summary.unchanged !== COUNT) throw new Error(JSON.stringify(summary));
  });
  await app.stop();
  return figures;
}

async function measureDatabase(kit: Kit, name: string, floor: string, database: Database): Promise<void> {
  const sides: Side[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const side = { folder: await kit.folder(), database };
    sides.push(side);
    await kit.run('prepare', side);
  }
  const side = (round: number): Side => sides[round] as Side;
  const runs = await inTurn(ROUNDS, {
    floorFirst: (round) => kit.run(floor, side(round)),
    productFirst: (round) => kit.run('product', side(round)),
    floorAgain: (round) => kit.run(floor, side(round)),
    productAgain: (round) => kit.run('product', side(round)),
  });
  const figure = (run: keyof typeof runs, of: string): number => runs[run][of] ?? Number.NaN;
  const what = `${COUNT.toLocaleString('en')} rows of ${name}`;
  for (const [when, ours, theirs] of [
    ['first', 'productFirst', 'floorFirst'],
    ['unchanged', 'productAgain', 'floorAgain'],
  ] as const) {
    const target = TARGET;
    kit.row({ what: `${what}, ${when}`, product: figure(ours, 'ms'), floor: figure(theirs, 'ms'), unit: 'ms', target });
    const [cpu, floorCpu] = [figure(ours, 'cpuMs'), figure(theirs, 'cpuMs')];
    kit.row({ what: `${what}, ${when}, processor time`, product: cpu, floor: floorCpu, unit: 'ms' });
  }
  kit.row({ what: `${what}, memory`, product: figure('productFirst', 'rssMb'), unit: 'MB' });
}

export const benchmark: Benchmark = {
  title:
    'import of 100,000 rows of a database, 20 labels a host; floor: the bare driver’s cursor and one transaction of upserts',
  sides: { sqliteFloor, postgresqlFloor, prepare, product },
  async measure(kit) {
    const path = `${await kit.folder()}/hosts-to-import.db`;
    await makeSqlite(path);
    await measureDatabase(kit, 'SQLite', 'sqliteFloor', { settings: { path, table: 'hosts' } });
    const server = await makePostgresql(kit);
    if (typeof server === 'string') return kit.note(`PostgreSQL: not measured, because ${server}`);
    try {
      await measureDatabase(kit, 'PostgreSQL', 'postgresqlFloor', server.database);
    } finally {
      await server.stop();
    }
  },
};
