import { Connection, type ConnectionConfiguration, Request } from 'tedious';
import { connectionError, serverError, told, withSaid } from '../../../kit/connection/faults.ts';
import { settles, within } from '../../../kit/connection/timeouts.ts';
import { tlsSettings } from '../../../kit/connection/tls.ts';
import { saidBy, secondsWording, worded } from '../../../kit/worded.ts';
import { AppError, type JsonValue, type Logger, type Wording } from '../../../ports/index.ts';
import type { Database, Reading, Rows } from '../engine.ts';
import type { ServerSettings } from '../settings.ts';
import { encryptedFirst } from './encrypted-first.ts';
import { mssqlValue } from './mssql-types.ts';
import { PushedRows } from './pushed-rows.ts';

const DEFAULT_PORT = 1433;
const CLOSING_MS = 2000;

/** Parts of the driver that its types do not declare. */
interface Inside {
  performTlsNegotiation(prelogin: { readonly encryptionString: string }, signal: AbortSignal): Promise<void>;
}

interface ColumnMetadata {
  readonly colName: string;
  readonly type: { readonly name: string };
}

/** A server that takes the login in clear only. */
class NoEncryption extends Error {}

/** A SQL Server. It has no sessions that only read: what could write is refused before, and the transaction is rolled back. */
export async function openMssql(settings: ServerSettings, logger: Logger, signal: AbortSignal): Promise<Database> {
  const { host, instance, port = instance === undefined ? DEFAULT_PORT : undefined } = settings;
  const server = port === undefined ? `${host}\\${instance}` : `${host}:${port}`;
  try {
    return await encryptedFirst(server, settings, logger, {
      open: (encrypted) => openSession(server, { ...settings, port }, encrypted, signal),
      offersNone: (error) => error instanceof NoEncryption,
    });
  } catch (error) {
    throw signal.aborted ? error : faultOf(server, error);
  }
}

async function openSession(
  server: string,
  settings: ServerSettings,
  encrypted: boolean,
  signal: AbortSignal,
): Promise<Database> {
  const { connectSeconds, querySeconds } = settings;
  const connection = new Connection(configurationOf(settings, encrypted));
  // The pending operation reports the error.
  connection.on('error', () => undefined);
  if (encrypted) requireEncryption(connection as unknown as Inside);
  const limits = {
    signal,
    seconds: connectSeconds,
    message: worded`${{ server }} did not log in within ${{ time: secondsWording(connectSeconds) }}`,
  };
  try {
    await within(
      asked((done) => connection.connect(done)),
      limits,
    );
    await within(
      asked((done) => connection.beginTransaction(done)),
      limits,
    );
    return new MssqlDatabase(server, connection, querySeconds);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function configurationOf(settings: ServerSettings, encrypted: boolean): ConnectionConfiguration {
  const { host, port, instance, database, username, password, encryption, connectSeconds } = settings;
  const { minVersion, ca, cert, key, passphrase } = tlsSettings(encryption, host);
  return {
    server: host,
    authentication: { type: 'default', options: { userName: username, password } },
    options: {
      ...(port === undefined ? {} : { port }),
      ...(port !== undefined || instance === undefined ? {} : { instanceName: instance }),
      ...(database === undefined ? {} : { database }),
      appName: 'muster',
      encrypt: encrypted,
      trustServerCertificate: !encryption.verify,
      cryptoCredentialsDetails: {
        ...(minVersion === undefined ? {} : { minVersion }),
        ...(ca === undefined ? {} : { ca }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
        ...(passphrase === undefined ? {} : { passphrase }),
      },
      // Selects a server for reading from a group; it does not make a session read-only.
      readOnlyIntent: true,
      // Ours is over before.
      connectTimeout: (connectSeconds + 1) * 1000,
      requestTimeout: 0,
      useUTC: true,
    },
  };
}

/** The driver continues unencrypted if the server has no encryption, even if encryption was requested. */
function requireEncryption(connection: Inside): void {
  const negotiate = connection.performTlsNegotiation.bind(connection);
  connection.performTlsNegotiation = async (prelogin, signal) => {
    if (!['ON', 'REQ'].includes(prelogin.encryptionString)) throw new NoEncryption('the server has no encryption');
    return negotiate(prelogin, signal);
  };
}

class MssqlDatabase implements Database {
  readonly name: string;
  readonly #connection: Connection;
  readonly #querySeconds: number;
  #answer: Answer | undefined;

  constructor(name: string, connection: Connection, querySeconds: number) {
    this.name = name;
    this.#connection = connection;
    this.#querySeconds = querySeconds;
  }

  async *rows(statement: string, { signal, base64 }: Reading): AsyncGenerator<Rows, void, undefined> {
    const seconds = this.#querySeconds;
    const limits = {
      signal,
      seconds,
      message: worded`${{ server: this.name }} did not answer within ${{ time: secondsWording(seconds) }}; ask for less, or raise query_timeout`,
    };
    try {
      const answer = new Answer(this.#connection, statement, base64);
      this.#answer = answer;
      yield* answer.rows.pieces(limits);
    } catch (error) {
      throw signal.aborted ? error : faultOf(this.name, error);
    }
  }

  async about(): Promise<{ readonly user: string; readonly version: string }> {
    const text = `SELECT SUSER_SNAME(), CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128))`;
    const answer = new Answer(this.#connection, text, false);
    const { rows } = await answer.rows.next();
    const [[user, version] = []] = rows;
    return { user: String(user ?? ''), version: `SQL Server ${String(version ?? '')}`.trim() };
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    // A server that is busy with a statement is asked to stop it.
    if (this.#answer?.rows.isOver === false) connection.cancel();
    await settles(this.#rollBack(), CLOSING_MS);
    connection.close();
  }

  /** As soon as the statement is over. */
  async #rollBack(): Promise<void> {
    await this.#answer?.over;
    await asked((done) => this.#connection.rollbackTransaction(done));
  }
}

/** The answer to a statement, from which pieces are taken; between them the server waits. */
class Answer {
  /** Settles when the server has ended the statement, in whatever way. */
  readonly over: Promise<void>;
  readonly rows: PushedRows;

  constructor(connection: Connection, statement: string, base64: boolean) {
    let end = (): void => undefined;
    this.over = new Promise((resolve) => {
      end = resolve;
    });
    const request = new Request(statement, (error) => {
      end();
      if (error) this.rows.fail(error);
      this.rows.end();
    });
    this.rows = new PushedRows(request);
    let answers = 0;
    request.on('columnMetadata', (columns) => {
      if (++answers > 1) {
        this.rows.fail(new AppError('failed', worded`the statement has several answers; write one that has one`));
      }
      this.rows.columns = (columns as ColumnMetadata[]).map(({ colName }) => colName);
    });
    request.on('row', (cells: readonly { readonly value: unknown; readonly metadata: ColumnMetadata }[]) => {
      const row = cells.map(({ value, metadata }): JsonValue | undefined =>
        mssqlValue(value, metadata.type.name, base64),
      );
      let bytes = 0;
      for (const value of row) bytes += typeof value === 'string' ? value.length : 8;
      this.rows.push(row, bytes);
    });
    connection.on('error', (error) => this.rows.fail(error));
    connection.on('end', () => {
      if (!this.rows.isOver) {
        this.rows.fail(new AppError('unavailable', worded`the connection ended in the middle; run it again`));
      }
    });
    connection.execSqlBatch(request);
  }
}

function asked(ask: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    ask((error) => (error ? reject(error) : resolve()));
  });
}

const REFUSED_LOGIN = worded`refuses the login; check username and password of the account`;

/** By the numbers of SQL Server. */
const FAULTS: Readonly<Record<number, Wording>> = {
  18456: REFUSED_LOGIN,
  18452: worded`refuses the login: it takes only those of its domain; have it take logins of SQL Server too`,
  18470: worded`refuses the login: the user is disabled`,
  18486: worded`refuses the login: the user is locked; unlock it there`,
  18487: worded`refuses the login: the password has expired; set a new one there and here`,
  18488: worded`refuses the login: the password must be changed first`,
  4060: worded`has no database of that name, or does not let this user into it; correct database`,
  208: worded`has no such table; correct table or query, with its schema if it needs one`,
  207: worded`has no such column; correct fields or query`,
  229: worded`does not let this user read that; grant SELECT on it`,
  230: worded`does not let this user read that column; grant SELECT on it`,
  102: worded`cannot read the statement; correct table, fields or query`,
  156: worded`cannot read the statement; correct table, fields or query`,
  1205: worded`ended the statement in favour of another one; run it again`,
  596: worded`ended the connection in the middle; run it again`,
};

function faultOf(server: string, error: unknown): unknown {
  if (error instanceof AppError) {
    return error.message.includes(server)
      ? error
      : new AppError(error.code, worded`${{ server }}: ${{ problem: saidBy(error) }}`, { cause: error });
  }
  if (!(error instanceof Error)) return error;
  const { code, number } = error as { readonly code?: unknown; readonly number?: unknown };
  if (typeof number === 'number') {
    return serverError('failed', server, withSaid(FAULTS[number] ?? worded`refuses`, error.message), error);
  }
  if (code === 'ELOGIN') {
    return serverError('failed', server, withSaid(REFUSED_LOGIN, error.message), error);
  }
  const known = connectionError(server, error.cause ?? error);
  if (known !== undefined) return known;
  if (code === 'ETIMEOUT')
    return serverError('unavailable', server, worded`did not log in in time; check address and port`, error);
  if (code === 'EINSTLOOKUP') {
    return serverError(
      'failed',
      server,
      worded`cannot be found: the server does not know the instance; set port instead`,
      error,
    );
  }
  return serverError(
    'unavailable',
    server,
    worded`ended the connection (${{ said: told(error.message) }}); check the port, and run it again`,
    error,
  );
}
