import { AppError } from '../../ports/index.ts';
import { saidBy } from '../worded.ts';
import { maskedParts, maskedSaid } from './masked-said.ts';
import { maskedValue } from './masked-value.ts';

type Mask = (text: string) => string;

/** The error with everything in it masked, its causes too. Programs find its code and members as they were. */
export function maskedError(error: AppError, mask: Mask): AppError;
export function maskedError(error: unknown, mask: Mask): Error;
export function maskedError(error: unknown, mask: Mask): Error {
  if (!(error instanceof AppError)) {
    return error instanceof Error ? (maskedValue(error, mask) as Error) : new Error(mask(String(error)));
  }
  const copy = new AppError(error.code, maskedSaid(saidBy(error), mask), {
    details: error.details.map(({ path, message, wording }) => ({
      path: mask(path),
      message: mask(message),
      ...(wording === undefined ? {} : { wording: maskedParts(wording, mask) }),
    })),
    members: maskedValue(error.members, mask) as Readonly<Record<string, unknown>>,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.cause === undefined ? {} : { cause: maskedValue(error.cause, mask) }),
  });
  if (error.stack !== undefined) copy.stack = mask(error.stack);
  return copy;
}
