import type { AuditEntry } from '../../ports/index.ts';

/** An event for the audit log; the audit trail adds what it can know itself. */
export type NewAuditEntry = Omit<AuditEntry, 'details'> & { readonly details?: string };
