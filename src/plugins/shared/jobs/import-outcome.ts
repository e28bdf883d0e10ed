import { enumerated, messageOf, worded } from '../../../app/kernel/worded.ts';
import type { Wording } from '../../../ports/errors.ts';
import type { JobOutcome } from '../../../ports/job.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { LogDetail } from '../../../ports/storage/log-store.ts';
import { countOf, memberOf, saidOf, textOf } from './answers.ts';

const COUNTS: Readonly<Record<string, (count: number) => Wording>> = {
  created: (count) => worded`${{ count }} created`,
  updated: (count) => worded`${{ count }} updated`,
  unchanged: (count) => worded`${{ count }} unchanged`,
  archived: (count) => worded`${{ count }} archived`,
  conflicts: (count) => worded`${{ count }} conflicts`,
  skipped: (count) => worded`${{ count }} skipped`,
  failed: (count) => worded`${{ count }} failed`,
};

/** What the report of a run says in one line. */
export function importOutcome(account: string, answer: JsonValue): JobOutcome {
  const status = textOf(answer, 'status');
  const said = saidOf(answer);
  if (status === 'failed') return { failed: true, ...messageOf(said) };
  const summary = memberOf(answer, 'summary');
  const counts = Object.entries(COUNTS).flatMap(([name, wordingOf]) => {
    const count = countOf(summary, name);
    return count === 0 ? [] : wordingOf(count);
  });
  const count = countOf(summary, 'seen');
  const seen = count === 1 ? worded`1 record` : worded`${{ count }} records`;
  const details: LogDetail[] =
    status === 'partial' ? [{ level: 'warning', ...messageOf(worded`Import of ${{ account }}: ${{ said }}`) }] : [];
  return { ...messageOf(enumerated([seen, ...counts]) ?? ''), details };
}
