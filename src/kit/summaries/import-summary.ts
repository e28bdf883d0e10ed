import type { HostRename, LeftOutRecords, Wording, WordingParts } from '../../ports/index.ts';
import { maskedSaid } from '../masking/masked.ts';
import { enumerated, type Said, textOf, worded } from '../worded.ts';

/**
 * Counts of one import. Every record that the source gave is in exactly one of the counts other than `archived`; if
 * `rewrite_hostname` turns one record into several hosts, each counts as a record.
 */
export interface ImportSummary {
  readonly seen: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly archived: number;
  readonly conflicts: number;
  readonly skipped: number;
  readonly failed: number;
  readonly duration_ms: number;
}

/** A record that was not written, and why. */
export interface NotWrittenRecord {
  /** The position in the source: `line 12`, `record 3`. */
  readonly position: string;
  /** Empty when the record has none. */
  readonly hostname: string;
  readonly kind: 'conflict' | 'skipped' | 'failed';
  readonly reason: Said;
}

/** A part of the source that could not be read. */
export interface ImportGap {
  /** `page 7 of 12`. */
  readonly what: Said;
  readonly reason: Said;
}

/** A record of which a key says nothing certain, because other hosts have it too, or that cannot be kept. */
export interface KeyConflict {
  readonly position: string;
  readonly hostname: string;
  /** To follow the name: `has serial=J4711, as web01 has …`. */
  readonly reason: Said;
}

/** A doubt about records that are written nevertheless, such as a label that cannot be kept. */
export interface RunWarning extends KeyConflict {
  /** Number of records that the warning applies to; position and name are those of the first. */
  readonly records: number;
}

export interface ImportReport {
  /** `partial`: everything was done except for single records that the storage refused, or for parts that the source could not read. */
  readonly status: 'done' | 'partial' | 'failed';
  /** One line for people. */
  readonly message: string;
  readonly wording?: WordingParts | undefined;
  /** True when the run was called off. */
  readonly cancelled: boolean;
  /** True if only changes were read, so that nothing was archived or restored. */
  readonly changesOnly: boolean;
  readonly summary: ImportSummary;
  /** The first of the records that were not written. */
  readonly notWritten: readonly NotWrittenRecord[];
  /** How many there were of them in all. */
  readonly notWrittenTotal: number;
  /** The first of the parts that could not be read; if there is one, nothing is archived or restored. */
  readonly gaps: readonly ImportGap[];
  readonly gapsTotal: number;
  /** The first names of the hosts that were (or would be) archived. */
  readonly archivedSample: readonly string[];
  /** Hosts that were not archived because they are more than the threshold allows. */
  readonly refused: number;
  /** Hosts that the source no longer names, of an account that archives none; they stay. */
  readonly unseen: { readonly count: number; readonly sample: readonly string[] };
  /** Mode contribute: hosts that lost a contribution because the source no longer names them. */
  readonly withdrawn: number;
  /** Records that options of the account, such as `record_filter`, left out; they are in none of the counts. */
  readonly leftOut: number;
  /** Hosts of which the section was emptied that the account had filled, because the source no longer names them. */
  readonly emptied: number;
  /** Hosts that the source has under another name now, found by their keys. */
  readonly renamed: number;
  /** The first of them. */
  readonly renamedSample: readonly HostRename[];
  /** The first of the keys that were of no use. */
  readonly keyConflicts: readonly KeyConflict[];
  readonly keyConflictsTotal: number;
  /** The first of what is doubtful. */
  readonly warnings: readonly RunWarning[];
  readonly warningsTotal: number;
  /** Edges between hosts that are new, and those that the source no longer names. */
  readonly relations: { readonly added: number; readonly removed: number };
}

/** Reports hold this many records by name; the counts are always complete. */
const MAX_REPORTED_RECORDS = 1_000;
const MAX_REPORTED_GAPS = 100;
const MAX_REPORTED_KEYS = 100;

export interface TallySettings {
  /** Hides secrets in what is said of records that are not written. */
  readonly mask?: ((text: string) => string) | undefined;
  readonly onNotWritten?: ((record: NotWrittenRecord) => void) | undefined;
}

/** Counts kept during a run. */
export class ImportTally {
  seen = 0;
  created = 0;
  updated = 0;
  unchanged = 0;
  archived = 0;
  conflicts = 0;
  skipped = 0;
  failed = 0;
  readonly records: NotWrittenRecord[] = [];
  readonly gaps: ImportGap[] = [];
  gapsTotal = 0;
  renamed = 0;
  readonly renames: HostRename[] = [];
  readonly keyConflicts: KeyConflict[] = [];
  keyConflictsTotal = 0;
  leftOut = 0;
  readonly #warnings = new Map<string, RunWarning & { records: number }>();
  #furtherWarnings = 0;
  readonly #leftOutReasons = new Set<string>();
  readonly #settings: TallySettings;

  constructor(settings: TallySettings = {}) {
    this.#settings = settings;
  }

  notWritten({ position, hostname, kind, reason }: NotWrittenRecord): void {
    const { mask = (text) => text, onNotWritten } = this.#settings;
    // The source says where and why; the name is data.
    const record = { position: mask(position), hostname, kind, reason: maskedSaid(reason, mask) };
    if (record.kind === 'conflict') this.conflicts++;
    else if (record.kind === 'skipped') this.skipped++;
    else this.failed++;
    if (this.records.length < MAX_REPORTED_RECORDS) this.records.push(record);
    onNotWritten?.(record);
  }

  gap({ what, reason }: ImportGap): void {
    const mask = this.#settings.mask ?? ((text: string) => text);
    this.gapsTotal++;
    if (this.gaps.length < MAX_REPORTED_GAPS)
      this.gaps.push({ what: maskedSaid(what, mask), reason: maskedSaid(reason, mask) });
  }

  rename(rename: HostRename): void {
    this.renamed++;
    if (this.renames.length < MAX_REPORTED_KEYS) this.renames.push(rename);
  }

  keyConflict({ position, hostname, reason }: KeyConflict): void {
    const mask = this.#settings.mask ?? ((text: string) => text);
    this.keyConflictsTotal++;
    if (this.keyConflicts.length >= MAX_REPORTED_KEYS) return;
    this.keyConflicts.push({ position: mask(position), hostname, reason: maskedSaid(reason, mask) });
  }

  /** Counts a repeated reason as one warning for several records. */
  warn({ position, hostname, reason: told }: KeyConflict): void {
    const reason = maskedSaid(told, this.#settings.mask ?? ((text: string) => text));
    const known = this.#warnings.get(textOf(reason));
    if (known !== undefined) known.records++;
    else if (this.#warnings.size < MAX_REPORTED_KEYS)
      this.#warnings.set(textOf(reason), { position, hostname, reason, records: 1 });
    else this.#furtherWarnings++;
  }

  get warnings(): readonly RunWarning[] {
    return [...this.#warnings.values()];
  }

  get warningsTotal(): number {
    return this.#warnings.size + this.#furtherWarnings;
  }

  leaveOut({ count, reason }: LeftOutRecords): void {
    this.leftOut += count;
    this.#leftOutReasons.add(reason);
  }

  /** Several may leave records out: the source, and each processor. */
  get leftOutReason(): string {
    return [...this.#leftOutReasons].join(' or ');
  }

  summary(duration: number): ImportSummary {
    const { seen, created, updated, unchanged, archived, conflicts, skipped, failed } = this;
    return {
      seen,
      created,
      updated,
      unchanged,
      archived,
      conflicts,
      skipped,
      failed,
      duration_ms: Math.round(duration),
    };
  }
}

type CountName = Exclude<keyof ImportSummary, 'seen' | 'duration_ms'>;

const COUNTS: Readonly<Record<CountName, (count: number) => Wording>> = {
  created: (count) => worded`${{ count }} created`,
  updated: (count) => worded`${{ count }} updated`,
  unchanged: (count) => worded`${{ count }} unchanged`,
  archived: (count) => worded`${{ count }} archived`,
  conflicts: (count) => (count === 1 ? worded`1 conflict` : worded`${{ count }} conflicts`),
  skipped: (count) => worded`${{ count }} skipped`,
  failed: (count) => worded`${{ count }} failed`,
};

/** `3 created`, `9 unchanged`; counts of nothing are left out. */
export function countWordings(countOf: (name: CountName) => number): readonly Wording[] {
  return (Object.keys(COUNTS) as CountName[]).flatMap((name) => {
    const count = countOf(name);
    return count === 0 ? [] : [COUNTS[name](count)];
  });
}

/** `12 records: 3 created, 9 unchanged`. */
export function summaryWording(summary: ImportSummary): Wording {
  const counts = enumerated(countWordings((name) => summary[name])) ?? worded`nothing to do`;
  return worded`${{ records: recordsWording(summary.seen) }}: ${{ counts }}`;
}

export function recordsWording(count: number): Wording {
  return count === 1 ? worded`1 record` : worded`${{ count }} records`;
}

/** `12 records left out by record_filter`. */
export function leftOutWording({ leftOut, leftOutReason: reason }: ImportTally): readonly Wording[] {
  return leftOut === 0 ? [] : [worded`${{ records: recordsWording(leftOut) }} ${{ reason }}`];
}

/** Why a run is not complete, for its message: `page 7 of 12 could not be read (500) and 2 more parts; nothing was archived`. */
export function gapsWording([first]: readonly ImportGap[], total: number): readonly Wording[] {
  if (first === undefined) return [];
  const { what, reason } = first;
  if (total === 1) return [worded`${{ what }} could not be read (${{ reason }}); nothing was archived`];
  return total === 2
    ? [worded`${{ what }} could not be read (${{ reason }}), nor could 1 more part; nothing was archived`]
    : [
        worded`${{ what }} could not be read (${{ reason }}), nor could ${{ count: total - 1 }} more parts; nothing was archived`,
      ];
}
