import type { JobType } from '../../ports/job.ts';
import type { LogDetail } from '../../ports/storage/log-store.ts';
import { countOf, memberOf, textOf } from '../shared/jobs/answers.ts';

/** The account's export, whatever its type. */
export const exportJob: JobType = {
  id: 'Export',
  aliases: [],
  // Existing installations have one command for each target: `Netbox: Export Devices`, `VMware: Export hosts`.
  isAlias: (command) => /^[^:]+:\s*export\b/i.test(command),
  description: 'Exports the hosts to the target of an account.',
  account: 'required',
  async run({ account = '', operation }) {
    const answer = await operation('exports/export-account', { account });
    const status = textOf(answer, 'status');
    if (status === 'failed') return { failed: true, message: textOf(answer, 'message') };
    if (memberOf(answer, 'objects') !== null) {
      const details: LogDetail[] =
        status === 'partial'
          ? [{ level: 'warning', message: `Export of ${account}: ${textOf(answer, 'message')}` }]
          : [];
      return { message: textOf(answer, 'message'), details };
    }
    const summary = memberOf(answer, 'summary');
    const counts = ['written', 'unchanged', 'failed'].flatMap((name) => {
      const count = countOf(summary, name);
      return count === 0 ? [] : `${count} ${name}`;
    });
    const details: LogDetail[] =
      status === 'partial' ? [{ level: 'warning', message: `Export of ${account}: ${textOf(answer, 'message')}` }] : [];
    const seen = countOf(summary, 'seen');
    return { message: [`${seen} ${seen === 1 ? 'host' : 'hosts'}`, ...counts].join(', '), details };
  },
};
