import type { JobType } from '../../ports/job.ts';
import { exportOutcome } from '../shared/jobs/export-outcome.ts';

/** The account's export, whatever its type. */
export const exportJob: JobType = {
  id: 'Export',
  aliases: [],
  // Existing installations have one command for each target: `Netbox: Export Devices`, `VMware: Export hosts`.
  isAlias: (command) => /^[^:]+:\s*export\b/i.test(command),
  description: 'Exports the hosts to the target of an account.',
  account: 'required',
  run: async ({ account = '', operation }) =>
    exportOutcome(account, await operation('exports/export-account', { account })),
};
