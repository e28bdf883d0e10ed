import { countWordings, hostsWording } from '../../../kit/summaries/export-summary.ts';
import { enumerated, messageOf, worded } from '../../../kit/worded.ts';
import type { JobOutcome } from '../../../ports/job.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { LogDetail } from '../../../ports/records/log-store.ts';
import { countOf, memberOf, saidOf, textOf } from './answers.ts';

/** Summarises the report of an export in one line. */
export function exportOutcome(account: string, answer: JsonValue): JobOutcome {
  const status = textOf(answer, 'status');
  const said = saidOf(answer);
  if (status === 'failed') return { failed: true, ...messageOf(said) };
  const details: LogDetail[] =
    status === 'partial' ? [{ level: 'warning', ...messageOf(worded`Export of ${{ account }}: ${{ said }}`) }] : [];
  if (memberOf(answer, 'objects') !== null) return { ...messageOf(said), details };
  const summary = memberOf(answer, 'summary');
  const counts = countWordings((name) => countOf(summary, name));
  return { ...messageOf(enumerated([hostsWording(countOf(summary, 'seen')), ...counts]) ?? ''), details };
}
