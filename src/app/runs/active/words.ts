import { worded } from '../../../kit/worded.ts';
import { grouped } from '../../../kit/words/amounts.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Wording } from '../../../ports/index.ts';

interface NamedRun {
  readonly kind: 'import' | 'export' | 'plan';
  readonly account: string;
  readonly part: string | null;
}

/** Names a run by its kind and account: `the import of datacentre`. */
export function runWording({ kind, account, part }: NamedRun): Wording {
  const name = part === null ? account : `${account} (part ${part})`;
  switch (kind) {
    case 'import':
      return worded`the import of ${{ name }}`;
    case 'export':
      return worded`the export of ${{ name }}`;
    case 'plan':
      return worded`the plan of ${{ name }}`;
  }
}

/** A job that no node has taken yet: `import of datacentre (cron group nightly) waits for a node that takes dmz since 2026-01-01 12:00`. */
export function waitingText(waiting: {
  readonly job: string;
  readonly account: string;
  readonly group: string;
  readonly runs_at: string;
  readonly since: string;
}): string {
  const { job, account, group, runs_at, since } = waiting;
  return `${job} of ${account} (cron group ${group}) waits for a node that takes ${runs_at} since ${momentText(since)}`;
}

/** How far a run is: `40 % · 1,200 records`. */
export function progressText(
  progress: {
    readonly done: number;
    readonly total: number | null;
    readonly unit: string;
    readonly note: string;
  } | null,
): string {
  if (progress === null) return 'it has just begun';
  const { done, total, unit, note } = progress;
  const share = total === null || total === 0 ? [] : [`${Math.min(100, Math.floor((done / total) * 100))} %`];
  // A number of bytes means nothing to people, unlike the number of records.
  const amount =
    unit === 'bytes'
      ? []
      : [total === null ? `${grouped(done)} ${unit}` : `${grouped(done)} of ${grouped(total)} ${unit}`];
  return [...share, ...amount, ...(note === '' ? [] : [note])].join(' · ');
}
