import type { PastRun } from './run-words.ts';

/** Of the runs that took imports back, the newest that names this one by its end, as `2026-01-31 14:05:09` in UTC. */
export function undoingOf<Run extends Pick<PastRun, 'at' | 'message'>>(
  { at }: Pick<PastRun, 'at'>,
  undone: readonly Run[],
): Run | undefined {
  const ended = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return undone.find((run) => run.at >= at && run.message.includes(ended));
}
