import type { AuditEntry, AuditLink, AuditStore } from '../../../ports/index.ts';
import type { ChainState } from './chain-state.ts';

/** The operation of the entry which records that the log was reset. */
export const PUT_BACK = 'audit/put-back';

/**
 * Whether the chain still goes through this place unchanged. An earlier state of the whole log is in itself valid, and only a
 * place remembered from a later one reveals the reset; a place that was pruned since counts as unchanged.
 */
export async function goesThrough(store: AuditStore, { start, end }: ChainState, place: AuditLink): Promise<boolean> {
  if (place.seq > end.seq) return false;
  if (place.seq < start.seq || place.seq === 0) return true;
  const mark = place.seq === start.seq ? start.mark : place.seq === end.seq ? end.mark : await markAt(store, place.seq);
  return place.mark === '' || place.mark === mark;
}

/** The entry at the point of the reset, so that the check reports it from then on and other places receive it. */
export function putBackEntry(entry: Pick<AuditEntry, 'id' | 'at'>, was: AuditLink, is: AuditLink): AuditEntry {
  const details = `it had reached entry ${was.seq} (${was.mark}), and ended at entry ${is.seq} (${is.mark})`;
  const nobody = { actor: 'muster', entrance: 'cron', address: '', requestId: '' };
  return { ...entry, ...nobody, operation: PUT_BACK, subject: 'audit log', outcome: 'failed', details };
}

async function markAt(store: AuditStore, seq: number): Promise<string | undefined> {
  for await (const [entry] of store.linked({ after: seq - 1, batchSize: 1 })) {
    return entry?.link?.seq === seq ? entry.link.mark : undefined;
  }
  return undefined;
}
