import type { Socket } from 'node:net';
import { checkServerIdentity, TLSSocket } from 'node:tls';
import { type Connection, createConnection, type FieldPacket, type QueryError, type RowDataPacket } from 'mysql2';
import { connectionError, serverError, told, withSaid } from '../../../kit/connection/faults.ts';
import { settles, within } from '../../../kit/connection/timeouts.ts';
import { tlsSettings } from '../../../kit/connection/tls.ts';
import { secondsWording, worded } from '../../../kit/worded.ts';
import { AppError, type JsonValue, type Logger, type Wording } from '../../../ports/index.ts';
import type { Database, Reading, Rows } from '../engine.ts';
import type { ServerSettings } from '../settings.ts';
import { encryptedFirst } from './encrypted-first.ts';
import { type MysqlField, mysqlParsers } from './mysql-types.ts';
import { PushedRows } from './pushed-rows.ts';

const DEFAULT_PORT = 3306;
const CLOSING_MS = 2000;

/** Parts of the driver that its types do not declare. */
interface Inside {
  readonly stream: Socket;
  startTLS(whenSecure: (error?: Error) => void): void;
}

/** A MySQL or MariaDB server, in a session that can only read. */
export async function openMysql(settings: ServerSettings, logger: Logger, signal: AbortSignal): Promise<Database> {
  const server = `${settings.host}:${settings.port ?? DEFAULT_PORT}`;
  try {
    return await encryptedFirst(server, settings, logger, {
      async open(encrypted) {
        const connection = await openSession(server, settings, encrypted, signal);
        return new MysqlDatabase(server, settings, connection, () =>
          openSession(server, settings, encrypted, AbortSignal.timeout(CLOSING_MS)),
        );
      },
      offersNone: (error) => codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT',
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
): Promise<Connection> {
  const { host, port = DEFAULT_PORT, username, password, database, connectSeconds } = settings;
  const { encryption } = settings;
  const connection = createConnection({
    host,
    port,
    user: username,
    password,
    ...(database === undefined ? {} : { database }),
    connectTimeout: connectSeconds * 1000,
    // No code is made of what a server says of its columns.
    disableEval: true,
    charset: 'utf8mb4',
    // Neither several statements, nor files of this machine that the server asks for.
    multipleStatements: false,
    flags: ['-LOCAL_FILES', '-MULTI_STATEMENTS'],
    ...(encrypted ? { ssl: tlsSettings(encryption, host) as object } : {}),
  });
  // The pending operation reports the error.
  connection.on('error', () => undefined);
  if (encrypted) checkCertificate(connection as unknown as Inside, encryption.verify ? host : undefined);
  const limits = {
    signal,
    seconds: connectSeconds,
    message: worded`${{ server }} did not log in within ${{ time: secondsWording(connectSeconds) }}`,
  };
  try {
    await within(connected(connection), limits);
    for (const statement of SESSION) await within(run(connection, statement), limits);
    return connection;
  } catch (error) {
    end(connection);
    throw error;
  }
}

/**
 * Checks the certificate before anything of the login is sent. The driver compares it with the name of a server, or with
 * "localhost" if there is an address instead; and it does either only on request. It also replaces the code that identifies the
 * fault with its own.
 */
function checkCertificate(connection: Inside, host: string | undefined): void {
  const startTls = connection.startTLS.bind(connection);
  connection.startTLS = (whenSecure) =>
    startTls((fault) => {
      const { stream } = connection;
      const wrong =
        fault === undefined && host !== undefined && stream instanceof TLSSocket
          ? checkServerIdentity(host, stream.getPeerCertificate())
          : fault;
      whenSecure(wrong === undefined ? undefined : new Error(wrong.message, { cause: wrong }));
    });
}

/** Nothing in this session writes; and it may take its time to be read while hosts are written. */
const SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'SET SESSION TRANSACTION READ ONLY',
  "SET SESSION time_zone = '+00:00', net_write_timeout = 3600",
  'START TRANSACTION READ ONLY',
];

class MysqlDatabase implements Database {
  readonly name: string;
  readonly #connection: Connection;
  readonly #querySeconds: number;
  readonly #another: () => Promise<Connection>;
  #isBusy = false;

  constructor(
    name: string,
    { querySeconds }: ServerSettings,
    connection: Connection,
    another: () => Promise<Connection>,
  ) {
    this.name = name;
    this.#connection = connection;
    this.#querySeconds = querySeconds;
    this.#another = another;
  }

  async *rows(statement: string, { signal, base64 }: Reading): AsyncGenerator<Rows, void, undefined> {
    const seconds = this.#querySeconds;
    const limits = {
      signal,
      seconds,
      message: worded`${{ server: this.name }} did not answer within ${{ time: secondsWording(seconds) }}; ask for less, or raise query_timeout`,
    };
    this.#isBusy = true;
    try {
      const answer = new Answer(this.#connection, statement, base64);
      yield* answer.rows.pieces(limits);
      this.#isBusy = false;
    } catch (error) {
      throw signal.aborted ? error : faultOf(this.name, error);
    }
  }

  async about(): Promise<{ readonly user: string; readonly version: string }> {
    const [[row] = []] = await run(this.#connection, 'SELECT CURRENT_USER() AS user, VERSION() AS version');
    const version = String(row?.version);
    return { user: String(row?.user), version: /mariadb/i.test(version) ? version : `MySQL ${version}` };
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    // A server that is busy with a statement notices only much later that the client is gone.
    const last = this.#isBusy ? this.#kill() : new Promise<void>((resolve) => connection.end(() => resolve()));
    await settles(last, CLOSING_MS);
    end(connection);
  }

  async #kill(): Promise<void> {
    const { threadId } = this.#connection;
    end(this.#connection);
    if (typeof threadId !== 'number') return;
    // If the statement has ended already, or no more connections are accepted, there is nothing to end.
    const other = await this.#another().catch(() => undefined);
    if (other === undefined) return;
    await run(other, `KILL ${Math.trunc(threadId)}`).catch(() => undefined);
    end(other);
  }
}

/** The answer to a statement, from which pieces are taken; between them the server waits. */
class Answer {
  readonly rows: PushedRows;
  #parsers: ReturnType<typeof mysqlParsers> = [];
  #results = 0;

  constructor(connection: Connection, statement: string, base64: boolean) {
    this.rows = new PushedRows(connection);
    const query = connection.query<RowDataPacket[][]>({ sql: statement, rowsAsArray: true, typeCast: false } as never);
    query.on('fields', (fields: readonly FieldPacket[] | undefined) => {
      if (++this.#results > 1) {
        this.rows.fail(new AppError('failed', 'the statement has several answers; write one that has one'));
      }
      this.rows.columns = (fields ?? []).map(({ name }) => name);
      this.#parsers = mysqlParsers((fields ?? []) as unknown as readonly MysqlField[], base64);
    });
    query.on('result', (cells: readonly (Buffer | null)[]) => this.#take(cells));
    query.on('error', (error: QueryError) => this.rows.fail(error));
    // The driver does not report a broken connection as an error of the pending query.
    connection.on('error', (error: QueryError) => this.rows.fail(error));
    query.on('end', () => this.rows.end());
  }

  #take(cells: readonly (Buffer | null)[]): void {
    const row: (JsonValue | undefined)[] = new Array(cells.length);
    let bytes = 0;
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] as Buffer | null;
      if (cell !== null) bytes += cell.length;
      row[index] = cell === null ? null : (this.#parsers[index] as (cell: Buffer) => JsonValue | undefined)(cell);
    }
    this.rows.push(row, bytes);
  }
}

/** The driver waits until the server has read all; one that hangs never does. */
function end(connection: Connection): void {
  connection.destroy();
  (connection as unknown as Inside).stream.destroy();
}

function connected(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error === null ? resolve() : reject(error)));
  });
}

function run(connection: Connection, statement: string): Promise<RowDataPacket[][]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>(statement, (error, rows) => {
      if (error === null) resolve([rows]);
      else reject(error);
    });
  });
}

const FAULTS: Readonly<Record<string, Wording>> = {
  ER_ACCESS_DENIED_ERROR: worded`refuses the login; check username and password of the account, and from where this user may come`,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: worded`refuses the login; set the password of the account`,
  ER_NOT_SUPPORTED_AUTH_MODE: worded`requires a login that is not supported; give the user another authentication plugin`,
  ER_HOST_NOT_PRIVILEGED: worded`accepts no logins from this machine; allow it there`,
  ER_DBACCESS_DENIED_ERROR: worded`does not let this user into that database; grant SELECT on it`,
  ER_BAD_DB_ERROR: worded`has no database of that name; correct database`,
  ER_NO_DB_ERROR: worded`does not know in which database the table is; set database`,
  ER_NO_SUCH_TABLE: worded`has no such table; correct table or query`,
  ER_BAD_FIELD_ERROR: worded`has no such column; correct fields or query`,
  ER_TABLEACCESS_DENIED_ERROR: worded`does not let this user read that; grant SELECT on it`,
  ER_COLUMNACCESS_DENIED_ERROR: worded`does not let this user read that column; grant SELECT on it`,
  ER_PARSE_ERROR: worded`cannot read the statement; correct table, fields or query`,
  ER_CON_COUNT_ERROR: worded`has no connection left; run it again later`,
  ER_SERVER_SHUTDOWN: worded`is stopping; run it again later`,
  ER_QUERY_INTERRUPTED: worded`ended the statement in the middle; run it again`,
  ER_CONNECTION_KILLED: worded`ended the connection in the middle; run it again`,
  ER_QUERY_TIMEOUT: worded`gave up: the statement took longer than the server allows; ask for less`,
  ER_STATEMENT_TIMEOUT: worded`gave up: the statement took longer than the server allows; ask for less`,
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: worded`did not do it: the statement writes, and a source only reads`,
};

const LOST = worded`ended the connection in the middle; run it again`;

function faultOf(server: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'PROTOCOL_CONNECTION_LOST') return serverError('unavailable', server, LOST, error);
  const known = connectionError(server, error);
  if (known !== undefined || !(error instanceof Error)) return known ?? error;
  const { errno, sqlMessage } = error as QueryError & { readonly sqlMessage?: string };
  if (typeof errno !== 'number' && sqlMessage === undefined) {
    const said = told(error.message);
    return serverError(
      'failed',
      server,
      worded`does not speak the protocol of MySQL (${{ said }}); check the port`,
      error,
    );
  }
  const problem = withSaid(FAULTS[code] ?? worded`refuses`, sqlMessage ?? error.message);
  return serverError('failed', server, problem, error);
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
