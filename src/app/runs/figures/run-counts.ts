import type { LogEntry } from '../../../ports/index.ts';
import { type EndedStatus, endedGroupOf, endedRunOf, incompleteRunsOf, type RunKind } from '../../journal/run-log.ts';

interface AccountCount {
  readonly kind: RunKind;
  readonly account: string;
  readonly runs: Partial<Record<EndedStatus, number>>;
  readonly hosts: Record<string, number>;
  completeAt?: Date;
  lastAt?: Date;
  lastSeconds?: number;
}

/** Counts runs from their log entries. Keeps a little data for each account and group, and no entries. */
export class RunCounts {
  readonly accounts = new Map<string, AccountCount>();
  readonly groups = new Map<string, { done: number; failed: number }>();

  /** An entry that came since the process began. */
  count(entry: LogEntry): void {
    const group = endedGroupOf(entry);
    if (group !== undefined) {
      const counts = this.groups.get(group.name) ?? { done: 0, failed: 0 };
      this.groups.set(group.name, counts);
      if (group.failed) counts.failed++;
      else counts.done++;
    }
    const run = endedRunOf(entry);
    if (run === undefined) return;
    const counts = this.#of(entry.source, run);
    counts.runs[run.status] = (counts.runs[run.status] ?? 0) + 1;
    for (const [outcome, count] of Object.entries(countsOf(entry))) {
      counts.hosts[outcome] = (counts.hosts[outcome] ?? 0) + count;
    }
    this.note(entry);
  }

  /** Notes the data that the newest entry of a component has of its account, without counting the run. */
  note(entry: LogEntry): void {
    const run = endedRunOf(entry);
    if (run === undefined) return;
    const counts = this.#of(entry.source, run);
    const completeAt = completeAtOf(entry, run.status);
    if (completeAt !== undefined && !(counts.completeAt !== undefined && counts.completeAt > completeAt)) {
      counts.completeAt = completeAt;
    }
    if (counts.lastAt !== undefined && counts.lastAt > entry.at) return;
    counts.lastAt = entry.at;
    const milliseconds = entry.details.find((detail) => detail.milliseconds !== undefined)?.milliseconds;
    if (milliseconds !== undefined) counts.lastSeconds = milliseconds / 1000;
  }

  #of(source: string, { kind, account }: { readonly kind: RunKind; readonly account: string }): AccountCount {
    const known = this.accounts.get(source);
    if (known !== undefined) return known;
    const counts: AccountCount = { kind, account, runs: startsAt(kind), hosts: {} };
    this.accounts.set(source, counts);
    return counts;
  }
}

/** Every outcome is there from the start, so that its first increase is seen. */
function startsAt(kind: RunKind): Partial<Record<EndedStatus, number>> {
  return { done: 0, partial: 0, failed: 0, ...(kind === 'export' && { waiting: 0 }) };
}

function countsOf({ details }: LogEntry): Readonly<Record<string, number>> {
  return details.find(({ counts }) => counts !== undefined)?.counts ?? {};
}

/** A run that was not complete says when one last was. */
function completeAtOf(entry: LogEntry, status: EndedStatus): Date | undefined {
  const incomplete = incompleteRunsOf(entry);
  if (incomplete === undefined) return status === 'done' || status === 'partial' ? entry.at : undefined;
  return incomplete.lastComplete === null ? undefined : new Date(incomplete.lastComplete);
}
