import type { ActiveRun, ActiveRunProgress, ActiveRunStart } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from './utf8-order.ts';

/** A run as stores keep it: as JSON, and its times in milliseconds. */
export interface StoredActiveRun extends Omit<ActiveRun, 'startedAt'> {
  readonly startedAt: number;
  readonly leaseUntil: number;
  readonly cancelRequested: boolean;
}

export function newActiveRun({ leaseMs, startedAt, ...run }: ActiveRunStart, now: number): StoredActiveRun {
  return {
    ...run,
    account: wellFormed(run.account),
    part: run.part === null ? null : wellFormed(run.part),
    startedBy: wellFormed(run.startedBy),
    startedAt: startedAt.getTime(),
    progress: null,
    leaseUntil: now + leaseMs,
    cancelRequested: false,
  };
}

export function storedProgress(progress: ActiveRunProgress): ActiveRunProgress {
  return { ...progress, note: wellFormed(progress.note) };
}

/** The run with a longer lease, and with its progress if given. */
export function keptRun(
  run: StoredActiveRun,
  leaseUntil: number,
  progress: ActiveRunProgress | undefined,
): StoredActiveRun {
  return { ...run, ...(progress === undefined ? {} : { progress: storedProgress(progress) }), leaseUntil };
}

export function toActiveRun({ leaseUntil, cancelRequested, startedAt, ...run }: StoredActiveRun): ActiveRun {
  return { ...run, startedAt: new Date(startedAt) };
}

/** The run of the account that keeps another one from beginning. */
export function runInTheWay(
  going: readonly StoredActiveRun[],
  wanted: Pick<ActiveRun, 'kind' | 'part'>,
): StoredActiveRun | undefined {
  if (wanted.kind === 'plan') return undefined;
  return going.find(
    ({ kind, part }) => kind === wanted.kind && (part === null || wanted.part === null || part === wanted.part),
  );
}

/** Oldest first. */
export function inOrder(runs: readonly StoredActiveRun[]): readonly ActiveRun[] {
  return [...runs]
    .sort((left, right) => left.startedAt - right.startedAt || compareUtf8(left.id, right.id))
    .map(toActiveRun);
}
