import { AppError, type ErrorCode } from '../../../ports/index.ts';
import { driverFault } from './driver-fault.ts';

/** The one place that knows what the driver throws. */

interface Explanation {
  readonly code: ErrorCode;
  readonly text: string;
  readonly retryAfterSeconds?: number;
}

/** By the first letters of the driver's code; the first that fits counts. */
const explanations: readonly (readonly [string, Explanation])[] = [
  [
    'SQLITE_BUSY',
    {
      code: 'unavailable',
      text: 'has been locked by another process for too long; try again, or stop that process',
      retryAfterSeconds: 5,
    },
  ],
  ['SQLITE_LOCKED', { code: 'unavailable', text: 'is locked; try again', retryAfterSeconds: 1 }],
  [
    'SQLITE_FULL',
    {
      code: 'unavailable',
      text: 'cannot grow because the disk is full; free some space, nothing that was acknowledged is lost',
      retryAfterSeconds: 60,
    },
  ],
  [
    'SQLITE_READONLY',
    { code: 'failed', text: 'cannot be written; give this user write access to it and its directory' },
  ],
  ['SQLITE_PERM', { code: 'failed', text: 'cannot be opened; give this user access to it and its directory' }],
  [
    'SQLITE_CANTOPEN',
    { code: 'failed', text: 'cannot be opened; check that it is a file and that this user has access' },
  ],
  [
    'SQLITE_NOTADB',
    { code: 'failed', text: 'is not an SQLite database; name another file, or restore it from a backup' },
  ],
  ['SQLITE_CORRUPT', { code: 'failed', text: 'is damaged; restore it from a backup' }],
  ['SQLITE_IOERR', { code: 'unavailable', text: 'cannot be read or written; check the disk', retryAfterSeconds: 30 }],
];

/** Explains an error of the database file and how to fix it. Errors that are already explained pass through. */
export function toAppError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const fault = driverFault(error);
  if (fault !== undefined) return fault;
  const driverCode = codeOf(error);
  for (const [prefix, explanation] of explanations) {
    if (!driverCode.startsWith(prefix)) continue;
    return new AppError(explanation.code, `The database ${path} ${explanation.text} (${driverCode}).`, {
      cause: error,
      ...(explanation.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: explanation.retryAfterSeconds }),
    });
  }
  if (error instanceof SyntaxError) {
    const text = `The database ${path} holds a text that is not valid JSON any more; "muster storage check" names its record, restore it from a backup.`;
    return new AppError('failed', text, { cause: error });
  }
  return new AppError('internal', `The database ${path} refused a statement: ${messageOf(error)}`, { cause: error });
}

/** Whether another process holds the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof AppError && codeOf(error.cause).startsWith('SQLITE_BUSY');
}

/** Whether a page of the file is not as it was written. */
export function isDamage(error: unknown): boolean {
  return error instanceof AppError && codeOf(error.cause).startsWith('SQLITE_CORRUPT');
}

/** An error on its way from the writer thread. */
export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
  readonly cause: string;
}

export function packError(error: AppError): SentError {
  const cause = error.cause instanceof Error ? error.cause : error;
  return {
    code: error.code,
    message: error.message,
    retryAfterSeconds: error.retryAfterSeconds,
    cause: cause.stack ?? cause.message,
  };
}

export function unpackError(sent: SentError): AppError {
  return new AppError(sent.code, sent.message, {
    cause: sent.cause,
    ...(sent.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: sent.retryAfterSeconds }),
  });
}

/** Names of error codes for the numbers of `node:sqlite`, of which the low byte counts. */
const CODE_OF_NUMBER: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  if ('errcode' in error && typeof error.errcode === 'number') return CODE_OF_NUMBER[error.errcode & 0xff] ?? '';
  return typeof error.code === 'string' ? error.code : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
