import type { HostCountsOfDay } from '../../../ports/index.ts';
import type { TransferItem } from './transfer-table.ts';

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
