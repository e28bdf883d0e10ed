import type { KeptAuditEntry } from './records/audit-store.ts';

/** A place outside of the storage that audit entries are forwarded to. */
export interface AuditSink {
  /** By which the storage remembers how far it got; never holds a secret. */
  readonly name: string;
  /** Resolves when the place has all of them, as far as it can tell. They may come again after a failure, in order. */
  send(entries: readonly KeptAuditEntry[]): Promise<void>;
}

/** An entry as every place gets it. */
export function forwardedText({ id, at, link, requestId, ...entry }: KeptAuditEntry): string {
  const { actor, entrance, address, operation, subject, outcome, details } = entry;
  const place = { entry_id: id, seq: link?.seq ?? null, time: at.toISOString() };
  const what = { actor, entrance, address, operation, subject, outcome, request_id: requestId, details };
  return JSON.stringify({ ...place, ...what, mark: link?.mark ?? null });
}
