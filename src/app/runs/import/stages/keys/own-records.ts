import { worded } from '../../../../../kit/worded.ts';
import type { HostRename } from '../../../../../ports/index.ts';
import { isOfAccountAlone } from '../../../../hosts/decisions/host-keys.ts';
import { claimedBy, decideName, matchByKeys } from '../../decisions/key-match.ts';
import type { PreparedRecord } from '../../decisions/prepare-record.ts';
import {
  DEFERRED,
  type DeferredOutcome,
  DUPLICATE,
  type ImportRun,
  OTHER_MACHINE,
  type WriteOutcome,
  wasSeen,
} from '../../import-stage.ts';
import { broughtByOthers } from '../parts.ts';
import type { DeferredRecords } from './deferred-records.ts';
import type { KnownRecord, KnownRecords } from './key-holders.ts';
import type { KeyedWriter } from './keyed-writer.ts';
import { isKnownMachine, namesakes, strangers } from './known-machines.ts';

/**
 * Records that become hosts of the account. One of an unknown name with the keys of a host waits for the end of the read: only then
 * it is known whether the source still has that host under its name, or whether it is this one.
 */
export class OwnRecords {
  readonly #run: ImportRun;
  readonly #writer: KeyedWriter;
  readonly #deferred: DeferredRecords;

  constructor(run: ImportRun, writer: KeyedWriter, deferred: DeferredRecords) {
    this.#run = run;
    this.#writer = writer;
    this.#deferred = deferred;
  }

  async write(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    const deferred = this.#deferred;
    const { changes, stores, account } = this.#run;
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const { found: others, byKey } = await this.#writer.known(records);
    const accountId = account.id;
    for (const [record, outcome] of namesakes(records, byKey, accountId)) outcomes.set(record, outcome);
    const unsure = changes.changesOnly
      ? NO_STRANGERS
      : await strangers(records, { byKey, marks: stores.marks, accountId });
    for (const record of records) {
      if (outcomes.has(record)) continue;
      if (deferred.has(record.hostname) && !isKnownMachine(record, byKey, accountId)) outcomes.set(record, DUPLICATE);
    }
    const undecided = changes.changesOnly ? await this.#undecided(records, others) : NOTHING_UNDECIDED;
    // The usual case: no shared keys, and nothing waits.
    if (outcomes.size === 0 && others.size === 0 && undecided.size === 0 && unsure.size === 0)
      return this.#writer.write(records);
    const now: PreparedRecord[] = [];
    for (const record of records) {
      if (outcomes.has(record)) continue;
      const found = others.get(record);
      // The machine of that name may come later in the source.
      if (unsure.has(record)) {
        await deferred.add(record, []);
        outcomes.set(record, DEFERRED);
        continue;
      }
      const outcome = undecided.get(record);
      if (outcome !== undefined) outcomes.set(record, outcome);
      else if (changes.changesOnly || found === undefined || found.host !== undefined || found.holders.size === 0) {
        now.push(record);
      } else {
        await deferred.add(record, claimedBy(found.holders));
        outcomes.set(record, DEFERRED);
      }
    }
    for (const record of now) {
      const found = others.get(record);
      if (found !== undefined) this.#writer.reportShared(found);
    }
    const results = await this.#writer.write(now);
    for (const [index, record] of now.entries()) outcomes.set(record, results[index] as WriteOutcome);
    return records.map((record) => outcomes.get(record) as WriteOutcome);
  }

  /** Yields the outcomes of waiting records at the end of the read. */
  async *finishDeferred(isWhole: boolean, named: ReadonlySet<string>): AsyncGenerator<readonly DeferredOutcome[]> {
    const deferred = this.#deferred;
    try {
      for (const records of deferred.batches()) {
        if (isWhole) yield await this.#finishBatch(records, named);
        else yield records.map((record) => ({ record, outcome: UNDECIDED }));
      }
    } finally {
      deferred.close();
    }
  }

  async #finishBatch(
    records: readonly PreparedRecord[],
    named: ReadonlySet<string>,
  ): Promise<readonly DeferredOutcome[]> {
    const known = await this.#writer.known(records);
    const isNamed = await this.#namedHosts(known, named);
    const outcomes: DeferredOutcome[] = [];
    const own: PreparedRecord[] = [];
    const renamed = new Map<PreparedRecord, HostRename>();
    for (const record of records) {
      const found = known.found.get(record);
      const decision =
        found === undefined || found.host !== undefined
          ? ({ kind: 'own' } as const)
          : decideName(found.holders, { isNamed, claims: (hostname) => this.#deferred.claims(hostname) });
      if (decision.kind === 'archived') {
        outcomes.push({ record, outcome: archivedAs(decision) });
        continue;
      }
      // Its own name is missing for now, as of a machine that boots: the host keeps it.
      if (decision.kind === 'renamed' && record.laterName === true)
        own.push(this.#writer.renamed(record, decision.from, known));
      else if (decision.kind === 'renamed') renamed.set(record, { from: decision.from, to: record.hostname });
      else {
        own.push(record);
        if (decision.conflict !== undefined) this.#writer.conflict(record, decision.conflict);
        else if (found !== undefined) this.#writer.reportShared(found);
      }
    }
    const results = await this.#writer.write(own);
    for (const [index, record] of own.entries()) {
      const outcome = results[index] as WriteOutcome;
      outcomes.push({ record, outcome: outcome === DUPLICATE ? OTHER_MACHINE : outcome });
    }
    outcomes.push(...(await this.#rename(renamed)));
    return outcomes;
  }

  /** Returns a test whether the source still has a host under its name, as far as this run shows. */
  async #namedHosts(
    { found, present }: KnownRecords,
    named: ReadonlySet<string>,
  ): Promise<(hostname: string) => boolean> {
    const holders = [...found.values()].flatMap((one) => [...one.holders.values()].flat());
    const elsewhere = await broughtByOthers(this.#run, [...new Set(holders.map(({ hostname }) => hostname))]);
    return (hostname) =>
      wasSeen(present.get(hostname), this.#run) ||
      named.has(hostname) ||
      elsewhere.has(hostname) ||
      this.#deferred.has(hostname);
  }

  async #rename(renamed: ReadonlyMap<PreparedRecord, HostRename>): Promise<readonly DeferredOutcome[]> {
    const { stores, clock, actor, tally } = this.#run;
    const records = [...renamed.keys()];
    if (records.length === 0) return [];
    const renames = await stores.hosts.rename({ hosts: [...renamed.values()], at: clock.now(), actor });
    const results = await this.#writer.write(records);
    return records.map((record, index) => {
      const outcome = results[index] as WriteOutcome;
      if (renames[index] !== 'renamed') return { record, outcome };
      tally.rename(renamed.get(record) as HostRename);
      return { record, outcome: outcome === 'unchanged' ? 'updated' : outcome };
    });
  }

  /** Returns the outcomes of records that a read of changes cannot decide, and that wait for a run that reads everything. */
  async #undecided(
    records: readonly PreparedRecord[],
    found: ReadonlyMap<PreparedRecord, KnownRecord>,
  ): Promise<ReadonlyMap<PreparedRecord, WriteOutcome>> {
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const others = await this.#otherThings(records);
    for (const record of records) {
      const outcome = others.has(record.hostname) ? OTHER_THING : this.#leftToNext(found.get(record));
      if (outcome !== undefined) outcomes.set(record, outcome);
    }
    return outcomes;
  }

  /**
   * Returns the names of hosts that the account knows as another object of its source. Only a run that reads everything shows
   * which of the two has the name, or whether there are two.
   */
  async #otherThings(records: readonly PreparedRecord[]): Promise<ReadonlySet<string>> {
    const { account, stores, changes } = this.#run;
    const own = new Map<string, readonly string[]>();
    for (const { hostname, keys } of records) {
      const ids = (keys?.texts ?? []).filter(isOfAccountAlone);
      if (ids.length > 0) own.set(hostname, ids);
    }
    const stored = new Map<string, string[]>();
    for (const { hostname, accountId, kind, value } of own.size === 0 ? [] : await stores.marks.of([...own.keys()])) {
      if (kind !== 'key' || accountId !== account.id || !isOfAccountAlone(value)) continue;
      stored.set(hostname, [...(stored.get(hostname) ?? []), value]);
    }
    const others = [...stored].filter(([hostname, ids]) => !own.get(hostname)?.some((id) => ids.includes(id)));
    if (others.length > 0) changes.undecided();
    return new Set(others.map(([hostname]) => hostname));
  }

  /** Returns the outcome of a record of an unknown name whose keys are those of a host, which the source may still have. */
  #leftToNext(found: KnownRecord | undefined): WriteOutcome | undefined {
    if (found === undefined || found.host !== undefined) return undefined;
    const match = matchByKeys(found.holders);
    if (match.kind === 'none') return undefined;
    if (match.kind === 'one' && match.holder.archivedBy === 'operator') {
      return archivedAs({ from: match.holder.hostname, key: match.key });
    }
    this.#run.changes.undecided();
    return LEFT_TO_NEXT;
  }
}

const NO_STRANGERS: ReadonlySet<PreparedRecord> = new Set();

const NOTHING_UNDECIDED: ReadonlyMap<PreparedRecord, WriteOutcome> = new Map();

const UNDECIDED: WriteOutcome = {
  kind: 'skipped',
  reason: worded`its keys are those of a host of another name, and the source was not read to its end; the next run that reads everything decides whether it is that host`,
};

const LEFT_TO_NEXT: WriteOutcome = {
  kind: 'skipped',
  reason: worded`its keys are those of a host of another name, and only what changed was read; the next run, which reads everything, decides whether it is that host`,
};

const OTHER_THING: WriteOutcome = {
  kind: 'skipped',
  reason: worded`the host of that name was another record of the source, and only what changed was read; the next run, which reads everything, decides whose name it is`,
};

/** Returns the outcome of a record that is, by its key, a host archived by an operator. */
function archivedAs({ from, key }: { readonly from: string; readonly key: string }): WriteOutcome {
  const reason = worded`it has ${{ key }} of ${{ from }}, which an operator archived; "muster host restore" brings that host back, and the next run gives it this name`;
  return { kind: 'skipped', reason };
}
