import { messageOf, worded } from '../../../kit/worded.ts';
import type { ActiveRun, Wording } from '../../../ports/index.ts';
import { appendRunLog, runLogSource } from '../../journal/run-log.ts';
import type { RunServices } from '../services.ts';

export type ReportingServices = Pick<RunServices, 'storage' | 'clock' | 'logger' | 'newId' | 'process'>;

const UNREPORTED = worded`the program that ran it ended, or could not reach the database, before it could say how it went`;
/** A process that lives may only have lost the database for a while: it is left time to tell of its run itself. */
const GRACE_MS = 60_000;
/** Number of newest entries of an account that are searched for that of its last run. */
const NEWEST_ENTRIES = 20;

/** Looks periodically for runs that were never ended, and writes their missing log entries. */
export class LapsedRuns {
  readonly #services: ReportingServices;
  /** Since when they are known, by id. */
  readonly #known = new Map<string, number>();

  constructor(services: ReportingServices) {
    this.#services = services;
  }

  async look(): Promise<void> {
    const { storage, process } = this.#services;
    const { activeRuns } = storage;
    const lapsed = await activeRuns.lapsed();
    const ids = new Set(lapsed.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    for (const run of lapsed) {
      if (process.isDead(run.holder) || this.#isLong(run)) await endUnreported(this.#services, run);
    }
    for (const run of await activeRuns.list()) if (process.isDead(run.holder)) await endUnreported(this.#services, run);
  }

  #isLong({ id }: ActiveRun): boolean {
    const now = performance.now();
    const since = this.#known.get(id) ?? now;
    this.#known.set(id, since);
    return now - since >= GRACE_MS;
  }
}

/**
 * Ends a run whose holder does not. Its log entry has its id, so that it is written only once, by any process. Only imports have
 * one.
 */
export async function endUnreported(
  services: ReportingServices,
  run: ActiveRun,
  why: Wording = UNREPORTED,
): Promise<void> {
  const { storage, clock, logger, newId } = services;
  const { id, kind, account, part, startedAt } = run;
  // If several processes find it, only one writes.
  if (!(await storage.activeRuns.end(run)) || kind !== 'import') return;
  const newest = await storage.logs.latest({ limit: NEWEST_ENTRIES, source: runLogSource(kind, account) });
  if (newest.some((entry) => entry.id === id)) return;
  const report = { status: 'failed', ...messageOf(why) } as const;
  const began = { level: 'info', ...messageOf(worded`its changes stay`), began: startedAt.toISOString() } as const;
  const deps = { logs: storage.logs, clock, logger, newId };
  await appendRunLog(deps, { id, kind, account, report, details: [began], part: part ?? undefined });
}
