import type { OwnershipStore, RecordStore } from '../../../ports/index.ts';
import { storedObject, toOwnedObject } from '../shared/owned-objects.ts';
import { transferKey } from '../shared/transfer-key.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { RecordKind, within } from './record-kind.ts';

export type StoredOwnership = TransferItem<'ownership'>;

/** The sort key by which a host's objects are found. */
export const OWNER = 0;

export function ownershipKind(records: () => RecordStore): RecordKind<StoredOwnership> {
  return new RecordKind<StoredOwnership>(records, {
    name: 'ownership',
    key: keyOf,
    sorts: [(object) => transferKey(object.hostname, keyOf(object))],
  });
}

function keyOf({ accountId, kind, key }: Pick<StoredOwnership, 'accountId' | 'kind' | 'key'>): string {
  return transferKey(accountId, kind, key);
}

export function recordedOwnership(records: () => RecordStore): OwnershipStore {
  const kind = ownershipKind(records);
  return {
    async save(accountId, objects) {
      if (objects.length > 0) await records().write(objects.map((object) => kind.put(storedObject(accountId, object))));
    },

    async remove(accountId, keys) {
      if (keys.length === 0) return;
      await records().write(
        keys.map((owned) => ({ kind: kind.name, key: keyOf({ accountId, ...owned }), value: null })),
      );
    },

    async *scan(accountId, batchSize) {
      for await (const page of kind.pages({ ...within(accountId), limit: batchSize }))
        yield page.map(({ item }) => toOwnedObject(item));
    },

    count: (accountId) => kind.count(within(accountId)),
    clear: (accountId) => kind.clear(within(accountId)),
  };
}
