import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../../../kit/json/canonical-json.ts';
import type { StorageTransfer, TransferPart, TransferRecord } from '../../../ports/index.ts';
import { isMarkerRecord } from './unfinished-transfer.ts';

export const BATCH_SIZE = 1_000;

/** The contents of a part in short, so that two stores and a file can be compared. */
export interface PartSummary {
  readonly part: TransferPart;
  readonly count: number;
  /** SHA-256 over the keys and values in order, in hexadecimal. */
  readonly digest: string;
}

/** Sums up the records of a part, which must come in their order. */
export class PartDigest {
  readonly #hash: Hash = createHash('sha256');
  #count = 0;

  add({ key, value }: TransferRecord): void {
    this.#hash.update(`${JSON.stringify(key)}${canonicalJson(value)}\n`);
    this.#count++;
  }

  summary(part: TransferPart): PartSummary {
    return { part, count: this.#count, digest: this.#hash.digest('hex') };
  }
}

export interface SummaryOptions {
  readonly signal: AbortSignal;
  /** Called with the number of records in each batch. */
  onRecords?(count: number): void;
}

/** Reads a part of a store to its end and sums it up. A mark of an unfinished transfer does not count. */
export async function summaryOfPart(
  transfer: StorageTransfer,
  part: TransferPart,
  options: SummaryOptions,
): Promise<PartSummary> {
  const digest = new PartDigest();
  for await (const records of transfer.read(part, { batchSize: BATCH_SIZE })) {
    options.signal.throwIfAborted();
    for (const record of records) if (!isMarkerRecord(part, record)) digest.add(record);
    options.onRecords?.(records.length);
  }
  return digest.summary(part);
}
