import type * as z from 'zod';
import { momentText } from '../../../../kit/words/moment.ts';
import type { Column, Print } from '../../../kernel/print.ts';
import type { waitingJobSchema } from '../../offers/waiting-work.ts';
import type { activeRunSchema } from '../active-run-answer.ts';
import { progressText, waitingText } from '../words.ts';

type ActiveRunAnswer = z.infer<typeof activeRunSchema>;

interface ActiveWork {
  readonly runs: readonly ActiveRunAnswer[];
  readonly waiting: readonly z.infer<typeof waitingJobSchema>[];
}

export async function activeRunsView({ runs, waiting }: ActiveWork, print: Print): Promise<void> {
  await print.table(runs, ACTIVE_RUN_COLUMNS, 'Nothing runs now.');
  for (const job of waiting) print.note(waitingText(job));
}

export const ACTIVE_RUN_COLUMNS: readonly Column<ActiveRunAnswer>[] = [
  { header: 'run', value: ({ id }) => id },
  { header: 'started (UTC)', value: ({ started_at }) => momentText(started_at) },
  { header: 'what', value: ({ kind }) => kind },
  { header: 'account', value: ({ account, part }) => (part === null ? account : `${account} (part ${part})`) },
  { header: 'by', value: ({ started_by }) => started_by },
  { header: 'node', value: ({ node }) => node ?? '' },
  { header: 'progress', value: ({ progress }) => progressText(progress), shrink: true },
];
