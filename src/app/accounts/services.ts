import type { JournalServices } from '../journal/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { RuleServices } from '../rules/services.ts';
import type { AccountDirectory } from './account-directory.ts';

/** The services for operations on accounts. */
export interface AccountServices extends RuleServices, JournalServices {
  readonly audit: JournalServices['audit'];
  readonly anonymousRefusals: JournalServices['anonymousRefusals'];
  readonly accounts: AccountDirectory;
  /** Whether the database is one that other nodes may have, too. */
  readonly hasOtherNodes: boolean;
}

export const { defineOperation } = operationsOf<AccountServices>();
