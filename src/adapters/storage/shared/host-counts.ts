import type { AccountHosts, HostCountsOfDay } from '../../../ports/index.ts';
import type { TransferItem } from './transfer-table.ts';
import { compareUtf8 } from './utf8-order.ts';

type Stored = TransferItem<'host_counts'>;

export function storedCounts({ day, at, accounts }: HostCountsOfDay): Stored {
  return {
    day,
    at: at.getTime(),
    accounts: accounts.map(({ accountId, hosts, objects, archived }) => ({ accountId, hosts, objects, archived })),
  };
}

export function toCounts({ day, at, accounts }: Stored): HostCountsOfDay {
  return { day, at: new Date(at), accounts };
}

/** A number of records of the same kind. */
interface CountedRecords {
  readonly account: string | null;
  readonly isArchived: boolean;
  readonly isObject: boolean;
  readonly count: number;
}

/** As `HostStore.countByAccount` answers. */
export function accountHostsOf(counted: Iterable<CountedRecords>): AccountHosts[] {
  const counts = new Map<string | null, { hosts: number; objects: number; archived: number }>();
  for (const { account, isArchived, isObject, count } of counted) {
    const own = counts.get(account) ?? { hosts: 0, objects: 0, archived: 0 };
    counts.set(account, own);
    own[isArchived ? 'archived' : isObject ? 'objects' : 'hosts'] += count;
  }
  return [...counts]
    .map(([accountId, own]) => ({ accountId, ...own }))
    .sort((a, b) => compareUtf8(a.accountId ?? '', b.accountId ?? ''));
}
