import { importJobOf } from '../shared/jobs/import-job.ts';

/** What the source of an account knows of hosts that are there, whosever they are. */
export const inventorizeJob = importJobOf(
  'Inventorize',
  'Fills an inventory section of hosts that exist from the source of an account.',
  { inventorize: true },
);
