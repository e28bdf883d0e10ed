import type { JournalServices } from '../journal/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { RuleServices } from '../rules/services.ts';
import type { RefusalLimit } from './refusal-limit.ts';
import type { Sessions } from './sessions.ts';
import type { UserDirectory } from './user-directory.ts';
import type { UserParts } from './user-parts.ts';

/** The services for operations on users, their tokens and sessions. */
export interface UserServices extends RuleServices, JournalServices {
  readonly audit: JournalServices['audit'];
  readonly anonymousRefusals: JournalServices['anonymousRefusals'];
  readonly accounts: RuleServices['accounts'];
  readonly users: UserDirectory;
  readonly sessions: Sessions;
  readonly refusals: RefusalLimit;
  readonly features: readonly UserParts[];
}

export const { defineOperation, defineStreamOperation } = operationsOf<UserServices>();
