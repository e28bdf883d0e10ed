import { worded } from '../../kit/worded.ts';
import { momentText } from '../../kit/words/moment.ts';
import type { IncompleteRuns, UndoneImport, Wording } from '../../ports/index.ts';

/** How a run ended: an import or an export. */
export const RUN_STATUS_WORDS: Readonly<Record<'done' | 'partial' | 'failed' | 'cancelled', string>> = {
  done: 'done',
  partial: 'partly done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** The outcome of an import that was undone since. */
export const UNDONE_WORD = 'undone';
/** The outcome of an export whose plan waits for a decision, and of one whose plan was discarded. */
export const WAITS_WORD = 'waits';
export const DISCARDED_WORD = 'discarded';

/** Explains that the last import of an account was undone, and what to do about it. */
export function undoneAdvice(account: string): string {
  return (
    'The next import, even one that cron starts, writes the data of the source again. ' +
    `Import again when the source is right, or disable the account until then: "muster account disable ${account}".`
  );
}

/** Since when an account's runs are not complete, and when the last complete one was. */
export function incompleteWording({ since, runs, lastComplete, part }: IncompleteRuns): Wording {
  const last =
    lastComplete === null
      ? worded`no run was complete before`
      : worded`the last complete run was ${{ at: momentText(lastComplete) }}`;
  const count = runs === 1 ? worded`1 run` : worded`${{ count: runs }} runs`;
  const from = momentText(since);
  return part === undefined
    ? worded`not complete since ${{ from }}, ${{ count }}; ${{ last }}`
    : worded`${{ part }} not complete since ${{ from }}, ${{ count }}; ${{ last }}`;
}

/** Returns the state after an import was undone. */
export function whatStandsWording({ lastComplete }: UndoneImport): Wording {
  return lastComplete === null
    ? worded`every complete import has been undone`
    : worded`the last complete import that was not undone is that of ${{ at: momentText(lastComplete) }}`;
}

/** Explains that runs are not complete, and what to do about it. */
export function incompleteAdvice(account: string, kind: 'import' | 'export', outcome: string): string {
  const test = `"muster account test ${account}"`;
  const isCancelled = outcome === 'cancelled';
  if (kind === 'export') {
    const stays = "The target's objects stay unchanged until an export is complete.";
    if (isCancelled || outcome === 'discarded') return `${stays} Export again to complete it.`;
    if (outcome === 'waiting') return `${stays} Another administrator approves the plan, and then it is applied.`;
    return `${stays} ${test} says whether it answers.`;
  }
  const until = 'Until an import is complete, nothing is archived and no section or relation is removed.';
  if (isCancelled) return `${until} Import again to complete it.`;
  return `${until} ` + `${test} says whether the source answers; when the cause is fixed, import again.`;
}
