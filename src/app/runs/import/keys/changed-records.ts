import { worded } from '../../../../kit/worded.ts';
import type { MarkStore } from '../../../../ports/index.ts';
import { isOfAccountAlone } from '../../../hosts/decisions/host-keys.ts';
import type { ReadingChanges } from '../changes-only.ts';
import { matchByKeys } from '../decisions/key-match.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import type { WriteOutcome } from '../write-mode.ts';
import { archivedAs } from './archived-as.ts';
import type { KnownRecord } from './key-holders.ts';

export interface ChangedRecordsSettings {
  readonly accountId: string;
  readonly marks: MarkStore;
  readonly changes: Pick<ReadingChanges, 'changesOnly' | 'undecided'>;
}

/** What cannot be decided of records while only what changed is read: it waits for a run that reads everything. */
export class ChangedRecords {
  readonly #settings: ChangedRecordsSettings;

  constructor(settings: ChangedRecordsSettings) {
    this.#settings = settings;
  }

  /** The outcomes of those that are not written now; none in a run that reads everything. */
  async undecided(
    records: readonly PreparedRecord[],
    found: ReadonlyMap<PreparedRecord, KnownRecord>,
  ): Promise<ReadonlyMap<PreparedRecord, WriteOutcome>> {
    const outcomes = new Map<PreparedRecord, WriteOutcome>();
    const others = await this.#otherThings(records);
    for (const record of records) {
      const outcome = others.has(record.hostname) ? OTHER_THING : this.#outcomeOf(found.get(record));
      if (outcome !== undefined) outcomes.set(record, outcome);
    }
    return outcomes;
  }

  /**
   * Hosts of these names that the account knows as another thing of its source. Which of the two has the name, or whether there are two,
   * only a run tells that reads everything.
   */
  async #otherThings(records: readonly PreparedRecord[]): Promise<ReadonlySet<string>> {
    const { accountId: account, marks, changes } = this.#settings;
    const own = new Map<string, readonly string[]>();
    for (const { hostname, keys } of records) {
      const ids = (keys?.texts ?? []).filter(isOfAccountAlone);
      if (ids.length > 0) own.set(hostname, ids);
    }
    const stored = new Map<string, string[]>();
    for (const { hostname, accountId, kind, value } of own.size === 0 ? [] : await marks.of([...own.keys()])) {
      if (kind !== 'key' || accountId !== account || !isOfAccountAlone(value)) continue;
      stored.set(hostname, [...(stored.get(hostname) ?? []), value]);
    }
    const others = [...stored].filter(([hostname, ids]) => !own.get(hostname)?.some((id) => ids.includes(id)));
    if (others.length > 0) changes.undecided();
    return new Set(others.map(([hostname]) => hostname));
  }

  /** Of a record of an unknown name whose keys are those of a host: the source may have that one still. */
  #outcomeOf(found: KnownRecord | undefined): WriteOutcome | undefined {
    if (found === undefined || found.host !== undefined) return undefined;
    const match = matchByKeys(found.holders);
    if (match.kind === 'none') return undefined;
    if (match.kind === 'one' && match.holder.archivedBy === 'operator') {
      return archivedAs({ from: match.holder.hostname, key: match.key });
    }
    this.#settings.changes.undecided();
    return LEFT_TO_NEXT;
  }
}

const LEFT_TO_NEXT: WriteOutcome = {
  kind: 'skipped',
  reason: worded`its keys are those of a host of another name, and only what changed was read; the next run, which reads everything, decides whether it is that host`,
};

const OTHER_THING: WriteOutcome = {
  kind: 'skipped',
  reason: worded`the host of that name was another record of the source, and only what changed was read; the next run, which reads everything, decides whose name it is`,
};
