import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError, type Storage, TRANSFER_PARTS, type TransferPart } from '../../ports/index.ts';
import type { Progress } from '../kernel/operation.ts';
import { partName } from '../maintenance/transfer/migrate-storage.ts';
import { BATCH_SIZE } from '../maintenance/transfer/part-digest.ts';
import { refuseUnfinished } from '../maintenance/transfer/unfinished-transfer.ts';
import { ageBytes, checkRecipients } from './age-file.ts';
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupHeader } from './backup-format.ts';
import { requireBackup } from './read-backup.ts';
import { type FileSeal, sealedBytes } from './sealed-file.ts';

export interface BackupOptions {
  readonly productVersion: string;
  readonly createdAt: Date;
  readonly signal: AbortSignal;
  /** Encrypts the file; absent: it is not encrypted. */
  readonly seal?: FileSeal;
  /** Encrypts it for these recipients of age instead; absent or none: it is not encrypted. */
  readonly recipients?: readonly string[];
  progress(progress: Progress): void;
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly counts: Readonly<Record<TransferPart, number>>;
  readonly sha256: string;
  /** Checksum of the file as it is, for copies of it. */
  readonly fileSha256: string;
}

/**
 * Writes everything that is stored into one file, as one state, while others go on writing. The file has its name only when
 * it is complete and on the disk; one of that name before is replaced then, if it is a backup too.
 */
export async function writeBackup(storage: Storage, path: string, options: BackupOptions): Promise<BackupReport> {
  await refuseUnfinished(storage);
  await refuseDamaged(storage);
  await checkRecipients(options.recipients ?? []);
  const file = resolve(path);
  await refuseForeignFile(file);
  const draft = `${file}.${randomBytes(4).toString('hex')}.partial`;
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  try {
    const content = new BackupContent(storage, options);
    const fileSha256 = await writeContent(handle, content, options).catch((error: unknown) => {
      throw isFileError(error) ? unwritable(file, error) : error;
    });
    await handle.sync();
    const { size } = await handle.stat();
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { file, bytes: size, counts: content.counts, sha256: content.sha256, fileSha256 };
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

/** Answers the checksum of what was written. */
async function writeContent(
  handle: FileHandle,
  content: BackupContent,
  { signal, seal, recipients = [] }: BackupOptions,
): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    content.chunks(),
    createGzip(),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of encrypted(compressed, { seal, recipients })) {
        hash.update(chunk);
        await handle.appendFile(chunk);
      }
    },
    { signal },
  );
  return hash.digest('hex');
}

function encrypted(
  bytes: AsyncIterable<Buffer>,
  { seal, recipients }: { readonly seal: FileSeal | undefined; readonly recipients: readonly string[] },
): AsyncIterable<Uint8Array> {
  if (recipients.length > 0) return ageBytes(bytes, recipients);
  return seal === undefined ? bytes : sealedBytes(bytes, seal);
}

/** The bytes of a backup before compression. */
class BackupContent {
  readonly counts = Object.fromEntries(TRANSFER_PARTS.map((part) => [part, 0])) as Record<TransferPart, number>;
  sha256 = '';
  readonly #storage: Storage;
  readonly #options: BackupOptions;

  constructor(storage: Storage, options: BackupOptions) {
    this.#storage = storage;
    this.#options = options;
  }

  async *chunks(): AsyncGenerator<string> {
    const { transfer } = this.#storage;
    const { productVersion, createdAt, progress } = this.#options;
    const hash = createHash('sha256');
    const header: BackupHeader = {
      format: BACKUP_FORMAT,
      version: BACKUP_VERSION,
      product: productVersion,
      created: createdAt.toISOString(),
      parts: TRANSFER_PARTS,
    };
    const first = `${JSON.stringify(header)}\n`;
    hash.update(first);
    yield first;
    let total = 0;
    for (const part of TRANSFER_PARTS) total += await transfer.count(part);
    let done = 0;
    for await (const { part, records } of transfer.snapshot(BATCH_SIZE)) {
      const lines = records.map(({ key, value }) => `${JSON.stringify({ part, key, value })}\n`).join('');
      hash.update(lines);
      this.counts[part] += records.length;
      done += records.length;
      progress({ done, total, unit: 'records', note: partName(part) });
      yield lines;
    }
    this.sha256 = hash.digest('hex');
    yield `${JSON.stringify({ counts: this.counts, sha256: this.sha256 })}\n`;
  }
}

/** Throws if the storage is damaged: it may lack records unnoticed, and must not replace an intact backup. */
async function refuseDamaged(storage: Storage): Promise<void> {
  for await (const { subject, message } of storage.check({ fix: false, only: 'damage' })) {
    throw new AppError(
      'failed',
      `no backup was written, because what is stored is damaged (${subject}: ${message}); restore an earlier one, or copy what can still be read with "muster storage migrate"`,
    );
  }
}

/** A slip of the hand must not replace a database by a backup of itself. */
async function refuseForeignFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || (found.isFile() && found.size === 0)) return;
  try {
    await requireBackup(file);
  } catch (cause) {
    throw new AppError('conflict', `${file} exists and is not a backup; it was left alone; name another file`, {
      cause,
    });
  }
}

/** A new name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unwritable(file: string, cause: unknown): AppError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new AppError(
    'failed',
    `the backup ${file} cannot be written (${reason}); check the folder, its access rights and free space`,
    {
      cause,
    },
  );
}
