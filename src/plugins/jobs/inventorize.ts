import { importJobOf } from '../shared/jobs/import-job.ts';

/** Fills hosts that exist, no matter which account they belong to, with data from the source of an account. */
export const inventorizeJob = importJobOf(
  'Inventorize',
  'Fills an inventory section of hosts that exist from the source of an account.',
  { inventorize: true },
);
