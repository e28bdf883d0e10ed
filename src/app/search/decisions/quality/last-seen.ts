import type { HostRecord } from '../../../../ports/index.ts';
import { conditionText } from '../conditions.ts';

const DAY_MS = 86_400_000;

export interface SilentSource {
  readonly account: string;
  readonly hosts: number;
  /** When the newest of its hosts was seen, or made if none ever was. */
  readonly lastSeen: Date;
  readonly where: string;
}

interface Account {
  hosts: number;
  lastSeen: number;
}

/** Finds hosts that no source named lately, and sources that named none of theirs. */
export class LastSeen {
  /** Hosts that were seen longer ago, and those that were made longer ago and never seen. */
  unseen = 0;
  unowned = 0;
  readonly #limit: number;
  readonly #accounts = new Map<string, Account>();

  constructor(now: Date, days: number) {
    this.#limit = now.getTime() - days * DAY_MS;
  }

  add({ accountId, lastSeen, createdAt }: Pick<HostRecord, 'accountId' | 'lastSeen' | 'createdAt'>): void {
    const at = (lastSeen ?? createdAt).getTime();
    if (at < this.#limit) this.unseen++;
    if (accountId === null) {
      this.unowned++;
      return;
    }
    const account = this.#accounts.get(accountId);
    if (account === undefined) {
      this.#accounts.set(accountId, { hosts: 1, lastSeen: at });
      return;
    }
    account.hosts++;
    account.lastSeen = Math.max(account.lastSeen, at);
  }

  /** Accounts that have hosts of which none was seen lately: the longest silent first. `names` are of accounts by id. */
  silentSources(names: ReadonlyMap<string, string>): readonly SilentSource[] {
    return [...this.#accounts]
      .filter(([, { lastSeen }]) => lastSeen < this.#limit)
      .sort(([, a], [, b]) => a.lastSeen - b.lastSeen)
      .map(([id, { hosts, lastSeen }]) => {
        const account = names.get(id) ?? id;
        return { account, hosts, lastSeen: new Date(lastSeen), where: conditionText('own.account', account) };
      });
  }
}

/** Asks for the hosts that `LastSeen` counts as unseen. */
export function unseenText(days: number): string {
  return `seen>${days}d OR (seen:never created>${days}d)`;
}
