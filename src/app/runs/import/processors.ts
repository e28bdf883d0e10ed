import * as z from 'zod';
import type { CheckedProcessor } from '../../../kit/account-options/chosen-processors.ts';
import { phrase, saidBy, textOf, worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import {
  AppError,
  type LeftOutRecord,
  type ProcessedRecord,
  type RecordProcessor,
  type RecordProcessorServices,
  type RefusedRecord,
  type SourceItem,
  type SourceRecord,
} from '../../../ports/index.ts';
import { type GuardedCall, guarded, pluginError } from '../../kernel/plugin-host/guard.ts';

type Items = AsyncIterable<readonly SourceItem[]>;

export interface ProcessorSettings {
  /** Name of the account. */
  readonly account: string;
  readonly timeoutSeconds: number;
  readonly services: RecordProcessorServices;
}

/** Opens the processors of an account; what is answered puts records through them, in their order. Throws what one of them throws. */
export function openProcessors(
  processors: readonly CheckedProcessor[],
  settings: ProcessorSettings,
): (items: Items, context: { readonly signal: AbortSignal }) => Items {
  const steps = processors.map(({ pluginId, type, options }) => {
    const what = `processor ${type.id} of account ${settings.account}`;
    try {
      const processor = type.open(options, settings.services);
      return { id: type.id, processor, call: { pluginId, what, timeoutSeconds: settings.timeoutSeconds } };
    } catch (error) {
      throw pluginError({ pluginId, what: `opening ${what}` }, error);
    }
  });
  return (items, { signal }) => steps.reduce<Items>((through, step) => new Step(step, signal).run(through), items);
}

interface OpenedStep {
  readonly id: string;
  readonly processor: RecordProcessor;
  readonly call: Omit<GuardedCall, 'signal'>;
}

/** Number of consecutive records for which a processor throws before it counts as broken, rather than the records. */
const MAX_FAILURES_IN_A_ROW = 20;

const record = z.looseObject({
  kind: z.literal('record'),
  hostname: z.string(),
  labels: z.record(z.string(), z.unknown()),
});
const processedSchema = z.union([
  record,
  z.looseObject({ kind: z.literal('left_out') }),
  z.looseObject({ kind: z.literal('skipped'), reason: z.string(), hostname: z.string().optional() }),
]);

/** One processor in one run. */
class Step {
  readonly #step: OpenedStep;
  readonly #signal: AbortSignal;
  #leftOut = 0;
  #nameless = 0;
  /** It gave a record another name, so that those which the source skipped may have others too. */
  #renames = false;
  #skipped = 0;
  #failuresInARow = 0;

  constructor(step: OpenedStep, signal: AbortSignal) {
    this.#step = step;
    this.#signal = signal;
  }

  async *run(items: Items): AsyncGenerator<readonly SourceItem[]> {
    for await (const batch of items) yield await this.#batch(batch);
    const end = this.#end();
    if (end.length > 0) yield end;
  }

  /** Processes the records of a batch; other items pass unchanged, at their positions. */
  async #batch(batch: readonly SourceItem[]): Promise<readonly SourceItem[]> {
    const records = batch.filter((item) => item.kind === 'record');
    for (const item of batch) if (item.kind === 'skipped' && item.hostname !== undefined) this.#skipped++;
    if (records.length === 0) return batch;
    const processed = await this.#process(records);
    let next = 0;
    return batch.flatMap((item) => {
      if (item.kind !== 'record') return [item];
      const outcome = processed[next++];
      return outcome === undefined ? [] : this.#itemOf(item, outcome);
    });
  }

  async #process(records: readonly SourceRecord[]): Promise<readonly ProcessedRecord[]> {
    const begunAt = performance.now();
    try {
      const processed = await guarded({ ...this.#step.call, signal: this.#signal }, async (signal) =>
        this.#checked(records, await this.#step.processor.process(records, { signal })),
      );
      this.#failuresInARow = 0;
      return processed;
    } catch (error) {
      const isOver = performance.now() - begunAt >= this.#step.call.timeoutSeconds * 1000;
      if (this.#signal.aborted || isOver) throw error;
      if (records.length === 1) return [this.#failed(error)];
    }
    const alone: ProcessedRecord[] = [];
    for (const each of records) alone.push(...(await this.#process([each])));
    return alone;
  }

  /** The record that it throws for, unless it throws for all. */
  #failed(error: unknown): RefusedRecord {
    const reason = error instanceof AppError ? saidBy(error) : String(error);
    if (++this.#failuresInARow < MAX_FAILURES_IN_A_ROW) return { kind: 'skipped', reason: textOf(reason) };
    const { what } = this.#step.call;
    throw new AppError('failed', worded`${{ what }} fails for every record: ${{ reason }}`, { cause: error });
  }

  #checked(records: readonly SourceRecord[], processed: unknown): readonly ProcessedRecord[] {
    const result = z.array(processedSchema).length(records.length).safeParse(processed);
    if (result.success) return processed as readonly ProcessedRecord[];
    const [issue] = result.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw new Error(
      Array.isArray(processed) && processed.length !== records.length
        ? `it answered ${processed.length} for ${counted(records.length, 'record')}; there must be one for each`
        : `its answer is neither a record nor the reason for leaving one out${place === '' ? '' : ` (${place})`}`,
    );
  }

  #itemOf(before: SourceRecord, outcome: SourceRecord | LeftOutRecord | RefusedRecord): readonly SourceItem[] {
    if (outcome.kind === 'left_out') {
      this.#leftOut++;
      return [];
    }
    const { position, part } = before;
    if (outcome.kind === 'skipped') {
      if (outcome.hostname === undefined) this.#nameless++;
      return [{ kind: 'skipped', position, hostname: outcome.hostname ?? before.hostname, reason: outcome.reason }];
    }
    this.#renames ||= outcome.hostname !== before.hostname;
    const { part: _, ...record } = outcome;
    return [{ ...record, position, ...(part !== undefined && { part }) }];
  }

  #end(): readonly SourceItem[] {
    const { id } = this.#step;
    const items: SourceItem[] = [];
    if (this.#leftOut > 0)
      items.push({ kind: 'left_out', count: this.#leftOut, reason: `left out by processor ${id}` });
    if (this.#nameless > 0) {
      const what =
        this.#nameless === 1
          ? worded`1 record that processor ${{ id }} refused`
          : worded`${{ count: String(this.#nameless) }} records that processor ${{ id }} refused`;
      const reason = phrase`which hosts they are is not known, so nothing is archived`;
      items.push({ kind: 'gap', what, reason });
    }
    if (this.#renames && this.#skipped > 0) {
      const what =
        this.#skipped === 1
          ? worded`1 record that the source skipped`
          : worded`${{ count: String(this.#skipped) }} records that the source skipped`;
      const reason = worded`processor ${{ id }} gives records other names, so which hosts they are is not known`;
      items.push({ kind: 'gap', what, reason });
    }
    return items;
  }
}
