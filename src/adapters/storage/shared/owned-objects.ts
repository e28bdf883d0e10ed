import type { OwnedObject } from '../../../ports/index.ts';
import type { TransferItem } from './transfer-table.ts';

type Stored = TransferItem<'ownership'>;

export function storedObject(accountId: string, { writtenAt, pending, ...object }: OwnedObject): Stored {
  const names = pending === null ? null : JSON.stringify(pending);
  return { accountId, ...object, writtenAt: writtenAt.getTime(), pending: names };
}

/** Member by member: copying the rest of an object takes ten times as long, and a plan reads all of them. */
export function toOwnedObject(stored: Stored): OwnedObject {
  const { kind, key, remoteId, hostname, digest, secrets, pending } = stored;
  const names = pending === null ? null : JSON.parse(pending);
  return { kind, key, remoteId, hostname, digest, secrets, pending: names, writtenAt: new Date(stored.writtenAt) };
}
