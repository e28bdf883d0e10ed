import { randomUUID } from 'node:crypto';
import { type StorageTransfer, TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../../../ports/index.ts';
import { pagesOf } from '../shared/transfer-pages.ts';
import { isUnavailable, unavailable } from './errors.ts';
import { renewFeed } from './feed-rows.ts';
import { recover } from './recover.ts';
import type { Context, Session } from './session.ts';
import { collectionOf } from './transfer-documents.ts';
import { type Reading, readOptions } from './transfer-reading.ts';
import { countContributions, readPart, settledAudit } from './transfer-reads.ts';
import { countChanges } from './transfer-series.ts';
import { clearEverything, writePart } from './transfer-writes.ts';

/**
 * Moving everything in the database.
 *
 * A snapshot is one state where the deployment gives that: replica sets, for as long as they keep old states
 * (`minSnapshotHistoryWindowInSeconds`, five minutes unless set otherwise). A longer one ends with an error that says so. A
 * standalone server has no such reads: every record is whole there, but what is written while the snapshot runs may be in a
 * later part and not in an earlier one. `write` is atomic for each record and not for the call; one that is cut off is done
 * again.
 */
export function mongodbTransfer(session: Session): StorageTransfer {
  return {
    read: (part, options) =>
      session.stream(async function* (context) {
        await recover(context);
        yield* pagesOfPart({ database: context.database }, part, options);
      }),

    snapshot: (batchSize) =>
      session.stream(async function* (context) {
        await recover(context);
        yield* snapshotOf(context, batchSize);
      }),

    write: (part, records) =>
      session.run(async (context) => {
        if (records.length === 0) return;
        if (part === 'hosts' || part === 'host_changes') await renewFeed(context, randomUUID());
        await writePart(context, part, records);
      }),

    count: (part) => session.run((context) => countPart(context, part)),
    clear: () => session.run(clearEverything),
  };
}

async function* pagesOfPart(
  reading: Reading,
  part: TransferPart,
  options: Parameters<StorageTransfer['read']>[1],
): AsyncGenerator<readonly TransferRecord[]> {
  const reader = readPart(reading, part, options.after);
  try {
    yield* pagesOf((limit) => reader.next(limit), options.batchSize);
  } finally {
    await reader.close();
  }
}

async function countPart({ database }: Context, part: TransferPart): Promise<number> {
  if (part === 'contributions') return countContributions({ database });
  if (part === 'host_changes') return countChanges({ database });
  return collectionOf(database, part).countDocuments();
}

async function* snapshotOf(
  context: Context,
  batchSize: number,
): AsyncGenerator<{ readonly part: TransferPart; readonly records: readonly TransferRecord[] }> {
  const { database, session } = context.startSession({ snapshot: true });
  try {
    let reading: Reading = { database, session };
    try {
      await database.hosts.findOne({}, { projection: { _id: 1 }, ...readOptions(reading) });
    } catch (error) {
      if (isUnavailable(error)) throw error;
      context.logger.warn(
        'The database cannot be read as one snapshot; changes made meanwhile may be in only a part of the copy',
        {
          reason: error instanceof Error ? error.message : String(error),
        },
      );
      reading = { database: context.database };
    }
    const audit = await settledAudit(reading);
    if (audit !== undefined) reading = { ...reading, audit };
    for (const part of TRANSFER_PARTS) {
      for await (const records of pagesOfPart(reading, part, { batchSize })) yield { part, records };
    }
  } catch (error) {
    throw isTooOld(error) ? tooOld(error) : error;
  } finally {
    await session.endSession();
  }
}

/** The server dropped the state that was being read: SnapshotTooOld, SnapshotUnavailable. */
function isTooOld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 239 || error.code === 246);
}

function tooOld(error: unknown): Error {
  return unavailable(
    'The database forgot the state that was being read. Raise its parameter minSnapshotHistoryWindowInSeconds and try again.',
    error,
  );
}
