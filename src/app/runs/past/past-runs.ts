import { type LogPage, pageOfLog } from '../../journal/log-pages.ts';
import { runLogSource } from '../../journal/run-log.ts';
import { visibleEntries } from '../../journal/visible-logs.ts';
import { type Caller, holdsRole } from '../../kernel/caller.ts';
import type { Placed, ReadPastRuns } from '../run-parts.ts';
import type { RunServices } from '../services.ts';
import { loggedRun, type PastRun } from './past-run.ts';

export interface PastRunsRequest {
  readonly kind?: PastRun['kind'] | undefined;
  readonly account?: string | undefined;
  readonly outcome?: PastRun['outcome'] | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A page of what ran, newest first, of all that the caller may see. */
export async function pastRuns(
  services: RunServices,
  caller: Caller,
  request: PastRunsRequest,
): Promise<{ runs: PastRun[]; next: string | null }> {
  const { kind, account, outcome, before, limit } = request;
  const matches = ({ run }: Placed): boolean =>
    run !== undefined &&
    (kind === undefined || run.kind === kind) &&
    (account === undefined || run.name === account) &&
    (outcome === undefined || run.outcome === outcome);
  const pages = await Promise.all(
    readersFor(services, caller, request).map((read) => pageOfLog(read, { limit, before, matches })),
  );
  return joined(pages, limit);
}

/** Joins the pages down to the point that all of them were read to; older runs are left to the next page. */
function joined(pages: readonly LogPage<Placed>[], limit: number): { runs: PastRun[]; next: string | null } {
  const [boundary] = pages.flatMap(({ next }) => next ?? []).sort(newestFirst);
  const found = pages
    .flatMap(({ entries }) => entries.flatMap(({ run }) => run ?? []))
    .filter(({ place }) => boundary === undefined || newestFirst(place, boundary) <= 0)
    .sort((a, b) => newestFirst(a.place, b.place));
  const runs = found.slice(0, limit);
  return { runs, next: found.length > limit ? (runs.at(-1)?.place ?? null) : (boundary ?? null) };
}

/** Compares places of a log, given as text. */
function newestFirst(left: string, right: string): number {
  const [leftAt = '', leftId = ''] = left.split('-');
  const [rightAt = '', rightId = ''] = right.split('-');
  return Number(rightAt) - Number(leftAt) || (leftId < rightId ? 1 : leftId > rightId ? -1 : 0);
}

function readersFor(
  services: RunServices,
  caller: Caller,
  { kind, account }: PastRunsRequest,
): readonly ReadPastRuns[] {
  const wants = (...kinds: readonly PastRun['kind'][]): boolean => kind === undefined || kinds.includes(kind);
  const readers: ReadPastRuns[] = [];
  if (account !== undefined) {
    for (const logged of ['import', 'export'] as const) {
      if (wants(logged)) readers.push(logReader(services, caller, runLogSource(logged, account)));
    }
  } else if (wants('import', 'export', 'cron')) readers.push(logReader(services, caller));
  for (const { kind: other, ofAccount, role, read } of services.features.flatMap(({ pastRuns = [] }) => pastRuns)) {
    if (wants(other) && (ofAccount || account === undefined) && holdsRole(caller, [role]))
      readers.push(read(services, caller));
  }
  return readers;
}

function logReader(services: RunServices, caller: Caller, source?: string): ReadPastRuns {
  return async (request) =>
    (await visibleEntries(services, caller, { ...request, source })).map((entry) => ({
      at: entry.at,
      id: entry.id,
      run: loggedRun(entry, caller),
    }));
}
