import { STORED_NO_NAMES } from '../../../../kit/records/worthless-values.ts';
import { nameOrElse, worded } from '../../../../kit/worded.ts';
import type { HostRecord, Wording } from '../../../../ports/index.ts';
import { shown } from '../../../hosts/decisions/check.ts';
import { spellingDifference, spellingOf } from '../../../hosts/decisions/name-spelling.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import { type ImportRun, isStored, NOTHING_FINISHED, type Stage } from '../import-stage.ts';

const HOSTS_A_BATCH = 500;
/** Names of records without a host that are compared; further ones are not. */
const MOST_UNKNOWN = 50_000;

type SpelledHost = Pick<HostRecord, 'hostname' | 'accountId' | 'lastSeen'>;

/**
 * Reports names that differ from that of a known host in spelling alone. Both remain hosts: the other one is not archived while
 * the source uses this spelling. All hosts are compared once, at the end of a read that brought new names next to existing ones
 * or two that are alike, or that left hosts out; names that were alike before and still are appear in `host quality`.
 */
export function spelledNames({ stores, ...run }: ImportRun, next: Stage): Stage {
  const { account, startedAt, activeBefore, options, owns, tally } = run;
  const { hosts } = stores;
  /** By spelling, where the record found no host. */
  const unknown = new Map<string, PreparedRecord>();
  /** The first record of a new host whose own name is missing. */
  let doubtful: PreparedRecord | undefined;
  /** A number for the spelling of each new host: the names themselves would hold the pieces of the source in memory. */
  const spellings = new Set<number>();
  let repeats = false;
  let created = 0;
  let found = 0;

  function note(record: PreparedRecord, outcome: string | undefined): void {
    if (outcome !== 'created') {
      found++;
      return;
    }
    created++;
    if (record.laterName === true) doubtful ??= record;
    if (!owns || repeats) return;
    const number = spellingNumber(record.hostname);
    repeats = spellings.has(number);
    spellings.add(number);
  }

  /** Maps records whose invisible characters were cut off to the hosts that were stored with these characters before. */
  async function asStored(records: readonly PreparedRecord[]): Promise<readonly PreparedRecord[]> {
    if (!records.some(({ written }) => written !== undefined)) return records;
    const cut = records.filter(({ written }) => written !== undefined);
    const present = await hosts.findEach(cut.map(({ written, hostname }) => written ?? hostname));
    const named = new Map(cut.map((record, index) => [record, present[index]?.hostname]));
    return records.map((record) => {
      const hostname = named.get(record);
      return hostname === undefined ? record : { ...record, hostname };
    });
  }

  /** A host of this account by its name; the name of another one is for readers who may know of it. */
  function nameOf({ hostname, accountId }: SpelledHost, other: Wording): string | Wording {
    return accountId === account.id ? shown(hostname) : nameOrElse(shown(hostname), other);
  }

  function isNamed(host: SpelledHost): boolean {
    return host.accountId === account.id && host.lastSeen !== null && host.lastSeen >= startedAt;
  }

  /** Hosts by their common spelling, where a name differs from it, or where no host was found. */
  async function spelled(): Promise<ReadonlyMap<string, readonly SpelledHost[]>> {
    const bySpelling = new Map<string, SpelledHost[]>();
    for await (const batch of hosts.scan({ scope: null, kind: 'all', state: 'active' }, HOSTS_A_BATCH)) {
      for (const host of batch) {
        const spelling = spellingOf(host.hostname);
        if (spelling === host.hostname && !unknown.has(spelling)) continue;
        const { hostname, accountId, lastSeen } = host;
        bySpelling.set(spelling, [...(bySpelling.get(spelling) ?? []), { hostname, accountId, lastSeen }]);
      }
    }
    return withPlainNames(bySpelling);
  }

  /** Adds the hosts whose names are the spellings. */
  async function withPlainNames(
    bySpelling: Map<string, SpelledHost[]>,
  ): Promise<ReadonlyMap<string, readonly SpelledHost[]>> {
    const spellings = [...bySpelling.keys()].filter((spelling) => !unknown.has(spelling));
    for (let start = 0; start < spellings.length; start += HOSTS_A_BATCH) {
      for (const host of await hosts.findEach(spellings.slice(start, start + HOSTS_A_BATCH))) {
        if (host?.archive === null) bySpelling.get(host.hostname)?.push(host);
      }
    }
    return bySpelling;
  }

  /** Whether two new names are alike, a new name exists next to others, or a host of the account was not named. */
  async function mayDiffer(): Promise<boolean> {
    if (repeats || found < activeBefore) return true;
    if (created === 0) return false;
    return (await hosts.count({ scope: null, kind: 'all', state: 'active' })) > created;
  }

  /** The hosts of the account that are not archived, since the source has them in another spelling or never had a name for them. */
  async function keep(): Promise<ReadonlySet<string>> {
    const kept = new Set<string>();
    if (owns) {
      for (const host of await hosts.findEach(STORED_NO_NAMES)) {
        if (host?.archive !== null || host.accountId !== account.id) continue;
        kept.add(host.hostname);
        const reason = worded`this name means that nothing is known; the host was made of a record without a name, and no run archives it: archive it if it is not a machine`;
        tally.warn({ position: '', hostname: host.hostname, reason });
      }
    }
    if (unknown.size === 0 && !(owns && (await mayDiffer()))) return kept;
    for (const [spelling, alike] of await spelled()) {
      const record = unknown.get(spelling);
      const [first] = alike;
      if (record !== undefined && first !== undefined && !alike.some(({ hostname }) => hostname === record.hostname)) {
        const difference = spellingDifference(record.hostname, first.hostname);
        const reason = worded`there is no such host; there is ${{ name: nameOf(first, worded`one of another account`) }}, which differs in ${{ difference }} alone`;
        tally.warn({ position: record.position, hostname: record.hostname, reason });
      }
      const named = alike.filter(isNamed);
      if (!owns || alike.length < 2 || named[0] === undefined) continue;
      const { hostname } = named[0];
      for (const other of alike) {
        if (other.hostname === hostname) continue;
        if (other.accountId === account.id && !isNamed(other)) kept.add(other.hostname);
        const difference = spellingDifference(hostname, other.hostname);
        const reason = worded`differs from the host ${{ name: nameOf(other, worded`of another account`) }} in ${{ difference }} alone; both stay hosts: if they are one machine, give it one spelling and archive the other`;
        tally.warn({ position: '', hostname, reason });
      }
    }
    return kept;
  }

  return {
    ...next,
    async write(given, as) {
      const records = await asStored(given);
      const outcomes = await next.write(records, as);
      records.forEach((record, index) => {
        const outcome = outcomes[index];
        if (isStored(outcome)) note(record, typeof outcome === 'string' ? outcome : undefined);
        else if (!owns && unknown.size < MOST_UNKNOWN && typeof outcome === 'object' && outcome.kind === 'skipped')
          unknown.set(spellingOf(record.hostname), record);
      });
      return outcomes;
    },
    /** Reports the same for an incomplete read. If nothing can be looked up, the read itself reports that. */
    async *finishDeferred(isWhole, named) {
      yield* next.finishDeferred?.(isWhole, named) ?? [];
      if (!isWhole) await keep().catch(() => undefined);
    },
    async finish(except) {
      if (doubtful !== undefined && found < activeBefore && options.delete_host_if_not_found_on_import) {
        const { position, hostname } = doubtful;
        const reason = worded`it has no name there, and its later name ${{ name: shown(hostname) }} made a new host, which may be one of those that are missing`;
        tally.gap({ what: worded`the name of ${{ position }}`, reason });
        return NOTHING_FINISHED;
      }
      const kept = await keep();
      return next.finish(kept.size === 0 ? except : new Set([...except, ...kept]));
    },
  };
}

/** A number of 52 bits, the same for names of one spelling: two others of a million share one by chance once in 10,000 times. */
function spellingNumber(name: string): number {
  const spelling = spellingOf(name);
  let low = 0x811c9dc5;
  let high = 0x1dc5811c;
  for (let index = 0; index < spelling.length; index++) {
    const code = spelling.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
  }
  return (low >>> 0) * 0x100000 + (high >>> 12);
}
