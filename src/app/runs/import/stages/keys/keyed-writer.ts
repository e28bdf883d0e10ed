import { hash } from 'node:crypto';
import { nameOrElse, type Said, worded } from '../../../../../kit/worded.ts';
import type { HostMark, KeyedHost } from '../../../../../ports/index.ts';
import type { PreparedRecord } from '../../decisions/prepare-record.ts';
import { type ImportRun, isStored, type Stage, type WriteOutcome } from '../../import-stage.ts';
import type { DeferredRecords } from './deferred-records.ts';
import { KeyHolders, type KnownRecord, type KnownRecords } from './key-holders.ts';

export interface KeyedWriterSettings {
  readonly deferred: DeferredRecords;
  /** True if the account keeps keys, and removes those that it no longer names. */
  readonly keeps: boolean;
}

/** Hands records to the next stage together with their keys, and knows who has them. */
export class KeyedWriter {
  /** The keys that this run named; other stored keys are removed after it. */
  readonly named = new NamedKeys();
  readonly #run: ImportRun;
  readonly #next: Stage;
  readonly #settings: KeyedWriterSettings;
  readonly #holders: KeyHolders;
  /** Keys by which the account does not know the host of a record so far. */
  readonly #unstored = new WeakMap<PreparedRecord, readonly string[]>();

  constructor(run: ImportRun, next: Stage, settings: KeyedWriterSettings) {
    this.#run = run;
    this.#next = next;
    this.#settings = settings;
    this.#holders = new KeyHolders(run);
  }

  async known(records: readonly PreparedRecord[]): Promise<KnownRecords> {
    const known = await this.#holders.of(records);
    for (const record of records) this.#compare(record, known.byKey);
    return known;
  }

  /** The record as one of another host, which the keys were asked for that `known` has. */
  renamed(record: PreparedRecord, hostname: string, { byKey }: KnownRecords): PreparedRecord {
    const renamed = { ...record, hostname };
    this.#compare(renamed, byKey);
    return renamed;
  }

  /** One outcome a record, in order. */
  async write(records: readonly PreparedRecord[]): Promise<readonly WriteOutcome[]> {
    if (records.length === 0) return [];
    return this.#holders.whileWriting(records, async () => {
      const outcomes = await this.#next.write(records);
      if (this.#settings.keeps) await this.#keep(records.filter((_, index) => isStored(outcomes[index])));
      return outcomes;
    });
  }

  conflict({ position, hostname }: PreparedRecord, reason: Said): void {
    this.#run.tally.keyConflict({ position, hostname, reason });
  }

  /**
   * Reports a key of several hosts: once for a pair of hosts if both are in this read, and always if the other one belongs to
   * another account.
   */
  reportShared({ record, shared }: KnownRecord): void {
    for (const [hostname, { key, isForeign }] of shared) {
      if (isForeign) {
        this.conflict(
          record,
          worded`has ${{ key }}, as ${{ hostname: nameOrElse(hostname, worded`a host`) }} of another account has: a key of several hosts finds none of them again; if they are one machine, set mode=contribute of the account that only adds to it`,
        );
        return;
      }
      if (hostname > record.hostname && !this.#holders.isOnItsWay(hostname, key)) continue;
      // Waiting records report it themselves.
      if (this.#settings.deferred.has(hostname)) continue;
      this.conflict(
        record,
        worded`has ${{ key }}, as ${{ hostname }} has: a key of several hosts finds none of them again`,
      );
      return;
    }
  }

  #compare(record: PreparedRecord, byKey: ReadonlyMap<string, readonly HostMark[]>): void {
    const { hostname, keys } = record;
    if (keys === undefined || keys.texts.length === 0) return;
    const isStored = (key: string): boolean => {
      for (const mark of byKey.get(key) ?? []) {
        if (mark.hostname === hostname && mark.accountId === this.#run.account.id) return true;
      }
      return false;
    };
    this.#unstored.set(
      record,
      keys.texts.filter((key) => !isStored(key)),
    );
  }

  /** The store is given the keys that it does not have yet. */
  async #keep(records: readonly PreparedRecord[]): Promise<void> {
    const { stores, account, clock } = this.#run;
    const added: KeyedHost[] = [];
    for (const record of records) {
      const { hostname, keys } = record;
      if (keys === undefined) continue;
      for (const value of keys.texts) this.named.add(hostname, value);
      for (const value of this.#unstored.get(record) ?? keys.texts) added.push({ hostname, value });
    }
    await stores.marks.putKeys({ accountId: account.id, keys: added, at: clock.now() });
  }
}

const SMALLEST = 1024;

/**
 * Remembers which keys a run named at which hosts: stored keys that are not among them are removed. Stores 64 bits of a digest
 * instead of the texts, in at most 32 bytes per key. If two digests are equal, a key may stay that should have been removed.
 */
export class NamedKeys {
  /** Two halves per place; both are 0 if it is free. The size is a power of two, and at most half of it is taken. */
  #places = new Uint32Array(2 * SMALLEST);
  #taken = 0;

  add(hostname: string, key: string): void {
    if (this.#taken * 4 >= this.#places.length) this.#grow();
    const [high, low] = digestOf(hostname, key);
    this.#put(high, low);
  }

  has(hostname: string, key: string): boolean {
    const [high, low] = digestOf(hostname, key);
    return this.#places[this.#placeOf(high, low)] === high;
  }

  #put(high: number, low: number): void {
    const place = this.#placeOf(high, low);
    if (this.#places[place] === high) return;
    this.#places[place] = high;
    this.#places[place + 1] = low;
    this.#taken++;
  }

  /** Returns the place of the digest, or the free place for it. */
  #placeOf(high: number, low: number): number {
    const last = this.#places.length - 2;
    for (let place = (low * 2) & last; ; place = (place + 2) & last) {
      const there = this.#places[place];
      if (there === 0 || (there === high && this.#places[place + 1] === low)) return place;
    }
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Uint32Array(before.length * 2);
    this.#taken = 0;
    for (let place = 0; place < before.length; place += 2) {
      const high = before[place] as number;
      if (high !== 0) this.#put(high, before[place + 1] as number);
    }
  }
}

/** Returns two numbers of 32 bits, the first never 0. The length marks the end of the hostname. */
function digestOf(hostname: string, key: string): readonly [high: number, low: number] {
  const digest = hash('sha256', `${hostname.length} ${hostname}${key}`, 'hex');
  return [Number.parseInt(digest.slice(0, 8), 16) || 1, Number.parseInt(digest.slice(8, 16), 16)];
}
