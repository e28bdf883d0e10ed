import type { OfferedOutput } from '../../offered-operations.ts';
import { isoOf } from '../parts/moments.ts';
import type { PastRun } from '../runs/run-words.ts';

type AuditEntry = OfferedOutput<'syncer/list-audit'>['entries'][number];

interface Causes {
  /** The newest run of each account that changed something, with how many did. */
  readonly byRuns: readonly { readonly run: PastRun; readonly count: number }[];
  readonly byPeople: readonly {
    readonly actor: string;
    readonly what: ChangedArea;
    readonly count: number;
    readonly at: string;
  }[];
}

const MOST = 6;

/** Areas of operations that change the content of inventories. */
const AREAS = ['hosts', 'rules', 'accounts', 'relations'] as const;
export type ChangedArea = (typeof AREAS)[number];

/** Returns the causes of changes since a moment, as ISO 8601 in UTC; newest first. */
export function changeCauses(runs: readonly PastRun[], audit: readonly AuditEntry[], since: string): Causes {
  const byRuns = new Map<string, { run: PastRun; count: number }>();
  for (const run of runs) {
    if (run.at < since || run.kind !== 'import' || (run.changed ?? 0) === 0) continue;
    const known = byRuns.get(run.name);
    if (known === undefined) byRuns.set(run.name, { run, count: 1 });
    else known.count++;
  }
  const byPeople = new Map<string, { actor: string; what: ChangedArea; count: number; at: string }>();
  for (const { actor, operation, outcome, entrance, time } of audit) {
    const what = AREAS.find((area) => operation.startsWith(`${area}/`));
    if (isoOf(time) < since || outcome !== 'done' || entrance === 'cron' || what === undefined) continue;
    const key = `${actor} ${what}`;
    const known = byPeople.get(key);
    if (known === undefined) byPeople.set(key, { actor, what, count: 1, at: time });
    else known.count++;
  }
  return { byRuns: [...byRuns.values()].slice(0, MOST), byPeople: [...byPeople.values()].slice(0, MOST) };
}
