import type * as z from 'zod';
import type { Http } from './http-client.ts';
import type { JsonObject } from './json.ts';
import type { Logger } from './logger.ts';
import type { SourceRecord } from './source.ts';

/** A record that, according to the processor, is not a host of this account, like one that a filter of the source leaves out. */
export interface LeftOutRecord {
  readonly kind: 'left_out';
}

/** A record that cannot become a host, with the reason. */
export interface RefusedRecord {
  readonly kind: 'skipped';
  readonly reason: string;
  /**
   * The name that it would have had, by which the host of an earlier run is kept. Absent: it is not known, and the run archives
   * nothing.
   */
  readonly hostname?: string;
}

/**
 * The result for a record: the record itself, changed or not, or a note that it is left out or refused. Its position and its part
 * of the source are kept.
 */
export type ProcessedRecord = SourceRecord | LeftOutRecord | RefusedRecord;

export interface ProcessContext {
  readonly signal: AbortSignal;
}

/** Opened for one run of one account. */
export interface RecordProcessor {
  /**
   * Answers one for each record, in their order. It gets what the source gave at once, some hundred records at most, so that what
   * it looks up elsewhere is asked for together. Must not change the records that it is given.
   *
   * When it throws for several, it gets them again one by one; a record for which it throws alone is not written, and the run
   * archives nothing.
   */
  process(
    records: readonly SourceRecord[],
    context: ProcessContext,
  ): readonly ProcessedRecord[] | Promise<readonly ProcessedRecord[]>;
}

export interface RecordProcessorServices {
  readonly logger: Logger;
  /** Systems that are asked over HTTP. */
  readonly http: Http;
}

/** A type of processors between a source and the store, used by accounts that name it in `processors`. */
export interface RecordProcessorType<Options = unknown> {
  /** `rack-names` */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /**
   * Options of the processor in an account. A strict object; members come as JSON or as text. Secrets belong in the settings of
   * the plugin.
   */
  readonly options: z.ZodType<Options>;
  /** Must not connect. Throws `AppError('invalid_input')` for options that do not go together. */
  open(options: Options, services: RecordProcessorServices): RecordProcessor;
}

/** A processor that an account names, with its options. */
export interface ChosenProcessor {
  readonly use: string;
  readonly options: JsonObject;
}
