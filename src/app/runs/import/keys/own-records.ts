import { worded } from '../../../../kit/worded.ts';
import type { HostRecord, HostRename, MarkStore } from '../../../../ports/index.ts';
import type { ReadingChanges } from '../changes-only.ts';
import { claimedBy, decideName } from '../decisions/key-match.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import type { RenameDiffs } from '../rename-diffs.ts';
import {
  DUPLICATE,
  OTHER_MACHINE,
  PUT_ASIDE,
  type Settled,
  type WriteMode,
  type WriteModeContext,
  type WriteOutcome,
} from '../write-mode.ts';
import { archivedAs } from './archived-as.ts';
import { ChangedRecords } from './changed-records.ts';
import type { KnownRecords } from './key-holders.ts';
import type { KeyedWriter } from './keyed-writer.ts';
import { isKnownMachine, namesakes, strangers } from './known-machines.ts';
import type { PutAside } from './put-aside.ts';

export interface OwnRecordsSettings {
  readonly marks: MarkStore;
  readonly aside: PutAside;
  readonly dryRun: boolean;
  readonly diffs: RenameDiffs;
  /** The one part of the source that is read. */
  readonly part?: string | undefined;
  readonly changes: Pick<ReadingChanges, 'changesOnly' | 'undecided'>;
  readonly onRename: (rename: HostRename) => void;
}

/**
 * Records that become hosts of the account. One of an unknown name with the keys of a host waits for the end of the read: only then
 * it is known whether the source still has that host under its name, or whether it is this one.
 */
export class OwnRecords {
  readonly #context: WriteModeContext;
  readonly #mode: WriteMode;
  readonly #writer: KeyedWriter;
  readonly #settings: OwnRecordsSettings;
  readonly #changed: ChangedRecords;

  constructor(context: WriteModeContext, mode: WriteMode, writer: KeyedWriter, settings: OwnRecordsSettings) {
    const { marks, changes } = settings;
    this.#context = context;
    this.#mode = mode;
    this.#writer = writer;
    this.#settings = settings;
    this.#changed = new ChangedRecords({ accountId: context.account.id, marks, changes });
  }

  async write(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    const { aside, changes } = this.#settings;
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const { found: others, byKey } = await this.#writer.known(records);
    const accountId = this.#context.account.id;
    for (const [record, outcome] of namesakes(records, byKey, accountId)) outcomes.set(record, outcome);
    const unsure = changes.changesOnly
      ? NO_STRANGERS
      : await strangers(records, { byKey, marks: this.#settings.marks, accountId });
    for (const record of records) {
      if (outcomes.has(record)) continue;
      if (aside.has(record.hostname) && !isKnownMachine(record, byKey, accountId)) outcomes.set(record, DUPLICATE);
    }
    const undecided = changes.changesOnly ? await this.#changed.undecided(records, others) : NOTHING_UNDECIDED;
    // As a rule: nobody shares a key, and nothing waits.
    if (outcomes.size === 0 && others.size === 0 && undecided.size === 0 && unsure.size === 0)
      return this.#writer.write(records);
    const now: PreparedRecord[] = [];
    for (const record of records) {
      if (outcomes.has(record)) continue;
      const found = others.get(record);
      // The machine of that name may stand further on in the source.
      if (unsure.has(record)) {
        await aside.add(record, []);
        outcomes.set(record, PUT_ASIDE);
        continue;
      }
      const outcome = undecided.get(record);
      if (outcome !== undefined) outcomes.set(record, outcome);
      else if (changes.changesOnly || found === undefined || found.host !== undefined || found.holders.size === 0) {
        now.push(record);
      } else {
        await aside.add(record, claimedBy(found.holders));
        outcomes.set(record, PUT_ASIDE);
      }
    }
    for (const record of now) {
      const found = others.get(record);
      if (found !== undefined) this.#writer.tellShared(found);
    }
    const results = await this.#writer.write(now);
    for (const [index, record] of now.entries()) outcomes.set(record, results[index] as WriteOutcome);
    return records.map((record) => outcomes.get(record) as WriteOutcome);
  }

  /** What happens to those that wait, at the end of the read. */
  async *settle(isWhole: boolean, named: ReadonlySet<string>): AsyncGenerator<readonly Settled[]> {
    const { aside } = this.#settings;
    try {
      for (const records of aside.batches()) {
        if (isWhole) yield await this.#settleBatch(records, named);
        else yield records.map((record) => ({ record, outcome: UNDECIDED }));
      }
    } finally {
      aside.close();
    }
  }

  async #settleBatch(records: readonly PreparedRecord[], named: ReadonlySet<string>): Promise<readonly Settled[]> {
    const { aside, dryRun } = this.#settings;
    const known = await this.#writer.known(records);
    const isNamed = await this.#namedHosts(known, named);
    const settled: Settled[] = [];
    const own: PreparedRecord[] = [];
    const renamed = new Map<PreparedRecord, HostRename>();
    for (const record of records) {
      const found = known.found.get(record);
      const decision =
        found === undefined || found.host !== undefined
          ? ({ kind: 'own' } as const)
          : decideName(found.holders, { isNamed, claims: (hostname) => aside.claims(hostname) });
      if (decision.kind === 'archived') {
        settled.push({ record, outcome: archivedAs(decision) });
        continue;
      }
      // Its own name is missing for now, as of a machine that boots: the host keeps it.
      if (decision.kind === 'renamed' && record.laterName === true)
        own.push(this.#writer.renamed(record, decision.from, known));
      else if (decision.kind === 'renamed') renamed.set(record, { from: decision.from, to: record.hostname });
      else {
        own.push(record);
        if (decision.conflict !== undefined) this.#writer.conflict(record, decision.conflict);
        else if (found !== undefined) this.#writer.tellShared(found);
      }
    }
    const results = await this.#writer.write(own);
    for (const [index, record] of own.entries()) {
      const outcome = results[index] as WriteOutcome;
      settled.push({ record, outcome: outcome === DUPLICATE ? OTHER_MACHINE : outcome });
    }
    settled.push(...(dryRun ? await this.#previewRenames(renamed) : await this.#rename(renamed)));
    return settled;
  }

  /** Whether the source still has a host under its name, as far as this run tells. */
  async #namedHosts(
    { found, present }: KnownRecords,
    named: ReadonlySet<string>,
  ): Promise<(hostname: string) => boolean> {
    const { startedAt } = this.#context;
    const holders = [...found.values()].flatMap((one) => [...one.holders.values()].flat());
    const elsewhere = await this.#ofOtherParts([...new Set(holders.map(({ hostname }) => hostname))]);
    const wasSeen = (host: HostRecord | undefined): boolean =>
      host?.archive === null && host.lastSeen !== null && host.lastSeen >= startedAt;
    return (hostname) =>
      wasSeen(present.get(hostname)) ||
      named.has(hostname) ||
      this.#writer.hasSeen(hostname) ||
      elsewhere.has(hostname) ||
      this.#settings.aside.has(hostname);
  }

  /** Which of these hosts other parts of the source brought, so that the one part that is read does not have all of them. */
  async #ofOtherParts(hostnames: readonly string[]): Promise<ReadonlySet<string>> {
    const { marks, part } = this.#settings;
    if (part === undefined) return new Set();
    const others = (await marks.of(hostnames)).filter(
      ({ kind, accountId, value }) => kind === 'part' && accountId === this.#context.account.id && value !== part,
    );
    return new Set(others.map(({ hostname }) => hostname));
  }

  async #rename(renamed: ReadonlyMap<PreparedRecord, HostRename>): Promise<readonly Settled[]> {
    const { hosts, clock, actor } = this.#context;
    const records = [...renamed.keys()];
    if (records.length === 0) return [];
    const renames = await hosts.rename({ hosts: [...renamed.values()], at: clock.now(), actor });
    const results = await this.#writer.write(records);
    return records.map((record, index) => {
      const outcome = results[index] as WriteOutcome;
      if (renames[index] !== 'renamed') return { record, outcome };
      this.#settings.onRename(renamed.get(record) as HostRename);
      return { record, outcome: outcome === 'unchanged' ? 'updated' : outcome };
    });
  }

  /** The host is looked at under the name that it still has. */
  async #previewRenames(renamed: ReadonlyMap<PreparedRecord, HostRename>): Promise<readonly Settled[]> {
    const { diffs, onRename } = this.#settings;
    if (renamed.size === 0) return [];
    const pairs = [...renamed];
    const outcomes = await diffs.renaming([...renamed.values()], () =>
      this.#mode.write(pairs.map(([record, { from }]) => ({ ...record, hostname: from }))),
    );
    return pairs.map(([record, one], index) => {
      const outcome = outcomes[index] as WriteOutcome;
      onRename(one);
      return { record, outcome: outcome === 'unchanged' ? 'updated' : outcome };
    });
  }
}

const NO_STRANGERS: ReadonlySet<PreparedRecord> = new Set();

const NOTHING_UNDECIDED: ReadonlyMap<PreparedRecord, WriteOutcome> = new Map();

const UNDECIDED: WriteOutcome = {
  kind: 'skipped',
  reason: worded`its keys are those of a host of another name, and the source was not read to its end; the next run that reads everything decides whether it is that host`,
};
