import type { JobType } from '../../../ports/job.ts';
import { importOutcome } from './import-outcome.ts';

/** The part of an account that is read, and the use of its records. */
interface ImportWork {
  readonly part?: string;
  /** Fills a section of hosts that are there, whosever they are. */
  readonly inventorize?: true;
}

/** A job that imports an account, a part of it, or what it knows of hosts that are there. */
export function importJobOf(id: string, description: string, work: ImportWork = {}): JobType {
  return {
    id,
    aliases: [],
    description,
    account: 'required',
    ...(work.inventorize === true ? {} : { withinAccount: true }),
    run: async ({ account = '', operation }) =>
      importOutcome(account, await operation('imports/import-account', { account, ...work })),
  };
}
