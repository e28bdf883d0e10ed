import { countWordings, recordsWording } from '../../../kit/summaries/import-summary.ts';
import { enumerated, messageOf, worded } from '../../../kit/worded.ts';
import type { JobOutcome } from '../../../ports/job.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { LogDetail } from '../../../ports/records/log-store.ts';
import { countOf, memberOf, saidOf, textOf } from './answers.ts';

/** Summarises the report of a run in one line. */
export function importOutcome(account: string, answer: JsonValue): JobOutcome {
  const status = textOf(answer, 'status');
  const said = saidOf(answer);
  if (status === 'failed') return { failed: true, ...messageOf(said) };
  const summary = memberOf(answer, 'summary');
  const counts = countWordings((name) => countOf(summary, name));
  const details: LogDetail[] =
    status === 'partial' ? [{ level: 'warning', ...messageOf(worded`Import of ${{ account }}: ${{ said }}`) }] : [];
  return { ...messageOf(enumerated([recordsWording(countOf(summary, 'seen')), ...counts]) ?? ''), details };
}
