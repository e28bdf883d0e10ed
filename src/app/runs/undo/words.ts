import { counted } from '../../words/amounts.ts';
import type { UndoReport } from './undo-run.ts';

/** What was, or would be taken back, in one line. */
export function undoText(report: Omit<UndoReport, 'hostnames' | 'leftAlone'>, preview: boolean): string {
  const { changed, archived, restored, renamed, unchanged, left } = report;
  const done = [
    ...(changed === 0 ? [] : [`${counted(changed, 'change')} taken back`]),
    ...(archived === 0 ? [] : [`${counted(archived, 'host')} archived`]),
    ...(restored === 0 ? [] : [`${counted(restored, 'host')} restored`]),
    ...(renamed === 0 ? [] : [`${counted(renamed, 'host')} renamed back`]),
    ...(unchanged === 0 ? [] : [`${counted(unchanged, 'change')} taken back already`]),
    ...(left === 0 ? [] : [`${counted(left, 'host')} left alone`]),
  ];
  if (done.length === 0) return 'the run changed no host that is known of';
  return `${preview ? 'would be: ' : ''}${done.join(', ')}`;
}
