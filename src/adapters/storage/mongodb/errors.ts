import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNotConnectedError,
  MongoParseError,
  MongoServerError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { AppError } from '../../../ports/index.ts';

const DUPLICATE_KEY = 11000;

/**
 * Codes by which a server says that it cannot do this now, but it or its successor will: node is recovering, shut down or
 * no primary (any more), interrupted by a change of primary, too slow, write concern not met in time, too many operations.
 */
const TRANSIENT = new Set([
  6, 7, 24, 50, 64, 89, 91, 112, 133, 134, 189, 202, 237, 262, 317, 365, 384, 462, 9001, 10058, 10107, 11600, 11602,
  13388, 13435, 13436, 46841,
]);
const REFUSED = new Set([13, 18, 33, 8000]);
const TOO_LARGE = new Set([10334, 17419, 17420]);

/** How long a caller should wait when the database does not answer: the driver looks for a new primary meanwhile. */
const RETRY_AFTER_SECONDS = 5;

export const NO_ANSWER = 'The database does not answer. Try again shortly.';

/** Converts an error of the driver to one of the ports. The connection string never shows: it may hold a password. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) return unavailable(NO_ANSWER, error);
  if (isTooLarge(error)) {
    return new AppError('too_large', 'The record would be larger than the 16 MB that the database can store.', {
      cause: error,
    });
  }
  if (error instanceof MongoServerError && REFUSED.has(Number(error.code))) {
    return new AppError('failed', 'The database refused the credentials. Check user and password in DATABASE_URL.', {
      cause: error,
    });
  }
  if (error instanceof MongoParseError || error instanceof MongoAPIError) {
    return new AppError('internal', 'The database driver refused the call.', { cause: error });
  }
  if (isDuplicateKey(error)) {
    return new AppError('conflict', 'Another caller stored the same record at the same time. Try again.', {
      cause: error,
    });
  }
  return new AppError('internal', 'The database could not do what was requested.', { cause: error });
}

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The result of a bulk write that met existing keys and nothing worse; `undefined` for any other error. */
export function duplicateKeys(
  error: unknown,
): { readonly positions: readonly number[]; readonly matched: number } | undefined {
  if (!(error instanceof MongoBulkWriteError)) return undefined;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  if (errors.length === 0 || error.result.getWriteConcernError() !== undefined) return undefined;
  if (errors.some((item) => item.code !== DUPLICATE_KEY)) return undefined;
  return { positions: errors.map((item) => item.index), matched: error.matchedCount };
}

export function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unavailable';
  if (error instanceof MongoBulkWriteError && isUnansweredBulk(error)) return true;
  if (error instanceof MongoWriteConcernError) return true;
  if (
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoClientClosedError
  ) {
    return true;
  }
  if (!(error instanceof MongoError)) return false;
  // Neither an answer of the server nor a wrong call: something happened to the connection, to the wait for one, or to the data
  // received. The driver does not report a connection that ends in the middle of an answer as a network error.
  if (!(error instanceof MongoServerError || error instanceof MongoAPIError || error instanceof MongoParseError)) {
    return true;
  }
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('TransientTransactionError')) return true;
  return TRANSIENT.has(Number(error.code));
}

/** A lost connection in a bulk write comes inside of an error of the bulk, without a code. */
function isUnansweredBulk(error: MongoBulkWriteError): boolean {
  if (error.result.getWriteConcernError() !== undefined) return true;
  const inner: unknown = error.errorResponse;
  return inner instanceof Error && isUnavailable(inner);
}

function isTooLarge(error: unknown): boolean {
  if (error instanceof MongoServerError) return TOO_LARGE.has(Number(error.code));
  if (error instanceof MongoInvalidArgumentError) return error.message.includes('larger than the maximum size');
  // The encoder's buffer has the size of the largest document.
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

/** The server forgot a cursor: it idled too long, or a new primary does not know it. */
export function isLostCursor(error: unknown): boolean {
  return error instanceof MongoServerError && (error.code === 43 || error.code === 237);
}

/** An index that was named to the server is not there. */
export function isMissingHint(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 2 && error.message.includes('hint');
}

/** Something that passes while the client stays open: another answer can be asked for. */
export function isPassing(error: unknown): boolean {
  const isClosed =
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoClientClosedError;
  return !isClosed && isUnavailable(error);
}
