import type { JobOutcome } from '../../../ports/job.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { LogDetail } from '../../../ports/storage/log-store.ts';
import { countOf, memberOf, textOf } from './answers.ts';

/** What the report of an export says in one line. */
export function exportOutcome(account: string, answer: JsonValue): JobOutcome {
  const status = textOf(answer, 'status');
  const message = textOf(answer, 'message');
  if (status === 'failed') return { failed: true, message };
  const details: LogDetail[] =
    status === 'partial' ? [{ level: 'warning', message: `Export of ${account}: ${message}` }] : [];
  if (memberOf(answer, 'objects') !== null) return { message, details };
  const summary = memberOf(answer, 'summary');
  const counts = ['written', 'unchanged', 'failed'].flatMap((name) => {
    const count = countOf(summary, name);
    return count === 0 ? [] : `${count} ${name}`;
  });
  const seen = countOf(summary, 'seen');
  return { message: [`${seen} ${seen === 1 ? 'host' : 'hosts'}`, ...counts].join(', '), details };
}
