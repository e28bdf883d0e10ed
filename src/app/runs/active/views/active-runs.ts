import type * as z from 'zod';
import { momentText } from '../../../../kit/words/moment.ts';
import type { Column, Print } from '../../../kernel/print.ts';
import type { activeRunSchema } from '../active-run-answer.ts';
import { progressText } from '../words.ts';

type ActiveRunAnswer = z.infer<typeof activeRunSchema>;

export function activeRunsView({ runs }: { readonly runs: readonly ActiveRunAnswer[] }, print: Print): Promise<void> {
  return print.table(runs, ACTIVE_RUN_COLUMNS, 'Nothing runs now.');
}

export const ACTIVE_RUN_COLUMNS: readonly Column<ActiveRunAnswer>[] = [
  { header: 'run', value: ({ id }) => id },
  { header: 'started (UTC)', value: ({ started_at }) => momentText(started_at) },
  { header: 'what', value: ({ kind }) => kind },
  { header: 'account', value: ({ account, part }) => (part === null ? account : `${account} (part ${part})`) },
  { header: 'by', value: ({ started_by }) => started_by },
  { header: 'progress', value: ({ progress }) => progressText(progress), shrink: true },
];
