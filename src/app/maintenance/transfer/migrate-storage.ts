import { AppError, type Storage, TRANSFER_PARTS, type TransferPart } from '../../../ports/index.ts';
import type { Progress } from '../../kernel/operation.ts';
import { refuseDifferences } from './compare-parts.ts';
import { type Filling, fillTarget } from './fill-target.ts';
import { BATCH_SIZE, type PartSummary, summaryOfPart } from './part-digest.ts';
import { readMarker, refuseUnfinished, removeMarker } from './unfinished-transfer.ts';

export interface MigrationOptions {
  /** Names the source for people and for going on after a cut; holds no credentials. */
  readonly source: string;
  /** Empties a target that holds something else. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

export interface MigrationReport {
  /** True when an earlier call was cut off and this one finished its work. */
  readonly resumed: boolean;
  /** Equal in both storages. */
  readonly parts: readonly PartSummary[];
}

/**
 * Copies everything from one storage into another, batch by batch, then reads both and compares them. A call that was cut
 * off is finished by the same call: the target carries a mark of how far it is (see `UnfinishedTransfer`), and a batch that
 * is stored twice is stored once. Nothing but this should write to either of them; if something did, the comparison says so.
 */
export async function migrateStorage(from: Storage, to: Storage, options: MigrationOptions): Promise<MigrationReport> {
  const { source, force, signal, progress } = options;
  await refuseUnfinished(from);
  const filling = await fillTarget(to, {
    kind: 'migration',
    source,
    force,
    beforeClearing: () => refuseSameStorage(from, to),
  });
  const total = await countAll(from);
  await copy(from, to, filling, { total, signal, progress });
  let compared = 0;
  const onRecords = (count: number): void => {
    compared += count;
    progress({ done: compared, total: total * 2, unit: 'records', note: 'comparing' });
  };
  const wanted: PartSummary[] = [];
  const found: PartSummary[] = [];
  for (const part of TRANSFER_PARTS) {
    const both = [from, to].map((storage) => summaryOfPart(storage.transfer, part, { signal, onRecords }));
    const [left, right] = (await Promise.all(both)) as [PartSummary, PartSummary];
    wanted.push(left);
    found.push(right);
  }
  try {
    refuseDifferences(
      wanted,
      found,
      'the target is not equal to the source: something wrote to one of them meanwhile; stop every Muster process that uses them and run the same migration again; it starts over',
    );
  } catch (error) {
    await filling.differs();
    throw error;
  }
  await removeMarker(to);
  return { resumed: filling.resumed !== undefined, parts: wanted };
}

/** Two addresses may lead to one storage. Copying it onto itself would delete it first. */
async function refuseSameStorage(from: Storage, to: Storage): Promise<void> {
  if ((await readMarker(from)) === undefined) return;
  await removeMarker(to);
  throw new AppError('invalid_input', 'source and target are the same storage; nothing was changed');
}

interface CopyOptions {
  readonly total: number;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

async function copy(from: Storage, to: Storage, filling: Filling, options: CopyOptions): Promise<void> {
  const { resumed } = filling;
  const first = resumed?.part ?? TRANSFER_PARTS[0];
  let done = resumed?.done ?? 0;
  for (const part of TRANSFER_PARTS.slice(TRANSFER_PARTS.indexOf(first))) {
    const after = part === resumed?.part ? { after: resumed.key } : {};
    // The next batch is read while this one is written.
    let writing = Promise.resolve();
    for await (const records of from.transfer.read(part, { batchSize: BATCH_SIZE, ...after })) {
      options.signal.throwIfAborted();
      await writing;
      done += records.length;
      const [last, stored] = [records.at(-1)?.key ?? '', done];
      writing = to.transfer.write(part, records).then(() => filling.stored(part, last, stored));
      // It is awaited in the next round, unless reading fails first.
      writing.catch(() => undefined);
      options.progress({ done, total: options.total, unit: 'records', note: partName(part) });
    }
    await writing;
  }
}

async function countAll({ transfer }: Storage): Promise<number> {
  let count = 0;
  for (const part of TRANSFER_PARTS) count += await transfer.count(part);
  return count;
}

export function partName(part: TransferPart): string {
  return part.replaceAll('_', ' ');
}
