import type { ImportTally } from '../../../kit/summaries/import-summary.ts';
import { type Said, saidBy, worded } from '../../../kit/worded.ts';
import { AppError, type ReadContext, type Source, type SourceItem } from '../../../ports/index.ts';
import type { ReadingChanges } from './changes-only.ts';
import type { Prepared, PreparedRecord, RecordPreparer, StoredName } from './decisions/prepare-record.ts';
import { DUPLICATE, type Stage, type WriteOutcome } from './import-stage.ts';
import { WriteQueue } from './write-queue.ts';

const BATCH_SIZE = 500;
/** The writer has work while a piece is read and prepared: with two it waited for a third of an import from a server. */
const BATCHES_UNDER_WAY = 4;
/**
 * Number of consecutive refused records, with none stored in between, after which the store counts as broken, rather than the
 * records.
 */
const MAX_FAILURES_IN_A_ROW = 20;
/** Names of refused records are kept in memory until the end; beyond this the run archives nothing instead. */
const MAX_KEPT_NAMES = 50_000;

const TOO_MANY = worded`nothing was archived, because more than ${{ most: MAX_KEPT_NAMES }} records could not be used`;

/** Moves records from the source to the store and counts each of them once. */
export class RecordPump {
  /** Hosts that the source named but that were not written. */
  readonly except = new Set<string>();
  /** Keys of records without a name: the hosts that have them are still in the source. */
  readonly namelessKeys = new Set<string>();
  /** Records that could become a host. */
  usable = 0;
  /** Why it is not known which hosts the source still names; `undefined` when it is. */
  unsureOfNames: Said | undefined;
  readonly #stage: Stage;
  readonly #tally: ImportTally;
  readonly #preparer: RecordPreparer;
  readonly #changes: ReadingChanges;
  readonly #queue: WriteQueue;
  #failuresInARow = 0;

  constructor(parts: {
    readonly stage: Stage;
    readonly tally: ImportTally;
    readonly changes: ReadingChanges;
    readonly preparer: RecordPreparer;
  }) {
    this.#stage = parts.stage;
    this.#tally = parts.tally;
    this.#preparer = parts.preparer;
    this.#changes = parts.changes;
    this.#queue = new WriteQueue({
      write: (records) => this.#write(records),
      batchSize: BATCH_SIZE,
      limit: BATCHES_UNDER_WAY,
    });
  }

  /** Reads to the end. Throws what the source or the store throws, after everything under way is settled. */
  async run(source: Source, context: ReadContext): Promise<void> {
    try {
      for await (const items of source.read(context)) {
        context.signal.throwIfAborted();
        await this.#take(items);
      }
      context.signal.throwIfAborted();
      await this.#queue.flush();
      await this.#queue.drain();
      context.signal.throwIfAborted();
    } catch (error) {
      await this.#queue.settled();
      await this.#finishDeferred(false);
      throw error;
    }
    await this.#finishDeferred(this.#tally.gapsTotal === 0 && this.unsureOfNames === undefined);
  }

  async #finishDeferred(isWhole: boolean): Promise<void> {
    for await (const batch of this.#stage.finishDeferred?.(isWhole, this.except) ?? []) {
      for (const { record, outcome } of batch) this.#count(record, outcome);
    }
  }

  async #take(items: readonly SourceItem[]): Promise<void> {
    for (const item of items) {
      if (item.kind === 'gap') {
        this.#tally.gap(item);
        continue;
      }
      if (item.kind === 'bookmark') {
        this.#changes.begin(item, this.#tally.seen === 0);
        continue;
      }
      if (item.kind === 'left_out') {
        this.#tally.leaveOut(item);
        continue;
      }
      if (item.kind === 'skipped') {
        const { position, hostname, keys, reason } = item;
        this.#tally.seen++;
        if (hostname === undefined && keys !== undefined) this.#keepKeys(this.#preparer.keysOf(keys).texts);
        for (const name of this.#preparer.storedNames(hostname)) this.#keepName(name);
        this.#tally.notWritten({ position, hostname: hostname ?? '', kind: 'skipped', reason });
        continue;
      }
      for (const prepared of this.#preparer.prepare(item)) {
        this.#tally.seen++;
        // Which of two records of one name the host is, its keys tell: the stages decide, one after the other.
        if (prepared.ok && prepared.record.keys !== undefined && this.#queue.isHandedOver(prepared.record.hostname))
          await this.#queue.settled();
        if (this.#queued(item.position, prepared)) await this.#queue.flush();
      }
    }
  }

  /** True when a batch is full. */
  #queued(position: string, prepared: Prepared): boolean {
    if (!prepared.ok) {
      const { hostname, reason } = prepared;
      this.#keepName(prepared.storedName);
      this.#tally.notWritten({ position, hostname, kind: 'skipped', reason });
      return false;
    }
    this.usable++;
    for (const warning of prepared.warnings)
      this.#tally.warn({ position, hostname: prepared.record.hostname, reason: warning });
    if (
      this.#stage.repeatsCount !== true &&
      prepared.record.keys === undefined &&
      this.#queue.isUnderWay(prepared.record.hostname)
    ) {
      this.#count(prepared.record, DUPLICATE);
      return false;
    }
    return this.#queue.add(prepared.record);
  }

  /**
   * Writes records. A call that the store refuses is halved until the bad records are isolated, so that they affect no others. A
   * store that does not answer at all fails the run.
   */
  async #write(records: readonly PreparedRecord[]): Promise<void> {
    let outcomes: readonly WriteOutcome[];
    try {
      outcomes = await this.#stage.write(records);
    } catch (error) {
      if (error instanceof AppError && (error.code === 'unavailable' || error.code === 'cancelled')) throw error;
      if (records.length === 1) return this.#refused(records, error);
      const middle = records.length >> 1;
      await this.#write(records.slice(0, middle));
      return this.#write(records.slice(middle));
    }
    this.#failuresInARow = 0;
    for (let index = 0; index < records.length; index++) {
      const record = records[index];
      const outcome = outcomes[index];
      if (record !== undefined && outcome !== undefined) this.#count(record, outcome);
    }
  }

  #refused([record]: readonly PreparedRecord[], error: unknown): void {
    if (record === undefined) return;
    const reason = error instanceof AppError ? saidBy(error) : worded`the storage refused it for an unexpected reason`;
    this.#keepName({ hostname: record.hostname });
    this.#count(record, { kind: 'failed', reason });
    if (++this.#failuresInARow < MAX_FAILURES_IN_A_ROW) return;
    throw new AppError('failed', worded`the storage refuses every record: ${{ reason }}`, { cause: error });
  }

  #count({ position, hostname }: PreparedRecord, outcome: WriteOutcome): void {
    if (typeof outcome === 'string') this.#tally[outcome]++;
    else if (outcome.kind !== 'deferred') {
      const { kind, reason, stays = [] } = outcome;
      for (const name of stays) this.#keepName({ hostname: name });
      this.#tally.notWritten({ position, hostname, kind, reason });
    }
  }

  #keepKeys(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.namelessKeys.size < MAX_KEPT_NAMES) this.namelessKeys.add(key);
      else this.unsureOfNames ??= TOO_MANY;
    }
  }

  #keepName(name: StoredName): void {
    if (name === undefined) return;
    if (name === 'unknown') {
      this.unsureOfNames ??= worded`nothing was archived, because rewrite_hostname fails for some records, or needs fields of them that could not be read, so that it is not known which hosts the source still has`;
    } else if (this.except.size < MAX_KEPT_NAMES) this.except.add(name.hostname);
    else this.unsureOfNames ??= TOO_MANY;
  }
}
