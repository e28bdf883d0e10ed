import type { JobType } from '../../ports/job.ts';
import { importOutcome } from '../shared/jobs/import-outcome.ts';

/** What the source of an account knows of hosts that are there, whosever they are. */
export const inventorizeJob: JobType = {
  id: 'Inventorize',
  aliases: [],
  description: 'Fills an inventory section of hosts that exist from the source of an account.',
  account: 'required',
  run: async ({ account = '', operation }) =>
    importOutcome(account, await operation('imports/import-account', { account, inventorize: true })),
};
