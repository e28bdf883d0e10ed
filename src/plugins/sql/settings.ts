import { type Encryption, encryptionOf } from '../../kit/connection/tls.ts';
import { worded } from '../../kit/worded.ts';
import { AppError, type SourceAccount, type SourceFiles, type Wording } from '../../ports/index.ts';
import { ENGINES, type EngineName, type SqlOptions } from './options.ts';

/** The address and credentials for a server. */
export interface ServerSettings {
  readonly engine: Exclude<EngineName, 'sqlite'>;
  readonly host: string;
  /** Absent: the usual one, or that of the instance. */
  readonly port: number | undefined;
  readonly database: string | undefined;
  readonly instance: string | undefined;
  readonly username: string;
  readonly password: string;
  readonly encryption: Encryption;
  readonly connectSeconds: number;
  readonly querySeconds: number;
}

/** The parts of an account's address: `db.example.org`, `db.example.org:5432`, `postgresql://reader@db.example.org/cmdb`. */
interface Address {
  readonly engine?: EngineName;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly username?: string;
  readonly instance?: string;
}

const SCHEMES: Readonly<Record<string, EngineName>> = {
  postgres: 'postgresql',
  postgresql: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
  mssql: 'mssql',
  sqlserver: 'mssql',
};

/** Which kind of database the account means: what the option says, else the address. */
export function engineOf(options: Pick<SqlOptions, 'engine' | 'path'>, address: string): EngineName {
  const scheme = schemeOf(address);
  const told = scheme === undefined ? undefined : SCHEMES[scheme];
  if (scheme !== undefined && told === undefined) {
    throw unusable(
      worded`begins with ${{ scheme }}://, which is not one of ${{ choices: Object.keys(SCHEMES).join(', ') }}`,
    );
  }
  if (options.engine !== undefined && told !== undefined && told !== options.engine) {
    throw unusable(worded`is of ${{ told }}, and engine says ${{ engine: options.engine }}; correct one of them`);
  }
  const engine = options.engine ?? told ?? (options.path === undefined ? undefined : 'sqlite');
  if (engine !== undefined) return engine;
  throw new AppError(
    'invalid_input',
    worded`engine is missing: one of ${{ choices: ENGINES.join(', ') }}; muster account set changes it`,
  );
}

/** The file of an account of engine sqlite. */
export function databaseFile(options: Pick<SqlOptions, 'path'>, address: string): string {
  const path = options.path ?? address.replace(/^sqlite:(?:\/\/)?/i, '');
  if (path === '') throw missing('path', worded`the file of the database`);
  return path;
}

export async function serverSettings(
  engine: ServerSettings['engine'],
  options: SqlOptions,
  account: SourceAccount,
  context: { readonly files: Pick<SourceFiles, 'read'>; readonly signal: AbortSignal },
): Promise<ServerSettings> {
  const address = addressOf(account.address);
  const host = options.server ?? address.host ?? '';
  if (host === '') throw missing('address', worded`the name of the machine of the database`);
  const username = account.username === '' ? (address.username ?? '') : account.username;
  if (username === '') throw missing('username', worded`who logs in to the database`);
  const { trust_server_certificate: trusted } = options;
  if (trusted !== undefined && options.verify_cert === trusted) {
    throw new AppError(
      'invalid_input',
      worded`trust_server_certificate and verify_cert contradict each other; keep one`,
    );
  }
  if (engine === 'mssql') requireSqlServer(options.driver);
  const tls = trusted === undefined ? options : { ...options, verify_cert: !trusted };
  return {
    engine,
    host,
    port: options.port ?? address.port,
    database: options.database ?? address.database,
    instance: options.instance ?? address.instance,
    username,
    password: account.password,
    encryption: await encryptionOf(tls, host, context.files, context.signal),
    connectSeconds: options.request_timeout,
    querySeconds: options.query_timeout,
  };
}

/** ODBC can connect to anything. A server other than SQL Server must not be addressed as if it were one. */
function requireSqlServer(driver: string | undefined): void {
  if (driver === undefined || /sql ?server|freetds|tds/i.test(driver)) return;
  throw new AppError(
    'invalid_input',
    worded`driver ${{ driver: JSON.stringify(driver) }} is not of SQL Server, which is what accounts of this type reach; use type sql with engine postgresql, mysql or sqlite`,
  );
}

function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):(?:\/\/|(?=[^\d]))/i.exec(address)?.[1]?.toLowerCase();
}

function addressOf(address: string): Address {
  const text = address.trim();
  if (text.includes('://')) return addressOfUrl(text);
  // SERVER of ODBC: host,port and host\instance.
  const found = /^(?:\[([^\]]+)\]|([^:,\\]*))(?:\\([^:,\\]+))?(?:[:,](\d+))?$/.exec(text);
  if (found === null) {
    // More than one colon: an address of version 6.
    if (/^[\da-f:.]+$/i.test(text)) return { host: text };
    throw unusable(worded`is not a name or address of a machine with or without a port`);
  }
  const [, bracketed, host = '', instance, port] = found;
  return {
    host: bracketed ?? host,
    ...(instance === undefined ? {} : { instance }),
    ...(port === undefined ? {} : { port: Number(port) }),
  };
}

function addressOfUrl(text: string): Address {
  let url: URL;
  let database: string;
  let username: string;
  try {
    // The parser treats other schemes as opaque in places; of this one it knows host and port.
    url = new URL(text.replace(/^[^:]+:/, 'https:'));
    database = decodeURIComponent(url.pathname.replace(/^\//, ''));
    username = decodeURIComponent(url.username);
  } catch {
    throw unusable(worded`cannot be read; write it as postgresql://db.example.org:5432/cmdb`);
  }
  if (url.password !== '') throw unusable(worded`holds a password; set it as the password of the account instead`);
  if (url.search !== '' || url.hash !== '') {
    throw unusable(
      worded`holds parameters; set options of the account instead (verify_cert, ca_cert_chain, allow_unencrypted …)`,
    );
  }
  // The parser omits 443, as it is the default port of the substitute scheme.
  const port = /^[^:]+:\/\/[^/]*:(\d+)(?:\/|$)/.exec(text)?.[1];
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(database === '' ? {} : { database }),
    ...(username === '' ? {} : { username }),
  };
}

function unusable(problem: Wording): AppError {
  return new AppError('invalid_input', worded`the address of the account ${{ problem }}`);
}

function missing(option: string, why: Wording): AppError {
  return new AppError('invalid_input', worded`${{ option }} is missing: ${{ why }}; muster account set changes it`);
}
