import type { AccountScope } from '../../ports/index.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { KernelServices } from '../kernel/services.ts';
import type { AnonymousRefusals } from './anonymous-refusals.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { AuditForwarding } from './audit/forwarding.ts';

/** The components that write to the log, by name, as far as a caller may reach them. */
interface LogWriters {
  list(scope: AccountScope): Promise<readonly { readonly name: string }[]>;
}

/** The services for operations on the log and the audit log. */
export interface JournalServices extends KernelServices {
  readonly audit: AuditTrail;
  readonly auditForwarding: AuditForwarding;
  readonly anonymousRefusals: AnonymousRefusals;
  readonly accounts: {
    list(scope: AccountScope): Promise<readonly { readonly name: string; readonly type: string }[]>;
  };
  readonly cronGroups: LogWriters;
}

export const { defineOperation } = operationsOf<JournalServices>();
