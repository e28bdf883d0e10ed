import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { connectionError, serverError, withSaid } from '../../../kit/connection/faults.ts';
import { settles, within } from '../../../kit/connection/timeouts.ts';
import { tlsSettings } from '../../../kit/connection/tls.ts';
import { secondsWording, worded } from '../../../kit/worded.ts';
import type { Logger, Wording } from '../../../ports/index.ts';
import { type Database, PieceSize, type Reading, type Row, type Rows } from '../engine.ts';
import type { ServerSettings } from '../settings.ts';
import { encryptedFirst } from './encrypted-first.ts';
import { PostgresqlTypes } from './postgresql-types.ts';

const DEFAULT_PORT = 5432;
const CLOSING_MS = 2000;

/** Parts of the driver that its types do not declare. */
interface Inside {
  readonly connection: { readonly stream: Socket };
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** A PostgreSQL server, in a session that can only read. */
export async function openPostgresql(settings: ServerSettings, logger: Logger, signal: AbortSignal): Promise<Database> {
  const server = `${settings.host}:${settings.port ?? DEFAULT_PORT}`;
  try {
    return await encryptedFirst(server, settings, logger, {
      open: (encrypted) => open(server, settings, encrypted, signal),
      offersNone: (error) => error instanceof Error && error.message === 'The server does not support SSL connections',
    });
  } catch (error) {
    throw signal.aborted ? error : faultOf(server, error);
  }
}

async function open(
  server: string,
  settings: ServerSettings,
  encrypted: boolean,
  signal: AbortSignal,
): Promise<Database> {
  const { host, port = DEFAULT_PORT, username, password, connectSeconds, querySeconds } = settings;
  const client = new pg.Client({
    host,
    port,
    user: username,
    // A text that is empty would be looked for in the environment, and in a file.
    password: () => password,
    database: settings.database ?? username,
    ssl: encrypted ? tlsSettings(settings.encryption, host) : false,
    application_name: 'muster',
    keepAlive: true,
  });
  // The pending operation reports the error.
  client.on('error', () => undefined);
  const limits = {
    signal,
    seconds: connectSeconds,
    message: worded`${{ server }} did not log in within ${{ time: secondsWording(connectSeconds) }}`,
  };
  try {
    await within(client.connect(), limits);
    await within(client.query(sessionOf(querySeconds)), limits);
    await within(client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'), limits);
    const types = new PostgresqlTypes((await within(client.query(ARRAYS), limits)).rows);
    return new PostgresqlDatabase(server, client, types, querySeconds);
  } catch (error) {
    inside(client).connection.stream.destroy();
    throw error;
  }
}

/** Nothing in this session writes, and times and bytes are written in one way, whatever is set on the server. */
function sessionOf(querySeconds: number): string {
  return `SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY;
    SET statement_timeout = ${Math.ceil(querySeconds * 1000)};
    SET cursor_tuple_fraction = 1.0;
    SET idle_in_transaction_session_timeout = 0;
    SET datestyle = 'ISO, YMD';
    SET intervalstyle = 'iso_8601';
    SET timezone = 'UTC';
    SET extra_float_digits = 3;
    SET bytea_output = 'hex'`;
}

const ARRAYS = `SELECT oid::int8::text AS list, typelem::int8::text AS element FROM pg_catalog.pg_type
  WHERE typinput = 'pg_catalog.array_in'::regproc`;

class PostgresqlDatabase implements Database {
  readonly name: string;
  readonly #client: pg.Client;
  readonly #types: PostgresqlTypes;
  readonly #querySeconds: number;
  #isBusy = false;

  constructor(name: string, client: pg.Client, types: PostgresqlTypes, querySeconds: number) {
    this.name = name;
    this.#client = client;
    this.#types = types;
    this.#querySeconds = querySeconds;
  }

  async *rows(statement: string, { signal, base64 }: Reading): AsyncGenerator<Rows, void, undefined> {
    const seconds = this.#querySeconds;
    const limits = {
      signal,
      // The server is the first to give up, and says so.
      seconds: seconds + 5,
      message: worded`${{ server: this.name }} did not answer within ${{ time: secondsWording(seconds) }}; ask for less, or raise query_timeout`,
    };
    const types = this.#types.parsers(base64);
    this.#isBusy = true;
    try {
      await within(this.#client.query(oneStatement(`DECLARE muster NO SCROLL CURSOR FOR ${statement}`)), limits);
      const size = new PieceSize();
      let under = this.#fetch(size, types);
      for (let isFirst = true; ; isFirst = false) {
        const piece = await within(under, limits);
        if (piece.rows.length === 0) {
          if (isFirst) yield piece;
          break;
        }
        // The server makes the next one while this one is worked on.
        under = this.#fetch(size, types);
        under.catch(() => undefined);
        yield piece;
      }
      this.#isBusy = false;
    } catch (error) {
      throw signal.aborted ? error : faultOf(this.name, error);
    }
  }

  async #fetch(size: PieceSize, types: pg.CustomTypesConfig): Promise<Rows> {
    const { stream } = inside(this.#client).connection;
    const before = stream.bytesRead;
    const text = `FETCH ${size.rows} FROM muster`;
    const { rows, fields } = await this.#client.query<unknown[]>({ text, rowMode: 'array', types });
    size.learn(rows.length, stream.bytesRead - before);
    return { columns: fields.map(({ name }) => name), rows: rows as unknown as readonly Row[] };
  }

  async about(): Promise<{ readonly user: string; readonly version: string }> {
    const { rows } = await this.#client.query<{ user: string; version: string }>(
      `SELECT current_user AS user, current_setting('server_version') AS version`,
    );
    const [{ user, version } = { user: '', version: '' }] = rows;
    return { user, version: `PostgreSQL ${version}` };
  }

  async close(): Promise<void> {
    const { connection } = inside(this.#client);
    if (this.#isBusy) cancel(this.#client);
    else await settles(this.#client.end(), CLOSING_MS);
    connection.stream.destroy();
  }
}

/** The extended protocol takes one statement only. The types of the driver do not know how it is asked for. */
function oneStatement(text: string): pg.QueryConfig {
  return { text, queryMode: 'extended' } as pg.QueryConfig;
}

/** A server that is busy with a statement notices only much later that the client is gone. */
function cancel(client: pg.Client): void {
  const { processID, secretKey } = inside(client);
  if (processID === null || typeof secretKey !== 'number') return;
  const request = Buffer.alloc(16);
  [16, 80_877_102, processID, secretKey].forEach((word, index) => {
    request.writeInt32BE(word | 0, index * 4);
  });
  const socket = connect(client.port, client.host);
  socket.setTimeout(CLOSING_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.end(request);
}

function inside(client: pg.Client): Inside {
  return client as unknown as Inside;
}

const FAULTS: Readonly<Record<string, Wording>> = {
  '28P01': worded`refuses the login; check username and password of the account`,
  '28000': worded`refuses the login: this user may not come from here, or not without encryption; look at its pg_hba.conf`,
  '3D000': worded`has no database of that name; correct database`,
  '42P01': worded`has no such table; correct table or query, with its schema if it needs one`,
  '42703': worded`has no such column; correct fields or query`,
  '42501': worded`does not let this user read that; grant SELECT on it`,
  '42601': worded`cannot read the statement; correct table, fields or query`,
  '53300': worded`has no connection left; run it again later`,
  '57014': worded`gave up: the statement took longer than query_timeout; ask for less, or raise it`,
  '57P01': worded`ended the connection in the middle; run it again`,
  '57P03': worded`is starting or stopping; run it again later`,
  '25006': worded`did not do it: the statement writes, and a source only reads`,
};

function faultOf(server: string, error: unknown): unknown {
  const known = connectionError(server, error);
  if (known !== undefined || !(error instanceof Error)) return known ?? error;
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== 'string' || code.length !== 5) {
    return serverError('unavailable', server, worded`ended the connection in the middle; run it again`, error);
  }
  return serverError('failed', server, withSaid(FAULTS[code] ?? worded`refuses`, error.message), error);
}
