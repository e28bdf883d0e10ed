import { enumerated, type Said, worded } from '../../kit/worded.ts';
import type { Wording } from '../../ports/index.ts';
import type { UndoReport } from './undo-run.ts';

type Counts = Omit<UndoReport, 'hostnames' | 'leftAlone'>;

const COUNTS: Readonly<Record<keyof Counts, (count: number) => Wording>> = {
  changed: (count) => (count === 1 ? worded`1 change undone` : worded`${{ count }} changes undone`),
  archived: (count) => (count === 1 ? worded`1 host archived` : worded`${{ count }} hosts archived`),
  restored: (count) => (count === 1 ? worded`1 host restored` : worded`${{ count }} hosts restored`),
  renamed: (count) => (count === 1 ? worded`1 host renamed back` : worded`${{ count }} hosts renamed back`),
  unchanged: (count) => (count === 1 ? worded`1 change already undone` : worded`${{ count }} changes already undone`),
  left: (count) => (count === 1 ? worded`1 host left alone` : worded`${{ count }} hosts left alone`),
};

/** Describes in one line the changes that were or would be undone. */
export function undoWording(report: Counts, preview: boolean): Said {
  const names = (Object.keys(COUNTS) as (keyof Counts)[]).filter((name) => report[name] > 0);
  const done = enumerated(names.map((name) => COUNTS[name](report[name])));
  if (done === undefined) return worded`the run changed no host that is known of`;
  return preview ? worded`dry run: ${{ done }}` : done;
}
