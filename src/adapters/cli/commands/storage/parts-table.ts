import type { Column } from '../../../../app/kernel/print.ts';
import { grouped } from '../../../../kit/words/amounts.ts';

export interface Part {
  readonly part: string;
  readonly count: number;
  readonly digest: string;
}

/** Copied parts; the digest is the same in the source and in the target. */
export const PART_COLUMNS: readonly Column<Part>[] = [
  {
    header: 'part',
    value: ({ part }) => part.replaceAll('_', ' '),
    paint: (text, _part, colours) => colours.bold(text),
  },
  { header: 'records', value: ({ count }) => grouped(count), align: 'right' },
  { header: 'sha256, equal on both sides', value: ({ digest }) => digest, shrink: true },
];
