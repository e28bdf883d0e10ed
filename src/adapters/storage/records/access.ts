import type { AccessStore, RecordStore } from '../../../ports/index.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { RecordKind, retried, timeKey } from './record-kind.ts';

export function tokenUseKind(records: () => RecordStore): RecordKind<TransferItem<'token_uses'>> {
  return new RecordKind<TransferItem<'token_uses'>>(records, { name: 'token_uses', key: ({ tokenId }) => tokenId });
}

/** Something that was used once, and until when that is remembered, in milliseconds. */
interface StoredUse {
  readonly key: string;
  readonly until: number;
}

export function recordedAccess(records: () => RecordStore): AccessStore {
  const tokenUses = tokenUseKind(records);
  const usedOnce = new RecordKind<StoredUse>(records, {
    name: 'used_once',
    key: ({ key }) => key,
    sorts: [({ until, key }) => `${timeKey(until)}\u0000${key}`],
  });
  return {
    async recordTokenUse(uses) {
      const latest = new Map<string, number>();
      for (const { tokenId, at } of uses)
        latest.set(tokenId, Math.max(latest.get(tokenId) ?? at.getTime(), at.getTime()));
      await retried(async () => {
        const known = await tokenUses.findEach([...latest.keys()]);
        const changes = [...latest].flatMap(([tokenId, at]) => {
          const kept = known.get(tokenId);
          return kept !== undefined && kept.item.at >= at
            ? []
            : [tokenUses.put({ tokenId, at }, kept?.version ?? null)];
        });
        const isDone = changes.length === 0 || (await records().write(changes)) !== null;
        return isDone ? { answer: undefined } : undefined;
      });
    },

    async tokenUses(tokenIds) {
      const found = await tokenUses.findEach(tokenIds);
      return new Map([...found].map(([tokenId, { item }]) => [tokenId, new Date(item.at)]));
    },

    useOnce: ({ key, now, until }) =>
      usedOnce.change(key, (known) => {
        if (known !== undefined && known.until >= now.getTime()) return { answer: false };
        const over = usedOnce.dropRange({ by: 0, before: timeKey(now.getTime()) });
        return { answer: true, put: { key, until: until.getTime() }, also: [over] };
      }),
  };
}
