import { swappedUuid } from '../../../../../kit/records/worthless-values.ts';
import { nameOrElse, worded } from '../../../../../kit/worded.ts';
import type { HostMark, HostRecord } from '../../../../../ports/index.ts';
import { isOfAccountAlone, keyOfText, keyText } from '../../../../hosts/decisions/host-keys.ts';
import type { HoldersByKey, KeyHolder } from '../../decisions/key-match.ts';
import type { PreparedRecord } from '../../decisions/prepare-record.ts';
import type { ImportRun } from '../../import-stage.ts';

/** A record with the hosts that have keys of it, without that of its own name. */
export interface KnownRecord {
  readonly record: PreparedRecord;
  /** The host of its name, in whatever state. */
  readonly host: HostRecord | undefined;
  /** As far as the account may find hosts by them. */
  readonly holders: HoldersByKey;
  /** Active hosts that share a key with it, with the key, and whether the host is of another account. */
  readonly shared: ReadonlyMap<string, { readonly key: string; readonly isForeign: boolean }>;
}

export interface KnownRecords {
  /** Those that share a key with another host. */
  readonly found: ReadonlyMap<PreparedRecord, KnownRecord>;
  /** Their hosts and the others, as they are stored. */
  readonly present: ReadonlyMap<string, HostRecord>;
  /** Hosts that have their keys, by key. */
  readonly byKey: ReadonlyMap<string, readonly HostMark[]>;
}

type HostnamesByKey = ReadonlyMap<string, ReadonlySet<string>>;

const HOSTS_A_READ = 500;

/** Finds the holders of records' keys: hosts of the store, records on their way there, and waiting ones. */
export class KeyHolders {
  readonly #run: ImportRun;
  /** Hosts of keys that are on their way to the store. */
  readonly #fresh = new Map<string, Set<string>>();

  constructor(run: ImportRun) {
    this.#run = run;
  }

  async of(records: readonly PreparedRecord[]): Promise<KnownRecords> {
    const { marks } = this.#run.stores;
    const found = new Map<PreparedRecord, KnownRecord>();
    const keyed = records.filter((record) => (record.keys?.texts.length ?? 0) > 0);
    if (keyed.length === 0) return { found, present: new Map(), byKey: new Map() };
    const together = hostnamesByKey(keyed);
    const byKey = new Map<string, HostMark[]>();
    const swapped = swappedKeys(together);
    for (const mark of await marks.holders([...together.keys(), ...swapped.keys()])) {
      const turned = swapped.get(mark.value);
      if (turned !== undefined) {
        this.#reportSwapped(mark, turned, keyed);
        continue;
      }
      const holders = byKey.get(mark.value);
      if (holders === undefined) byKey.set(mark.value, [mark]);
      else holders.push(mark);
    }
    const shares = new Map<PreparedRecord, HostnamesByKey>();
    const names = new Set<string>();
    for (const record of keyed) {
      const others = this.#othersOf(record, byKey, together);
      if (others.size === 0) continue;
      shares.set(record, others);
      names.add(record.hostname);
      for (const hostnames of others.values()) for (const hostname of hostnames) names.add(hostname);
    }
    if (shares.size === 0) return { found, present: new Map(), byKey };
    const present = await this.#hostsOf(names);
    for (const [record, others] of shares) found.set(record, this.#knownOf(record, others, present));
    return { found, present, byKey };
  }

  /** While keys are on their way to the store, others find them already. */
  async whileWriting<T>(records: readonly PreparedRecord[], work: () => Promise<T>): Promise<T> {
    const added: [string, string][] = [];
    for (const { hostname, keys } of records) {
      for (const key of keys?.texts ?? []) {
        const names = this.#fresh.get(key) ?? new Set();
        if (names.has(hostname)) continue;
        this.#fresh.set(key, names.add(hostname));
        added.push([key, hostname]);
      }
    }
    try {
      return await work();
    } finally {
      for (const [key, hostname] of added) {
        const names = this.#fresh.get(key);
        names?.delete(hostname);
        if (names?.size === 0) this.#fresh.delete(key);
      }
    }
  }

  isOnItsWay(hostname: string, key: string): boolean {
    return this.#fresh.get(key)?.has(hostname) === true;
  }

  /** Returns other holders of the record's keys, limited to hosts that the account may find by keys. */
  #othersOf(
    record: PreparedRecord,
    byKey: ReadonlyMap<string, readonly HostMark[]>,
    together: HostnamesByKey,
  ): HostnamesByKey {
    const { account } = this.#run;
    const others = new Map<string, Set<string>>();
    for (const key of record.keys?.texts ?? []) {
      const found = new Set<string>([...(this.#fresh.get(key) ?? []), ...(together.get(key) ?? [])]);
      for (const { hostname, accountId } of byKey.get(key) ?? []) {
        if (accountId === account.id || !isOfAccountAlone(key)) found.add(hostname);
      }
      found.delete(record.hostname);
      if (found.size > 0) others.set(key, found);
    }
    return others;
  }

  /** Old firmware and some hypervisors write the bytes of a UUID the other way round: the machine may be the same. */
  #reportSwapped(mark: HostMark, key: string, records: readonly PreparedRecord[]): void {
    for (const { position, hostname, keys } of records) {
      if (hostname === mark.hostname || keys?.texts.includes(key) !== true) continue;
      const reason = worded`has ${{ key }}, which is ${{ other: mark.value }} of ${{ name: nameOrElse(mark.hostname, worded`another host`) }} with swapped bytes; both stay hosts`;
      this.#run.tally.warn({ position, hostname, reason });
    }
  }

  async #hostsOf(names: ReadonlySet<string>): Promise<ReadonlyMap<string, HostRecord>> {
    const { hosts } = this.#run.stores;
    const list = [...names];
    const found = new Map<string, HostRecord>();
    for (let start = 0; start < list.length; start += HOSTS_A_READ) {
      for (const host of await hosts.findEach(list.slice(start, start + HOSTS_A_READ))) {
        if (host !== undefined) found.set(host.hostname, host);
      }
    }
    return found;
  }

  #knownOf(record: PreparedRecord, others: HostnamesByKey, present: ReadonlyMap<string, HostRecord>): KnownRecord {
    const { account } = this.#run;
    const holders = new Map<string, readonly KeyHolder[]>();
    const shared = new Map<string, { readonly key: string; readonly isForeign: boolean }>();
    for (const [key, hostnames] of others) {
      const found: KeyHolder[] = [];
      for (const hostname of hostnames) {
        const host = present.get(hostname);
        // A holder that is not a host yet is on its way.
        const archivedBy = host?.archive?.by ?? null;
        const isForeign = host !== undefined && host.accountId !== account.id;
        if (archivedBy === null) shared.set(hostname, { key, isForeign });
        if (host !== undefined && this.#mayBe(record, host)) found.push({ hostname, archivedBy });
      }
      if (found.length > 0) holders.set(key, found);
    }
    return { record, host: present.get(record.hostname), holders, shared };
  }

  /** Whether keys may lead the record to the host: one's own of the same type, or any active one to add to. */
  #mayBe(record: PreparedRecord, host: HostRecord): boolean {
    const { account, owns } = this.#run;
    if (!owns) return host.archive === null;
    return host.accountId === account.id && host.objectType === (record.type ?? account.objectType);
  }
}

/** UUIDs in the other order of bytes, with the key that each was made of. */
function swappedKeys(keys: HostnamesByKey): ReadonlyMap<string, string> {
  const swapped = new Map<string, string>();
  for (const key of keys.keys()) {
    const { name, value } = keyOfText(key);
    const other = name.includes('uuid') ? keyText({ name, value: swappedUuid(value) }) : key;
    if (!keys.has(other)) swapped.set(other, key);
  }
  return swapped;
}

function hostnamesByKey(records: readonly PreparedRecord[]): HostnamesByKey {
  const found = new Map<string, Set<string>>();
  for (const { hostname, keys } of records) {
    for (const key of keys?.texts ?? []) found.set(key, (found.get(key) ?? new Set()).add(hostname));
  }
  return found;
}
