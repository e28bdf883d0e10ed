import type { JobOutcome } from '../../../ports/job.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { LogDetail } from '../../../ports/storage/log-store.ts';
import { countOf, memberOf, textOf } from './answers.ts';

/** What the report of a run says in one line. */
export function importOutcome(account: string, answer: JsonValue): JobOutcome {
  const status = textOf(answer, 'status');
  const summary = memberOf(answer, 'summary');
  const counts = ['created', 'updated', 'unchanged', 'archived', 'conflicts', 'skipped', 'failed'].flatMap((name) => {
    const count = countOf(summary, name);
    return count === 0 ? [] : `${count} ${name}`;
  });
  const records = countOf(summary, 'seen');
  const seen = `${records} ${records === 1 ? 'record' : 'records'}`;
  if (status === 'failed') return { failed: true, message: textOf(answer, 'message') };
  const details: LogDetail[] =
    status === 'partial' ? [{ level: 'warning', message: `Import of ${account}: ${textOf(answer, 'message')}` }] : [];
  return { message: [seen, ...counts].join(', '), details };
}
