import type { ClientSession, FindOptions } from 'mongodb';
import type { TransferRecord } from '../../../ports/index.ts';
import type { PageStep } from '../shared/transfer-pages.ts';
import type { DocumentReader } from './document-reader.ts';
import type { Database } from './schema.ts';

/** The database to read, and the moment of the reading. */
export interface Reading {
  readonly database: Database;
  /** Present for reads of one moment. */
  readonly session?: ClientSession;
  /** The readable part of the audit log: the chain as it was at one moment. */
  readonly audit?: { readonly state: string; readonly seq: number };
}

/** A part that is being read in order of its keys. */
export interface RecordReader {
  next(limit: number): Promise<PageStep>;
  close(): Promise<void>;
}

/** Options of every read of a transfer. */
export function readOptions({ session }: Reading): Pick<FindOptions, 'session' | 'readConcern'> {
  // Said with each read: the client's own read concern would otherwise win over the session's.
  return session === undefined ? {} : { session, readConcern: { level: 'snapshot' } };
}

/** Matches everything after this in the order of its members: the same up to one of them, and greater there. */
export function behind(last: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(last);
  const alternatives = members.map(([name, value], index) => ({
    ...Object.fromEntries(members.slice(0, index)),
    [name]: { $gt: value },
  }));
  return alternatives.length === 1 ? { ...alternatives[0] } : { $or: alternatives };
}

export function recordsOf<Doc extends object>(
  docs: DocumentReader<Doc>,
  toRecords: (page: readonly Doc[]) => readonly TransferRecord[],
): RecordReader {
  return {
    async next(limit) {
      const page = await docs.next(limit);
      return { records: toRecords(page), done: page.length === 0 };
    },
    close: () => docs.close(),
  };
}
