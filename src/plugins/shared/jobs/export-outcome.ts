import { enumerated, messageOf, worded } from '../../../app/kernel/worded.ts';
import type { Wording } from '../../../ports/errors.ts';
import type { JobOutcome } from '../../../ports/job.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { LogDetail } from '../../../ports/storage/log-store.ts';
import { countOf, memberOf, saidOf, textOf } from './answers.ts';

const COUNTS: Readonly<Record<string, (count: number) => Wording>> = {
  written: (count) => worded`${{ count }} written`,
  unchanged: (count) => worded`${{ count }} unchanged`,
  failed: (count) => worded`${{ count }} failed`,
};

/** What the report of an export says in one line. */
export function exportOutcome(account: string, answer: JsonValue): JobOutcome {
  const status = textOf(answer, 'status');
  const said = saidOf(answer);
  if (status === 'failed') return { failed: true, ...messageOf(said) };
  const details: LogDetail[] =
    status === 'partial' ? [{ level: 'warning', ...messageOf(worded`Export of ${{ account }}: ${{ said }}`) }] : [];
  if (memberOf(answer, 'objects') !== null) return { ...messageOf(said), details };
  const summary = memberOf(answer, 'summary');
  const counts = Object.entries(COUNTS).flatMap(([name, wordingOf]) => {
    const count = countOf(summary, name);
    return count === 0 ? [] : wordingOf(count);
  });
  const count = countOf(summary, 'seen');
  const seen = count === 1 ? worded`1 host` : worded`${{ count }} hosts`;
  return { ...messageOf(enumerated([seen, ...counts]) ?? ''), details };
}
