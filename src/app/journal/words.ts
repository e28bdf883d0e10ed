import type { IncompleteRuns } from '../../ports/index.ts';
import { counted } from '../words/amounts.ts';
import { momentText } from '../words/moment.ts';

/** How a run ended: an import or an export. */
export const RUN_STATUS_WORDS: Readonly<Record<'done' | 'partial' | 'failed', string>> = {
  done: 'done',
  partial: 'partly done',
  failed: 'failed',
};

/** Since when an account's runs are not complete, and when the last complete one was. */
export function incompleteText({ since, runs, lastComplete, part }: IncompleteRuns): string {
  const last =
    lastComplete === null ? 'no run was complete before' : `the last complete run was ${momentText(lastComplete)}`;
  const what = part === undefined ? '' : `${part} `;
  return `${what}not complete since ${momentText(since)}, ${counted(runs, 'run')}; ${last}`;
}

/** What it means that runs are not complete, and what to do about it. */
export function incompleteAdvice(account: string, kind: 'import' | 'export'): string {
  const test = `"muster account test ${account}"`;
  if (kind === 'export') {
    return `What the target has stays as it is until an export is complete. ${test} says whether it answers.`;
  }
  return (
    'Until an import is complete nothing is archived, and no section or relation is taken back. ' +
    `${test} says whether the source answers; when the cause is fixed, import again.`
  );
}
