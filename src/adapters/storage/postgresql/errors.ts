import pg from 'pg';
import { connectionError } from '../../../kit/connection/faults.ts';
import { AppError } from '../../../ports/index.ts';

const RETRY_AFTER_SECONDS = 5;
const NO_ANSWER = 'The database does not answer. Try again shortly.';

/** Explanations for errors of a server that is temporarily unable to answer, by error code. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '25006': 'The database is read-only now: it is a standby, or a change of primary is under way. Try again shortly.',
  '25P03': 'The database waited too long for this program. Try again shortly.',
  '53100': 'The disk of the database is full.',
  '53200': 'The database has no memory left.',
  '53300': 'The database has no connection left. Raise its max_connections, or lower pool_size of DATABASE_URL.',
  '55P03': 'Another writer held the same data for too long. Try again shortly.',
  '57014': 'The database took too long for a statement. Try again, or raise statement_timeout of DATABASE_URL.',
  '57P01': 'The database ended the connection. Try again shortly.',
  '57P02': 'The database ended the connection. Try again shortly.',
  '57P03': 'The database is starting or stopping. Try again shortly.',
  '40001': 'Too many writers changed the same data at once. Try again shortly.',
  '40P01': 'Too many writers changed the same data at once. Try again shortly.',
};

const CREDENTIALS = 'The database refused the credentials. Check user and password in DATABASE_URL.';

const FAILED: Readonly<Record<string, string>> = {
  '28P01': CREDENTIALS,
  '28000':
    'The database refused the login: this user may not come from here, or not without encryption. Look at its pg_hba.conf.',
  '3D000': 'There is no database of the name that DATABASE_URL has. Make it first: createdb <name>.',
};

const NO_ENCRYPTION =
  'The database does not encrypt connections. Switch encryption on there, or add sslmode=disable to DATABASE_URL if the network in between is trusted.';

const NO_PASSWORD =
  'The database asks for a password, and there is none. Set DATABASE_PASSWORD; an address other than DATABASE_URL needs it in the address.';

const TOO_LARGE = new Set(['54000', '22P05', '54023']);

/** Two writers met; the same work can be done once more. */
const CONFLICTS = new Set(['40001', '40P01', '23505']);

/** Converts an error of the driver to one of the ports. The address never shows: it may hold a password. */
export function toAppError(error: unknown, server: string): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  if (code === undefined) {
    const known = connectionError(server, error);
    if (known?.code === 'failed') return inOptionsOfAddress(known);
    const said = error instanceof Error ? error.message : '';
    if (said === 'The server does not support SSL connections')
      return new AppError('failed', NO_ENCRYPTION, { cause: error });
    // The driver itself ends a login that cannot succeed.
    if (said.startsWith('SASL: '))
      return new AppError('failed', /password must be/.test(said) ? NO_PASSWORD : CREDENTIALS, { cause: error });
    // Callers of the service learn no address.
    const fault = connectionError('The database', error)?.message;
    return unavailable(fault === undefined ? NO_ANSWER : `${fault}.`, error);
  }
  const now = UNAVAILABLE[code] ?? (code.startsWith('08') ? NO_ANSWER : undefined);
  if (now !== undefined) return unavailable(now, error);
  const failed = FAILED[code];
  if (failed !== undefined) return new AppError('failed', failed, { cause: error });
  if (code === '42501') return notAllowed(error);
  if (TOO_LARGE.has(code))
    return new AppError('too_large', 'A name is longer than the database can look up.', { cause: error });
  if (code === '23505')
    return new AppError('conflict', 'Another caller stored the same record at the same time. Try again.', {
      cause: error,
    });
  return new AppError('internal', `The database could not do what was requested (${code}).`, { cause: error });
}

/** Messages about connections name the options of accounts; an address calls them as libpq does. */
function inOptionsOfAddress({ message, cause }: AppError): AppError {
  const named = message
    .replaceAll('ca_cert_chain', 'sslrootcert')
    .replaceAll('client_cert', 'sslcert')
    .replaceAll('client_key', 'sslkey');
  return new AppError('failed', named, { cause });
}

/** Messages name the key of the database itself. */
export function ofReplica({ code, message, cause }: AppError): AppError {
  return new AppError(code, message.replaceAll('DATABASE_URL', 'DATABASE_REPLICA_URL'), { cause });
}

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}

function notAllowed(error: unknown): AppError {
  const said = error instanceof Error ? error.message : String(error);
  return new AppError(
    'failed',
    `The database does not allow it: ${said}. Use the role that owns the schema for upgrades, and grant the other one what "muster storage grants <role>" prints.`,
    { cause: error },
  );
}

/** The five characters of an error of the server. */
function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error) ?? '');
}

/** The connection is of no use any more. */
export function isBroken(error: unknown): boolean {
  if (error instanceof AppError) return false;
  const code = codeOf(error);
  return code === undefined || code.startsWith('08') || code.startsWith('57P') || code === '25P03';
}
