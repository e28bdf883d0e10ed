import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PoolConfig } from 'pg';
import { tlsSettings } from '../../../kit/connection/tls.ts';
import { AppError } from '../../../ports/index.ts';
import { ofReplica } from './errors.ts';

/** How a database is reached. */
export interface Settings {
  readonly pool: PoolConfig;
  /** The schema in which everything is. */
  readonly schema: string;
  /** For messages: `db.example.org:5432`. */
  readonly server: string;
  readonly database: string;
  readonly user: string;
  /** How long a statement may take. */
  readonly statementMs: number;
}

const DEFAULT_PORT = 5432;
const NO_HOST = 'no-host';
const DEFAULT_SCHEMA = 'muster';
/** Connections of one node. Each request holds one for a moment. */
const DEFAULT_CONNECTIONS = 10;
const DEFAULT_STATEMENT_MS = 60_000;
/** How long anything may take before it is `unavailable`: connecting, and waiting for a connection of the pool. */
const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;

const OPTIONS = new Set([
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'schema',
  'application_name',
  'pool_size',
  'statement_timeout',
]);

/** Modes known to libpq; those that would continue without a checked certificate are not offered. */
const CHECKED_MODES = new Set(['require', 'verify-ca', 'verify-full']);

/** Reads an address: `postgresql://user:password@host:port/database?sslmode=…`. A password given separately takes precedence. */
export async function settingsOf(
  address: string,
  workingDirectory: string,
  password?: () => Promise<string>,
): Promise<Settings> {
  const url = urlOf(address);
  const options = new Map(url.searchParams);
  for (const name of options.keys()) {
    if (!OPTIONS.has(name)) throw refused(`the option ${name} is unknown; known are ${[...OPTIONS].join(', ')}`);
  }
  const host = options.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if (host === '' || host === NO_HOST)
    throw refused('it names no host; write postgresql://user@host/database, or host=/run/postgresql for a socket');
  const user = decodeURIComponent(url.username);
  if (user === '') throw refused('it names no user; write postgresql://user@host/database');
  const isSocket = host.startsWith('/');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  if (database.includes('/') || url.pathname.includes('@'))
    throw refused('its database cannot have such a name; write special characters of user and password as %2F and %40');
  const statementMs = wholeOf(options, 'statement_timeout', DEFAULT_STATEMENT_MS);
  const ofAddress = password === undefined ? decodeURIComponent(url.password) : '';
  return {
    schema: schemaOf(options.get('schema') ?? DEFAULT_SCHEMA),
    server: isSocket ? host : `${host}:${port}`,
    database,
    user,
    statementMs,
    pool: {
      host,
      port,
      user,
      database,
      // A text that is empty would be looked for in the environment, and in a file.
      password: password ?? (() => ofAddress),
      ssl: await encryptionOf(options, host, isSocket, workingDirectory),
      application_name: options.get('application_name') ?? 'muster',
      max: wholeOf(options, 'pool_size', DEFAULT_CONNECTIONS),
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      allowExitOnIdle: true,
    },
  };
}

/** How long a rendering waits for a replica: for a connection, and for a page of hosts. */
const REPLICA_MS = 3_000;

/** Reads the address of a replica, whose schema is that of its primary; its own password takes precedence. */
export async function replicaSettingsOf(
  address: string,
  workingDirectory: string,
  { schema, password }: Pick<Settings, 'schema'> & { readonly password?: (() => Promise<string>) | undefined },
): Promise<Settings> {
  try {
    const own = urlOf(address).password !== '';
    const settings = await settingsOf(address, workingDirectory, own ? undefined : password);
    return { ...settings, schema, statementMs: REPLICA_MS };
  } catch (error) {
    throw error instanceof AppError ? ofReplica(error) : error;
  }
}

function urlOf(address: string): URL {
  try {
    // A user without a host, as for a socket, does not form a valid URL.
    const url = new URL(address.trim().replace(/^(\w+:\/\/[^@/?#]*@)(?=[/?#]|$)/, `$1${NO_HOST}`));
    // Throws at a percent sign that stands for no character.
    decodeURIComponent(`${url.username} ${url.password} ${url.pathname}`);
    return url;
  } catch {
    throw refused(
      'it is not a valid address; write postgresql://user:password@host/database, with special characters as %40',
    );
  }
}

function refused(problem: string): AppError {
  return new AppError('invalid_input', `DATABASE_URL cannot be used: ${problem}`);
}

/** Names are written into statements as they are, so only plain ones are taken. */
function schemaOf(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw refused('schema must be a plain name of small letters, digits and underscores');
  if (name === 'public' || name.startsWith('pg_'))
    throw refused(`the schema ${name} belongs to others; choose another name`);
  return name;
}

function wholeOf(options: ReadonlyMap<string, string>, name: string, otherwise: number): number {
  const text = options.get(name);
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw refused(`${name} must be a whole number above 0`);
  return Number(text);
}

/** Encrypted with a checked certificate, unless the operator says otherwise or the server is reached by a socket of this machine. */
async function encryptionOf(
  options: ReadonlyMap<string, string>,
  host: string,
  isSocket: boolean,
  workingDirectory: string,
): Promise<PoolConfig['ssl']> {
  const mode = options.get('sslmode');
  if (mode === 'disable' || (isSocket && mode === undefined)) return false;
  if (mode !== undefined && !CHECKED_MODES.has(mode)) {
    throw refused(
      `sslmode=${mode} would connect without a checked certificate; use verify-full, or disable if the network in between is trusted`,
    );
  }
  const file = async (name: string): Promise<string | undefined> => {
    const path = options.get(name);
    if (path === undefined) return undefined;
    try {
      return await readFile(resolve(workingDirectory, path), 'utf8');
    } catch (error) {
      throw refused(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const [ca, cert, key] = await Promise.all([file('sslrootcert'), file('sslcert'), file('sslkey')]);
  const certificates = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  return tlsSettings({ required: true, verify: true, certificates, isHere: false }, host);
}
