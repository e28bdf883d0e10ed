import type { AuditEntry } from '../../ports/index.ts';

/** What happened; the audit trail adds what it can know itself. */
export type NewAuditEntry = Omit<AuditEntry, 'details'> & { readonly details?: string };
