import { momentText } from '../../../../kit/words/moment.ts';
import type { Column, Print } from '../../../kernel/print.ts';
import type { PastRun } from '../past-run.ts';

export function pastRunsView({ runs }: { readonly runs: readonly PastRun[] }, print: Print): Promise<void> {
  return print.table(runs, PAST_RUN_COLUMNS, 'No run was found.');
}

export const PAST_RUN_COLUMNS: readonly Column<PastRun>[] = [
  { header: 'when (UTC)', value: ({ at }) => momentText(at) },
  { header: 'what', value: ({ kind }) => kind },
  { header: 'of', value: ({ name }) => name },
  {
    header: 'outcome',
    value: ({ outcome }) => outcome,
    paint: (text, { outcome }, colours) =>
      outcome === 'failed' ? colours.red(text) : outcome === 'partial' ? colours.yellow(text) : text,
  },
  { header: 'message', value: ({ message }) => message, shrink: true },
  { header: 'place', names: true, value: ({ place }) => place },
];
