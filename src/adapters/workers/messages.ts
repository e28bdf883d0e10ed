import type { ServedHost } from '../../app/inventory/prepare-inventories.ts';
import type { Caller } from '../../app/kernel/caller.ts';
import type { OperationInput } from '../../app/kernel/executor.ts';
import type { Progress, StreamAnswer } from '../../app/kernel/operation.ts';
import type { CallTiming } from '../../app/kernel/timings.ts';
import { AppError, type AppErrorOptions, type ErrorCode, type Wording } from '../../ports/index.ts';
import type { HeldPlugin } from './held-plugins.ts';

/** Messages of the service's main thread to an operation worker. */
export type ToWorker =
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly operation: string;
      readonly input: OperationInput;
      readonly caller: Caller;
      /** True asks for the JSON text of a value, in pieces when it is long. */
      readonly asJson: boolean;
      /** See `OperationContext.answerCharacters`. */
      readonly answerCharacters: number | undefined;
    }
  /** The reader takes one more chunk of a stream. */
  | { readonly kind: 'pull'; readonly id: number }
  | { readonly kind: 'abort'; readonly id: number }
  /** Plugins that another thread was lost to. */
  | { readonly kind: 'leave_out'; readonly plugins: readonly HeldPlugin[] }
  /** An idle moment, to do in advance what the first operation would wait for. */
  | { readonly kind: 'prepare' }
  | { readonly kind: 'stop' };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** The request of `prepare` is done, with that host, or failed with this error. */
  | { readonly kind: 'prepared'; readonly served: ServedHost | undefined; readonly error: PlainError | undefined }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'stream'; readonly id: number; readonly head: Omit<StreamAnswer, 'body'> }
  | { readonly kind: 'chunk'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  /** How long calls of the store took since the last time. */
  | { readonly kind: 'timed'; readonly calls: readonly CallTiming[] }
  /** The operation was not run: this thread could not start. */
  | { readonly kind: 'lost'; readonly id: number; readonly error: PlainError }
  | { readonly kind: 'error'; readonly id: number; readonly error: PlainError };

/** An error as it crosses threads. Faults of the program keep their text for the log; entrances never show it. */
export interface PlainError extends Omit<AppErrorOptions, 'cause'> {
  readonly code: ErrorCode;
  readonly message: string;
  readonly wording?: Wording;
  readonly stack?: string;
}

export function plainError(error: unknown): PlainError {
  if (error instanceof AppError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.wording === undefined ? {} : { wording: error.wording }),
      details: error.details,
      members: error.members,
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      ...(error.stack === undefined ? {} : { stack: error.stack }),
    };
  }
  if (error instanceof Error) {
    return { code: 'internal', message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) };
  }
  return { code: 'internal', message: String(error) };
}

export function appErrorOf(plain: PlainError): AppError {
  const error = new AppError(plain.code, plain.wording ?? plain.message, plain);
  if (plain.stack !== undefined) error.stack = plain.stack;
  return error;
}
