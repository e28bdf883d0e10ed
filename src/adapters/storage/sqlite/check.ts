import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StorageProblem } from '../../../ports/index.ts';
import { type SentError, unpackError } from './errors.ts';
import { COUNTERS } from './find-problems.ts';
import { threadEntry } from './thread-entry.ts';
import type { WriterClient } from './writer-client.ts';

export interface CheckData {
  readonly path: string;
  readonly lockTimeoutMs: number;
  readonly only: 'damage' | undefined;
}

export type FromCheck = { readonly problem: StorageProblem } | { readonly error: SentError };

/** Looks for damage and for what does not fit together, and puts counters right. */
export async function* checkDatabase(
  data: CheckData,
  writer: WriterClient,
  fix: boolean,
): AsyncGenerator<StorageProblem> {
  const wrong: StorageProblem[] = [];
  for await (const problem of problemsOf(data)) {
    if (problem.subject === COUNTERS) wrong.push(problem);
    else yield problem;
  }
  if (wrong.length > 0 && fix) await writer.call('repairCounters', null);
  for (const problem of wrong) yield { ...problem, fixed: fix };
}

/** A thread of its own does the looking: SQLite's own check alone is one statement, half a second for each 100,000 hosts. */
async function* problemsOf(data: CheckData): AsyncGenerator<StorageProblem> {
  const worker = new Worker(threadEntry('sqlite-check'), { workerData: data, name: 'sqlite-check' });
  const arrivals: AsyncIterable<FromCheck[]> = on(worker, 'message', { close: ['exit'] });
  try {
    for await (const [message] of arrivals) {
      if (message === undefined) continue;
      if ('error' in message) throw unpackError(message.error);
      yield message.problem;
    }
  } finally {
    // A running statement continues to its end, and there is no need to wait for it.
    void worker.terminate();
  }
}
