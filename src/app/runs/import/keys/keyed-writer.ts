import type { ToldConflict } from '../../../../kit/summaries/import-summary.ts';
import { type Said, worded } from '../../../../kit/worded.ts';
import type { MarkStore } from '../../../../ports/index.ts';
import type { PreparedRecord } from '../decisions/prepare-record.ts';
import { isStored, type WriteMode, type WriteModeContext, type WriteOutcome } from '../write-mode.ts';
import { KeptKeys } from './kept-keys.ts';
import { KeyHolders, type KnownRecord, type KnownRecords } from './key-holders.ts';
import type { PutAside } from './put-aside.ts';

export interface KeyedWriterSettings {
  readonly marks: MarkStore;
  readonly aside: PutAside;
  readonly dryRun: boolean;
  /** Records become hosts that the account owns; otherwise they say something of hosts that are there. */
  readonly owns: boolean;
  /** The account keeps the keys, and takes back those that it no longer names. */
  readonly keeps: boolean;
  readonly onConflict: (conflict: ToldConflict) => void;
  readonly onWarning: (warning: ToldConflict) => void;
}

/** Writes records in the mode of the account together with their keys, and knows who has them. */
export class KeyedWriter {
  readonly #mode: WriteMode;
  readonly #settings: KeyedWriterSettings;
  readonly #holders: KeyHolders;
  readonly #kept: KeptKeys;
  /** Dry runs: what the source has, since nothing is marked as seen. */
  readonly #seen = new Set<string>();

  constructor({ account, clock, hosts }: WriteModeContext, mode: WriteMode, settings: KeyedWriterSettings) {
    const { marks, aside, owns, onWarning } = settings;
    this.#mode = mode;
    this.#settings = settings;
    this.#holders = new KeyHolders({ account, hosts, marks, owns, aside, onWarning });
    this.#kept = new KeptKeys({ accountId: account.id, marks, clock });
  }

  /** The keys that this run named. */
  get named(): KeptKeys['named'] {
    return this.#kept.named;
  }

  async known(records: readonly PreparedRecord[]): Promise<KnownRecords> {
    const known = await this.#holders.of(records);
    this.#kept.compare(records, known.byKey);
    return known;
  }

  /** The record as one of another host, which the keys were asked for that `known` has. */
  renamed(record: PreparedRecord, hostname: string, { byKey }: KnownRecords): PreparedRecord {
    const renamed = { ...record, hostname };
    if (!this.#settings.dryRun) this.#kept.compare([renamed], byKey);
    return renamed;
  }

  /** One outcome a record, in order. */
  async write(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    if (records.length === 0) return [];
    const { dryRun, owns } = this.#settings;
    if (dryRun && owns) for (const { hostname } of records) this.#seen.add(hostname);
    return this.#holders.whileWriting(records, async () => {
      const outcomes = await this.#mode.write(records);
      const written = records.filter((_, index) => isStored(outcomes[index]));
      if (dryRun) await this.#note(written);
      else if (this.#settings.keeps) await this.#kept.keep(written);
      return outcomes;
    });
  }

  /** Dry runs: whether the read named the host so far. */
  hasSeen(hostname: string): boolean {
    return this.#seen.has(hostname);
  }

  conflict({ position, hostname }: PreparedRecord, reason: Said): void {
    this.#settings.onConflict({ position, hostname, reason });
  }

  /** A key of several hosts is told once for two of them, where both are of this read, and always where the other one is of another account. */
  tellShared({ record, shared }: KnownRecord): void {
    for (const [hostname, { key, isForeign }] of shared) {
      if (isForeign) {
        this.conflict(
          record,
          worded`has ${{ key }}, as ${{ hostname }} of another account has: a key of several hosts finds none of them again; if they are one machine, set mode=contribute of the account that only adds to it`,
        );
        return;
      }
      if (hostname > record.hostname && !this.#holders.isOnItsWay(hostname, key)) continue;
      // What waits tells it by itself.
      if (this.#settings.aside.has(hostname)) continue;
      this.conflict(
        record,
        worded`has ${{ key }}, as ${{ hostname }} has: a key of several hosts finds none of them again`,
      );
      return;
    }
  }

  async #note(records: readonly PreparedRecord[]): Promise<void> {
    const { owns, aside } = this.#settings;
    for (const record of records) {
      if (owns) this.#holders.noteWritten(record.hostname);
      const keys = this.#kept.unstoredOf(record) ?? [];
      if (keys.length > 0) await aside.noteKeys(record.hostname, keys);
    }
  }
}
