import type { HostMark, HostRecord, HostRename, KeyedHost, MarkStore, Scratch } from '../../../ports/index.ts';
import { isOfAccountAlone } from '../../hosts/decisions/host-keys.ts';
import type { ReadingChanges } from './changes-only.ts';
import {
  claimedBy,
  decideName,
  type HoldersByKey,
  type KeyHolder,
  matchByKeys,
  severalText,
} from './decisions/key-match.ts';
import type { PreparedRecord } from './decisions/prepare-record.ts';
import type { KeyConflict } from './decisions/summary.ts';
import { NamedKeys } from './named-keys.ts';
import { PutAside } from './put-aside.ts';
import type { RenameDiffs } from './rename-diffs.ts';
import { pruneKeys } from './stale-keys.ts';
import {
  DUPLICATE,
  type FinishResult,
  PUT_ASIDE,
  type Settled,
  type WriteMode,
  type WriteModeContext,
  type WriteOutcome,
} from './write-mode.ts';

export interface KeyedModeSettings {
  readonly marks: MarkStore;
  openScratch(): Promise<Scratch>;
  readonly dryRun: boolean;
  /** What a dry run tells of hosts, where renames are told too. */
  readonly diffs: RenameDiffs;
  /** Records become hosts that the account owns; otherwise they say something of hosts that are there. */
  readonly owns: boolean;
  /** The account keeps the keys, and takes back those that it no longer names. */
  readonly keeps: boolean;
  /** The one part of the source that is read. */
  readonly part?: string | undefined;
  readonly changes: Pick<ReadingChanges, 'changesOnly' | 'undecided'>;
  readonly onConflict: (conflict: KeyConflict) => void;
  readonly onRename: (rename: HostRename) => void;
}

/** A record with the hosts that have keys of it, without that of its own name. */
interface Known {
  readonly record: PreparedRecord;
  /** The host of its name, in whatever state. */
  readonly host: HostRecord | undefined;
  /** As far as the account may find hosts by them. */
  readonly holders: HoldersByKey;
  /** Active hosts that share a key with it, and the key. */
  readonly shared: ReadonlyMap<string, string>;
}

interface KnownRecords {
  /** Those that share a key with another host. */
  readonly found: ReadonlyMap<PreparedRecord, Known>;
  /** Their hosts and the others, as they are stored. */
  readonly present: ReadonlyMap<string, HostRecord>;
  /** Who has their keys, by key. */
  readonly byKey: ReadonlyMap<string, readonly HostMark[]>;
}

/**
 * A mode that also keeps what records are known by, and finds hosts by it. A record of the name of a host is that host; keys are asked where there is none.
 * One that adds to hosts goes to the host with its keys at once. One that becomes a host waits for the end of the read: only
 * then it is known whether the source still has the host with its keys under the old name, or whether that is this one.
 */
export function keyedMode(context: WriteModeContext, mode: WriteMode, settings: KeyedModeSettings): WriteMode {
  const { account, clock, hosts, startedAt, actor } = context;
  const { marks, dryRun, owns, keeps, part, diffs, changes, onConflict } = settings;
  const aside = new PutAside(() => settings.openScratch());
  /** Hosts of keys that are on their way to the store. */
  const fresh = new Map<string, Set<string>>();
  /** Dry runs: what the source has, since nothing is marked as seen. */
  const seen = new Set<string>();
  /** Those of them that would have been written, and so be active by now. */
  const written = new Set<string>();
  /** Keys of records that the store does not have yet; it is not told again what it has. */
  const unstored = new WeakMap<PreparedRecord, readonly string[]>();
  const named = new NamedKeys();
  let before: Promise<unknown> = Promise.resolve();

  async function known(records: readonly PreparedRecord[]): Promise<KnownRecords> {
    const found = new Map<PreparedRecord, Known>();
    const keyed = records.filter((record) => (record.keys?.texts.length ?? 0) > 0);
    if (keyed.length === 0) return { found, present: new Map(), byKey: new Map() };
    const together = new Map<string, Set<string>>();
    for (const { hostname, keys } of keyed) {
      for (const key of keys?.texts ?? []) together.set(key, (together.get(key) ?? new Set()).add(hostname));
    }
    const byKey = new Map<string, HostMark[]>();
    for (const mark of await marks.holders([...together.keys()])) {
      const holders = byKey.get(mark.value);
      if (holders === undefined) byKey.set(mark.value, [mark]);
      else holders.push(mark);
    }
    const shares = new Map<PreparedRecord, ReadonlyMap<string, ReadonlySet<string>>>();
    const names = new Set<string>();
    for (const record of keyed) {
      unstored.set(record, newKeysOf(record, byKey));
      const others = othersOf(record, byKey, together);
      if (others.size === 0) continue;
      shares.set(record, others);
      names.add(record.hostname);
      for (const hostnames of others.values()) for (const hostname of hostnames) names.add(hostname);
    }
    if (shares.size === 0) return { found, present: new Map(), byKey };
    const present = await hostsOf(names);
    for (const [record, others] of shares) found.set(record, knownOf(record, others, present));
    return { found, present, byKey };
  }

  /** Those that the account does not know the host by so far. */
  function newKeysOf({ hostname, keys }: PreparedRecord, byKey: ReadonlyMap<string, readonly HostMark[]>) {
    return (keys?.texts ?? []).filter((key) => {
      for (const mark of byKey.get(key) ?? []) {
        if (mark.hostname === hostname && mark.accountId === account.id) return false;
      }
      return true;
    });
  }

  /** Who else has keys of the record: those that the account may find hosts by. */
  function othersOf(
    record: PreparedRecord,
    byKey: ReadonlyMap<string, readonly HostMark[]>,
    together: ReadonlyMap<string, ReadonlySet<string>>,
  ): ReadonlyMap<string, ReadonlySet<string>> {
    const others = new Map<string, Set<string>>();
    for (const key of record.keys?.texts ?? []) {
      const found = new Set<string>([...(fresh.get(key) ?? []), ...(together.get(key) ?? []), ...aside.noted(key)]);
      for (const { hostname, accountId } of byKey.get(key) ?? []) {
        if (accountId === account.id || !isOfAccountAlone(key)) found.add(hostname);
      }
      found.delete(record.hostname);
      if (found.size > 0) others.set(key, found);
    }
    return others;
  }

  async function hostsOf(names: ReadonlySet<string>): Promise<ReadonlyMap<string, HostRecord>> {
    const list = [...names];
    const found = new Map<string, HostRecord>();
    for (let start = 0; start < list.length; start += HOSTS_A_READ) {
      for (const host of await hosts.findEach(list.slice(start, start + HOSTS_A_READ))) {
        if (host !== undefined) found.set(host.hostname, host);
      }
    }
    return found;
  }

  function knownOf(
    record: PreparedRecord,
    others: ReadonlyMap<string, ReadonlySet<string>>,
    present: ReadonlyMap<string, HostRecord>,
  ): Known {
    const holders = new Map<string, readonly KeyHolder[]>();
    const shared = new Map<string, string>();
    for (const [key, hostnames] of others) {
      const found: KeyHolder[] = [];
      for (const hostname of hostnames) {
        const host = present.get(hostname);
        // One that is no host yet is on its way.
        const archivedBy = written.has(hostname) ? null : (host?.archive?.by ?? null);
        if (archivedBy === null) shared.set(hostname, key);
        const isNoted = host === undefined && owns && aside.noted(key).includes(hostname);
        if (isNoted) found.push({ hostname, archivedBy: null });
        if (host !== undefined && mayBe(record, host)) found.push({ hostname, archivedBy });
      }
      if (found.length > 0) holders.set(key, found);
    }
    return { record, host: present.get(record.hostname), holders, shared };
  }

  /** Whether keys may lead the record to the host: one's own of the same type, or any active one to add to. */
  function mayBe(record: PreparedRecord, host: HostRecord): boolean {
    if (!owns) return host.archive === null;
    return host.accountId === account.id && host.objectType === (record.type ?? account.objectType);
  }

  function conflict({ position, hostname }: PreparedRecord, reason: string): void {
    onConflict({ position, hostname, reason });
  }

  /** Told once for both hosts, where both are of this read. */
  function tellShared({ record, shared }: Known): void {
    for (const [hostname, key] of shared) {
      if (hostname > record.hostname && fresh.get(key)?.has(hostname) !== true) continue;
      // What waits tells it by itself.
      if (aside.has(hostname)) continue;
      conflict(record, `has ${key}, as ${hostname} has: a key of several hosts finds none of them again`);
      return;
    }
  }

  async function put(records: readonly PreparedRecord[], outcomes: readonly WriteOutcome[]): Promise<void> {
    if (dryRun) {
      for (const [index, record] of records.entries()) {
        if (typeof outcomes[index] !== 'string') continue;
        if (owns) written.add(record.hostname);
        const keys = unstored.get(record) ?? [];
        if (keys.length > 0) await aside.noteKeys(record.hostname, keys);
      }
      return;
    }
    if (!keeps) return;
    const added: KeyedHost[] = [];
    for (const [index, record] of records.entries()) {
      if (typeof outcomes[index] !== 'string') continue;
      const { hostname, keys } = record;
      for (const value of keys?.texts ?? []) named.add(hostname, value);
      for (const value of unstored.get(record) ?? keys?.texts ?? []) added.push({ hostname, value });
    }
    await marks.putKeys({ accountId: account.id, keys: added, at: clock.now() });
  }

  /** While keys are on their way to the store, others must find them already. */
  async function writing<T>(records: readonly PreparedRecord[], work: () => Promise<T>): Promise<T> {
    const added: [string, string][] = [];
    for (const { hostname, keys } of records) {
      if (dryRun && owns) seen.add(hostname);
      for (const key of keys?.texts ?? []) {
        const names = fresh.get(key) ?? new Set();
        if (names.has(hostname)) continue;
        fresh.set(key, names.add(hostname));
        added.push([key, hostname]);
      }
    }
    try {
      return await work();
    } finally {
      for (const [key, hostname] of added) {
        const names = fresh.get(key);
        names?.delete(hostname);
        if (names?.size === 0) fresh.delete(key);
      }
    }
  }

  async function writeAll(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    if (records.length === 0) return [];
    return writing(records, async () => {
      const outcomes = await mode.write(records);
      await put(records, outcomes);
      return outcomes;
    });
  }

  async function writeOwn(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const waiting = records.filter(({ hostname }) => aside.has(hostname));
    for (const record of waiting) outcomes.set(record, DUPLICATE);
    const { found: others } = await known(records);
    const strangers = changes.changesOnly ? await otherThings(records) : new Set<string>();
    const now: PreparedRecord[] = [];
    for (const record of records) {
      if (outcomes.has(record)) continue;
      const found = others.get(record);
      if (changes.changesOnly) {
        const outcome = strangers.has(record.hostname) ? OTHER_THING : outcomeOfChange(found);
        if (outcome === undefined) now.push(record);
        else outcomes.set(record, outcome);
        continue;
      }
      if (found === undefined || found.host !== undefined || found.holders.size === 0) {
        now.push(record);
        continue;
      }
      await aside.add(record, claimedBy(found.holders));
      outcomes.set(record, PUT_ASIDE);
    }
    for (const record of now) {
      const found = others.get(record);
      if (found !== undefined) tellShared(found);
    }
    const results = await writeAll(now);
    for (const [index, record] of now.entries()) outcomes.set(record, results[index] as WriteOutcome);
    return records.map((record) => outcomes.get(record) as WriteOutcome);
  }

  /**
   * Hosts of these names that the account knows as another thing of its source. Which of the two has the name, or whether there are two, only
   * a run tells that reads everything.
   */
  async function otherThings(records: readonly PreparedRecord[]): Promise<ReadonlySet<string>> {
    const own = new Map<string, readonly string[]>();
    for (const { hostname, keys } of records) {
      const ids = (keys?.texts ?? []).filter(isOfAccountAlone);
      if (ids.length > 0) own.set(hostname, ids);
    }
    const stored = new Map<string, string[]>();
    for (const { hostname, accountId, kind, value } of own.size === 0 ? [] : await marks.of([...own.keys()])) {
      if (kind !== 'key' || accountId !== account.id || !isOfAccountAlone(value)) continue;
      stored.set(hostname, [...(stored.get(hostname) ?? []), value]);
    }
    const others = [...stored].filter(([hostname, ids]) => !own.get(hostname)?.some((id) => ids.includes(id)));
    if (others.length > 0) changes.undecided();
    return new Set(others.map(([hostname]) => hostname));
  }

  /** Of a record of an unknown name whose keys are those of a host: the source may have that one still. */
  function outcomeOfChange(found: Known | undefined): WriteOutcome | undefined {
    if (found === undefined || found.host !== undefined) return undefined;
    const match = matchByKeys(found.holders);
    if (match.kind === 'none') return undefined;
    if (match.kind === 'one' && match.holder.archivedBy === 'operator') {
      return archivedAs({ from: match.holder.hostname, key: match.key });
    }
    changes.undecided();
    return LEFT_TO_NEXT;
  }

  /** A record that adds to hosts, and of the name of none, goes to the one that its keys lead to. */
  async function writeAdded(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    const { found: others, byKey } = await known(records);
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const placed: PreparedRecord[] = [];
    const given: PreparedRecord[] = [];
    for (const record of records) {
      const found = others.get(record);
      const match = found?.host?.archive === null ? undefined : matchByKeys(found?.holders ?? new Map());
      if (match?.kind === 'several') {
        outcomes.set(record, { kind: 'conflict', reason: severalText(match) });
        continue;
      }
      given.push(record);
      if (match?.kind !== 'one') {
        placed.push(record);
        continue;
      }
      const renamed = { ...record, hostname: match.holder.hostname };
      if (!dryRun) unstored.set(renamed, newKeysOf(renamed, byKey));
      placed.push(renamed);
    }
    const results = await writeAll(placed);
    for (const [index, record] of given.entries()) outcomes.set(record, results[index] as WriteOutcome);
    return records.map((record) => outcomes.get(record) as WriteOutcome);
  }

  /** Which of these hosts other parts of the source brought, so that the one part that is read does not have all of them. */
  async function ofOtherParts(hostnames: readonly string[]): Promise<ReadonlySet<string>> {
    if (part === undefined) return new Set();
    const others = (await marks.of(hostnames)).filter(
      ({ kind, accountId, value }) => kind === 'part' && accountId === account.id && value !== part,
    );
    return new Set(others.map(({ hostname }) => hostname));
  }

  async function* settle(isWhole: boolean, named: ReadonlySet<string>): AsyncGenerator<readonly Settled[]> {
    try {
      for (const records of aside.batches()) {
        if (isWhole) yield await settleBatch(records, named);
        else yield records.map((record) => ({ record, outcome: UNDECIDED }));
      }
    } finally {
      aside.close();
    }
  }

  async function settleBatch(
    records: readonly PreparedRecord[],
    named: ReadonlySet<string>,
  ): Promise<readonly Settled[]> {
    const { found: others, present } = await known(records);
    const holders = [...others.values()].flatMap((one) => [...one.holders.values()].flat());
    const elsewhere = await ofOtherParts([...new Set(holders.map(({ hostname }) => hostname))]);
    const isNamed = (hostname: string): boolean => {
      const host = present.get(hostname);
      const wasSeen = host?.archive === null && host.lastSeen !== null && host.lastSeen >= startedAt;
      return wasSeen || named.has(hostname) || seen.has(hostname) || elsewhere.has(hostname) || aside.has(hostname);
    };
    const settled: Settled[] = [];
    const own: PreparedRecord[] = [];
    const renamed = new Map<PreparedRecord, HostRename>();
    for (const record of records) {
      const found = others.get(record);
      const decision =
        found === undefined || found.host !== undefined
          ? ({ kind: 'own' } as const)
          : decideName(found.holders, { isNamed, claims: (hostname) => aside.claims(hostname) });
      if (decision.kind === 'archived') {
        settled.push({ record, outcome: archivedAs(decision) });
        continue;
      }
      if (decision.kind === 'renamed') renamed.set(record, { from: decision.from, to: record.hostname });
      else {
        own.push(record);
        if (decision.conflict !== undefined) conflict(record, decision.conflict);
        else if (found !== undefined) tellShared(found);
      }
    }
    const results = await writeAll(own);
    for (const [index, record] of own.entries()) settled.push({ record, outcome: results[index] as WriteOutcome });
    settled.push(...(dryRun ? await previewRenames(renamed) : await rename(renamed)));
    return settled;
  }

  async function rename(renamed: ReadonlyMap<PreparedRecord, HostRename>): Promise<readonly Settled[]> {
    const records = [...renamed.keys()];
    if (records.length === 0) return [];
    const renames = await hosts.rename({ hosts: [...renamed.values()], at: clock.now(), actor });
    const results = await writeAll(records);
    return records.map((record, index) => {
      const outcome = results[index] as WriteOutcome;
      if (renames[index] !== 'renamed') return { record, outcome };
      settings.onRename(renamed.get(record) as HostRename);
      return { record, outcome: outcome === 'unchanged' ? 'updated' : outcome };
    });
  }

  /** The host is looked at under the name that it still has. */
  async function previewRenames(renamed: ReadonlyMap<PreparedRecord, HostRename>): Promise<readonly Settled[]> {
    if (renamed.size === 0) return [];
    const pairs = [...renamed];
    const outcomes = await diffs.renaming([...renamed.values()], () =>
      mode.write(pairs.map(([record, { from }]) => ({ ...record, hostname: from }))),
    );
    return pairs.map(([record, one], index) => {
      const outcome = outcomes[index] as WriteOutcome;
      settings.onRename(one);
      return { record, outcome: outcome === 'unchanged' ? 'updated' : outcome };
    });
  }

  return {
    ...mode,
    write(records) {
      for (const record of records) {
        for (const refusal of record.keys?.refusals ?? []) conflict(record, `${refusal}; the key is not kept`);
      }
      if (owns) return writeOwn(records);
      if (mode.repeatsCount !== true) return writeAdded(records);
      // Of several records for one host the last counts, so that none may overtake another.
      const next = before.then(
        () => writeAdded(records),
        () => writeAdded(records),
      );
      before = next.catch(() => undefined);
      return next;
    },
    settle,
    async finish(except): Promise<FinishResult> {
      const finished = await mode.finish(except);
      if (finished.refusal === undefined && keeps && !dryRun && part === undefined) {
        await pruneKeys(context, { marks, owns, except, named });
      }
      return finished;
    },
  };
}

const HOSTS_A_READ = 500;

const UNDECIDED: WriteOutcome = {
  kind: 'skipped',
  reason:
    'its keys are those of a host of another name, and the source was not read to its end: whether it is that host is decided by the next run that reads all',
};

const LEFT_TO_NEXT: WriteOutcome = {
  kind: 'skipped',
  reason:
    'its keys are those of a host of another name, and only what changed was read: whether it is that host is decided by the next run, which reads everything',
};

const OTHER_THING: WriteOutcome = {
  kind: 'skipped',
  reason:
    'the host of that name was another thing of the source, and only what changed was read: whose the name is, is decided by the next run, which reads everything',
};

function archivedAs({ from, key }: { readonly from: string; readonly key: string }): WriteOutcome {
  const reason = `it has ${key} of ${from}, which an operator archived; "muster host restore" brings that host back, and the next run gives it this name`;
  return { kind: 'skipped', reason };
}
