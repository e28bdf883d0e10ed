import { resolve } from 'node:path';
import { type Storage, TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../../ports/index.ts';
import type { Progress } from '../kernel/operation.ts';
import { refuseDifferences } from '../maintenance/transfer/compare-parts.ts';
import { type Filling, fillTarget } from '../maintenance/transfer/fill-target.ts';
import { partName } from '../maintenance/transfer/migrate-storage.ts';
import { BATCH_SIZE, type PartSummary, summaryOfPart } from '../maintenance/transfer/part-digest.ts';
import { removeMarker } from '../maintenance/transfer/unfinished-transfer.ts';
import type { BackupKeys } from './backup-lines.ts';
import { type Backup, type BackupSummary, openBackup } from './read-backup.ts';

export interface RestoreOptions extends BackupKeys {
  /** Empties a target that holds something. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

export interface RestoreReport {
  readonly product: string;
  readonly created: string;
  readonly resumed: boolean;
  readonly parts: readonly PartSummary[];
}

/** Characters in one write. */
const BATCH_CHARACTERS = 1_000_000;

/**
 * Makes a storage hold what a backup holds. The whole file is verified before anything is touched, and afterwards the
 * storage is read and compared with it. A call that was cut off is finished by the same call (see `UnfinishedTransfer`).
 */
export async function restoreBackup(path: string, to: Storage, options: RestoreOptions): Promise<RestoreReport> {
  const file = resolve(path);
  const { identities } = options;
  const backup = await openBackup(file, {
    ...(options.seal !== undefined && { seal: options.seal.bind(options) }),
    ...(identities !== undefined && { identities }),
  });
  try {
    return await restore(backup, to, options);
  } finally {
    await backup.close();
  }
}

async function restore(backup: Backup, to: Storage, options: RestoreOptions): Promise<RestoreReport> {
  const { force, signal, progress } = options;
  let bytes = 0;
  const onBytes = (count: number): void => {
    bytes += count;
    progress({ done: bytes, unit: 'bytes', note: 'verifying the file' });
  };
  const summary = await backup.verify({ signal, onBytes });
  const filling = await fillTarget(to, { kind: 'restore', source: `sha256:${summary.sha256}`, force });
  await store(backup, summary, to, filling, options);
  let compared = 0;
  const onRecords = (count: number): void => {
    compared += count;
    progress({ done: compared, total: summary.total, unit: 'records', note: 'comparing' });
  };
  const found: PartSummary[] = [];
  for (const part of TRANSFER_PARTS) found.push(await summaryOfPart(to.transfer, part, { signal, onRecords }));
  try {
    refuseDifferences(
      summary.parts,
      found,
      'the storage is not equal to the backup: something wrote to it meanwhile; stop every Muster process that uses it and run the same restore again; it starts over',
    );
  } catch (error) {
    await filling.differs();
    throw error;
  }
  await removeMarker(to);
  const { product, created, parts } = summary;
  return { product, created, resumed: filling.resumed !== undefined, parts };
}

async function store(
  backup: Backup,
  summary: BackupSummary,
  to: Storage,
  filling: Filling,
  { signal, progress }: RestoreOptions,
): Promise<void> {
  let done = filling.resumed?.done ?? 0;
  for await (const { part, batch } of batchesOf(backup.records(done, { signal }))) {
    await to.transfer.write(part, batch);
    done += batch.length;
    await filling.stored(part, batch.at(-1)?.key ?? '', done);
    progress({ done, total: summary.total, unit: 'records', note: partName(part) });
  }
}

interface Batch {
  readonly part: TransferPart;
  readonly batch: readonly TransferRecord[];
}

/** Records of one part, so many and so large that storing them is one short piece of work. */
async function* batchesOf(
  records: AsyncIterable<{ readonly part: TransferPart; readonly record: TransferRecord }>,
): AsyncGenerator<Batch> {
  let open: { part: TransferPart; batch: TransferRecord[]; size: number } | undefined;
  for await (const { part, record } of records) {
    if (open !== undefined && (open.part !== part || open.batch.length >= BATCH_SIZE || open.size > BATCH_CHARACTERS)) {
      yield open;
      open = undefined;
    }
    open ??= { part, batch: [], size: 0 };
    open.batch.push(record);
    open.size += sizeOf(record);
  }
  if (open !== undefined) yield open;
}

function sizeOf({ value }: TransferRecord): number {
  return Object.values(value).reduce((sum: number, item) => sum + (typeof item === 'string' ? item.length : 16), 0);
}
