import { setImmediate as turn } from 'node:timers/promises';
import type { TransferRecord } from '../../../ports/index.ts';

/** Characters that one page should hold: reading and processing this many takes a few milliseconds. */
const PAGE_CHARACTERS = 500_000;
/** Nothing is known of the first page, and a single record may have megabytes. */
const FIRST_PAGE = 16;

/** The result of one step of reading. A part whose step is `done` has no more; a step that is not may be empty. */
export interface PageStep {
  readonly records: readonly TransferRecord[];
  readonly done: boolean;
}

/** Reads the next page of about that many records. */
export type NextPage = (limit: number) => PageStep | Promise<PageStep>;

/** Pages of about equal weight, at most `batchSize` records each, with a turn for everybody else after each. */
export async function* pagesOf(next: NextPage, batchSize: number): AsyncGenerator<readonly TransferRecord[]> {
  let limit = Math.min(FIRST_PAGE, batchSize);
  for (;;) {
    const { records, done } = await next(limit);
    for (let from = 0; from < records.length; from += batchSize) yield records.slice(from, from + batchSize);
    if (done) return;
    limit = Math.min(limit * 4, batchSize, Math.max(1, Math.floor(PAGE_CHARACTERS / meanSize(records))));
    await turn();
  }
}

function meanSize(records: readonly TransferRecord[]): number {
  const size = records.reduce((sum, record) => sum + sizeOfRecord(record), 0);
  return records.length === 0 ? 1 : Math.max(1, size / records.length);
}

/** About how many characters a record holds. */
export function sizeOfRecord(record: TransferRecord): number {
  let size = record.key.length;
  for (const value of Object.values(record.value)) size += typeof value === 'string' ? value.length : 16;
  return size;
}
