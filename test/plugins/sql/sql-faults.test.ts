import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  describeSourceFaults,
  type FaultySource,
  type SourceFault,
} from '../../../src/testing/source-faults.contract.ts';
import { temporaryFile, temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { IMPORTED } from '../faults/imported-over.ts';
import { type Answered, fakeSqlServer } from './fake-sql-server.ts';
import { ACCOUNT, type Fields, sqlSource } from './support.ts';

const MANY = 200_000;
const LARGE = ['large.example.org', 'x'.repeat(10_000_000)] as const;

type Row = readonly [host: string, remark: string];

const named = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `web${index + 1}.example.org`);

const rowsOf = (hostnames: readonly string[]): readonly Row[] => hostnames.map((name) => [name, 'of a test']);

async function databaseOf(rows: readonly Row[]): Promise<string> {
  const path = join(await temporaryFolder(), 'hosts.db');
  const database = new Database(path);
  database.exec('CREATE TABLE hosts (host TEXT, remark TEXT)');
  const insert = database.prepare('INSERT INTO hosts VALUES (?, ?)');
  database.transaction(() => {
    for (const row of rows) insert.run(...row);
  })();
  database.close();
  return path;
}

/** A file of SQLite. */
async function file(fault: SourceFault): Promise<FaultySource | undefined> {
  const hostnames = named(fault === 'many records' ? MANY : 25);
  const rows = rowsOf(hostnames);
  const at = (path: string, fields: Fields = { table: 'hosts' }): FaultySource => ({
    source: sqlSource({ engine: 'sqlite', path, ...fields }),
    hostnames,
  });
  switch (fault) {
    case 'refused connection':
      return at('/nonexistent/hosts.db');
    case 'right missing':
      return at(await temporaryFolder());
    case 'cut off': {
      const path = await databaseOf(rowsOf(named(5_000)));
      await truncate(path, 40_000);
      return at(path);
    }
    case 'invalid text':
      return at(await temporaryFile('this is no database, and has been none for a long time'));
    case 'empty answer':
      return at(await temporaryFile(''));
    case 'half of the records':
      return at(await databaseOf(rows.slice(0, 12)));
    case 'duplicate names':
      return at(await databaseOf([...rows, ...rows.slice(0, 3)]));
    case 'record of 10 MB':
      return at(await databaseOf([LARGE, ...rows]));
    case 'many records':
      return at(await databaseOf(rows));
    // A file is one part, on this machine, that nobody logs in for.
    default:
      return undefined;
  }
}

/** A server, over the protocol of SQL Server; what PostgreSQL and MariaDB do of this is tested with real ones. */
async function server(fault: SourceFault): Promise<FaultySource | undefined> {
  const hostnames = named(fault === 'many records' ? MANY : 25);
  const columns = ['host', 'remark'];
  const rows = rowsOf(hostnames);
  const on = (port: number, fields: Fields = {}): FaultySource => ({
    source: sqlSource(
      { engine: 'mssql', database: 'cmdb', table: 'hosts', query_timeout: 5, ...fields },
      { address: `127.0.0.1,${port}`, username: 'reader' },
    ),
    hostnames,
  });
  const answered = async (answer: Answered, fields?: Fields) => on((await fakeSqlServer(() => answer)).port, fields);
  const whole = { columns, rows };
  switch (fault) {
    case 'refused connection':
      return on(9);
    case 'login refused': {
      const { port } = await fakeSqlServer(() => whole, { number: 18_456, message: 'Login failed.' });
      return on(port);
    }
    case 'right missing':
      return answered({ error: { number: 229, message: 'The SELECT permission was denied.' } });
    case 'second part broken':
      return answered({ ...whole, error: { number: 1205, message: 'deadlock' } });
    case 'cut off':
      return answered({ ...whole, end: 'cut' });
    case 'invalid text':
      return answered({ columns: ['something', 'else'], rows });
    case 'empty answer':
      return answered({});
    case 'half of the records':
      return answered({ columns, rows: rows.slice(0, 12) });
    case 'duplicate names':
      return answered({ columns, rows: [...rows, ...rows.slice(0, 3)] });
    case 'answer without end':
      return answered({ end: 'silent' }, { query_timeout: 0.2 });
    case 'many records':
      return answered(whole);
    // A server on this machine needs no encryption, and the substitute has short texts; databases send nobody elsewhere.
    default:
      return undefined;
  }
}

const secrets = [ACCOUNT.password];
for (const [name, make] of [
  ['sql over a file', file],
  ['sql over a server', server],
] as const) {
  describeSourceFaults(name, { make, secrets });
  for (const { how, run } of IMPORTED) {
    describeSourceFaults(`${name}, ${how}`, {
      run,
      secrets,
      make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : make(fault)),
    });
  }
}
