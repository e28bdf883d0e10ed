import { threadId } from 'node:worker_threads';
import { worded } from '../../../kit/worded.ts';
import type { ActiveRun } from '../../../ports/index.ts';
import type { RunServices } from '../services.ts';
import { endUnreported, type ReportingServices } from './lapsed-runs.ts';

/** How long a run is believed to go on when its process has died on another machine. A change of the primary of a replica set takes less. */
export const LEASE_MS = 30_000;
const ENDED = worded`it did not stop when it was cancelled, or held its thread for too long, so its thread was ended; its changes stay`;

/** Names the process, the thread of it, and the run. */
export function holderOf({ process }: Pick<RunServices, 'process'>, runId: string, thread = threadId): string {
  return `${process.name}/${thread}/${runId}`;
}

/** The runs of another thread of this process, for the watcher of a thread that does not answer. */
export class RunsOfThreads {
  readonly #services: ReportingServices;

  constructor(services: ReportingServices) {
    this.#services = services;
  }

  /** Whether one of its runs was cancelled. All of them are kept: their thread cannot say that they go on. */
  async isCancelled(thread: number): Promise<boolean> {
    let isCancelled = false;
    for (const { id, accountId } of await this.#of(thread)) {
      const answer = await this.#services.storage.activeRuns.keep({ id, accountId, leaseMs: LEASE_MS });
      isCancelled ||= answer === 'cancel';
    }
    return isCancelled;
  }

  /** Ends the runs of a thread that was ended itself, since nothing else reports how they went. */
  async ended(thread: number): Promise<void> {
    for (const run of await this.#of(thread)) await endUnreported(this.#services, run, ENDED);
  }

  async #of(thread: number): Promise<readonly ActiveRun[]> {
    const runs = await this.#services.storage.activeRuns.list();
    return runs.filter(({ id, holder }) => holder === holderOf(this.#services, id, thread));
  }
}
