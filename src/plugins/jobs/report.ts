import { counted } from '../../kit/words/amounts.ts';
import type { JobType } from '../../ports/job.ts';
import type { JsonValue } from '../../ports/json.ts';
import { memberOf, textOf } from '../shared/jobs/answers.ts';

export const reportJob: JobType = {
  id: 'Report',
  aliases: [],
  description: 'Sends the saved searches that name an account for notifications, as CSV files.',
  account: 'required',
  async run({ account = '', operation }) {
    const answer = await operation('search/send-searches', { receiver: account });
    const sent = listOf(answer, 'sent');
    const failed = listOf(answer, 'failed');
    const details = failed.map((one) => ({
      level: 'error' as const,
      message: `${textOf(one, 'name')} of ${textOf(one, 'owner')}: ${textOf(one, 'error')}`,
    }));
    if (sent.length + failed.length === 0)
      return { failed: true, message: `no saved search is sent through ${account}; save one with "Send through"` };
    return {
      failed: failed.length > 0,
      message: `${counted(sent.length, 'saved search', 'saved searches')} sent through ${account}${failed.length > 0 ? `, ${failed.length} failed` : ''}`,
      details,
    };
  },
};

function listOf(answer: JsonValue, name: string): readonly JsonValue[] {
  const value = memberOf(answer, name);
  return Array.isArray(value) ? value : [];
}
