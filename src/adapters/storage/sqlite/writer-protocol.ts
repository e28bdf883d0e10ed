import type { MessagePort } from 'node:worker_threads';
import type { SentError } from './errors.ts';
import type { Jobs } from './write/jobs.ts';

/** Messages between callers and the writer thread. */

export type JobKind = keyof Jobs;
export type JobMessage<K extends JobKind> = Parameters<Jobs[K]>[1];
export type JobResult<K extends JobKind> = ReturnType<Jobs[K]>;

/** One write on its way; `id` is the caller's own number, `weight` how many entries it holds. */
export interface SentJob {
  readonly id: number;
  readonly kind: JobKind;
  readonly message: unknown;
  readonly weight: number;
}

export type ToWriter =
  | { readonly type: 'jobs'; readonly jobs: readonly SentJob[] }
  /** Another thread of the process that writes through this writer. */
  | { readonly type: 'connect'; readonly port: MessagePort }
  /** Finish what is queued, then end. */
  | { readonly type: 'close' };

export type SentResult =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError };

export interface FromWriter {
  readonly results: readonly SentResult[];
}

export interface WriterData {
  readonly path: string;
  readonly lockTimeoutMs: number;
}
