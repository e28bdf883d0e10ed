import type { ChangeOutcome, EntryOutcome } from '../../../../ports/index.ts';

export function endOf(outcome: ChangeOutcome): EntryOutcome {
  if (outcome.done) return 'done';
  return outcome.code === 'in_the_way' ? 'refused' : outcome.code;
}

export function isNotTried(outcome: ChangeOutcome | undefined): boolean {
  return outcome?.done === false && outcome.code === 'not_tried';
}

const CODES: ReadonlySet<string> = new Set([
  'refused',
  'changed',
  'gone',
  'exists',
  'not_tried',
  'unknown',
  'in_the_way',
]);

/** Plugins are written in plain JavaScript too. */
export function checkedOutcomes(answers: unknown, count: number): readonly ChangeOutcome[] | undefined {
  if (!Array.isArray(answers) || answers.length !== count) return undefined;
  const isOutcome = (answer: unknown): answer is ChangeOutcome => {
    if (typeof answer !== 'object' || answer === null || !('done' in answer)) return false;
    if ('id' in answer && typeof answer.id !== 'string' && answer.id !== undefined) return false;
    if (answer.done === true) return true;
    return 'code' in answer && typeof answer.code === 'string' && CODES.has(answer.code) && 'reason' in answer;
  };
  return answers.every(isOutcome) ? answers : undefined;
}
