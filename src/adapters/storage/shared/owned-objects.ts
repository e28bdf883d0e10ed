import type { OwnedObject } from '../../../ports/index.ts';
import type { TransferItem } from './transfer-table.ts';

type Stored = TransferItem<'ownership'>;

export function storedObject(accountId: string, { writtenAt, pending, ...object }: OwnedObject): Stored {
  const names = pending === null ? null : JSON.stringify(pending);
  return { accountId, ...object, writtenAt: writtenAt.getTime(), pending: names };
}

export function toOwnedObject({ accountId: _, writtenAt, pending, ...object }: Stored): OwnedObject {
  return { ...object, writtenAt: new Date(writtenAt), pending: pending === null ? null : JSON.parse(pending) };
}
