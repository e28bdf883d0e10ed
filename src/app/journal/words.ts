import type { IncompleteRuns } from '../../ports/index.ts';
import { counted } from '../words/amounts.ts';
import { momentText } from '../words/moment.ts';

/** How a run ended: an import or an export. */
export const RUN_STATUS_WORDS: Readonly<Record<'done' | 'partial' | 'failed', string>> = {
  done: 'done',
  partial: 'partly done',
  failed: 'failed',
};

/** How an import ended that was taken back since. */
export const UNDONE_WORD = 'undone';

/** What it means that the last import of an account was undone, and what to do about it. */
export function undoneAdvice(account: string): string {
  return (
    'The next import brings what the source says then, also one that cron starts. ' +
    `Import again when the source is right, or disable the account until then: "muster account disable ${account}".`
  );
}

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
