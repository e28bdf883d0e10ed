import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { Config } from '../kernel/config/schema.ts';
import type { Progress } from '../kernel/operation.ts';
import { beginsAsAge } from './age-file.ts';
import { type BackupNote, KEPT_NAME, keepNote, noteOf } from './backup-notes.ts';
import { openBackup } from './read-backup.ts';
import { beginsSealed, type FileSeal, LONGEST_SEAL } from './sealed-file.ts';

const CHUNK_BYTES = 256 * 1024;

export interface KeptBackup {
  /** Name of the file. */
  readonly file: string;
  /** When it was written, and proved by restoring it. */
  readonly writtenAt: Date;
  readonly bytes: number;
  readonly encryption: Config['BACKUP_ENCRYPTION'];
  /** Absent for one that an earlier version wrote. */
  readonly note?: BackupNote;
}

/** All backups in a folder, the newest first; none if there is no folder. Throws if it cannot be read. */
export async function keptBackups(folder: string): Promise<readonly KeptBackup[]> {
  const found: KeptBackup[] = [];
  for (const file of await namesIn(folder)) found.push(...(await keptBackup(folder, file)));
  return found;
}

/** The newest of them alone, without a look at the others. */
export async function newestBackup(folder: string): Promise<KeptBackup | undefined> {
  for (const file of await namesIn(folder)) {
    const [newest] = await keptBackup(folder, file);
    if (newest !== undefined) return newest;
  }
  return undefined;
}

/** Names of backups in the folder, the newest first. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw new AppError('failed', `the folder ${folder} of backups cannot be read (${cause.code ?? 'unknown reason'})`, {
      cause,
    });
  });
  return names
    .filter((name) => KEPT_NAME.test(name))
    .sort()
    .reverse();
}

/** Empty if it is deleted meanwhile. */
async function keptBackup(folder: string, file: string): Promise<readonly KeptBackup[]> {
  const handle = await openKept(folder, file).catch(() => undefined);
  if (handle === undefined) return [];
  try {
    const note = await noteOf(folder, file);
    const { size } = await handle.stat();
    const encryption = await encryptionOf(handle);
    return [{ file, writtenAt: timeOf(file), bytes: size, encryption, ...(note !== undefined && { note }) }];
  } finally {
    await handle.close();
  }
}

/** Opens one for reading. Throws `not_found` for anything else than a kept backup: another name, a link, a folder. */
export async function openKept(folder: string, file: string): Promise<FileHandle> {
  const missing = (cause?: unknown): AppError =>
    new AppError('not_found', worded`there is no kept backup ${{ file }}`, { cause });
  if (!KEPT_NAME.test(file)) throw missing();
  const handle = await open(join(folder, file), constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: unknown) => {
    throw missing(cause);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw missing();
}

/** Yields the bytes of one, piece by piece. It is open only while they are read. Throws like `openKept`. */
export async function* bytesOfKept(folder: string, file: string): AsyncGenerator<Uint8Array> {
  const handle = await openKept(folder, file);
  try {
    yield* piecesOf(handle);
  } finally {
    await handle.close();
  }
}

/** From the beginning; the caller that opened the file closes it. */
function piecesOf(handle: FileHandle): AsyncIterable<Buffer> {
  return handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES });
}

export interface VerifyOptions {
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly seal: FileSeal;
  progress(progress: Progress): void;
}

export interface VerifiedBackup {
  /** `content`: every record was read; `checksum`: the file equals the one written, but cannot be decrypted here. */
  readonly by: 'content' | 'checksum';
  /** Size of the file. */
  readonly bytes: number;
  readonly records: number;
}

/**
 * Reads a whole backup and throws unless it is undamaged. One that is encrypted for recipients of age is compared with the
 * checksum that was kept when it was written. The result is stored in its note.
 */
export async function verifyKept(folder: string, file: string, options: VerifyOptions): Promise<VerifiedBackup> {
  const before = await noteOf(folder, file);
  const at = options.now.toISOString();
  const handle = await openKept(folder, file);
  try {
    const encryption = await encryptionOf(handle);
    const { size: bytes } = await handle.stat();
    const sha256 = await checksumOf(handle, bytes, options);
    if (before !== undefined && sha256 !== before.file_sha256) throw changed(file);
    if (encryption === 'age') {
      if (before === undefined) throw unknowable(file);
      await keepNote(folder, file, { ...foundBefore(before), verified_at: at });
      return { by: 'checksum', bytes, records: before.records };
    }
    const records = await recordsIn(join(folder, file), bytes, options);
    await keepNote(folder, file, { file_sha256: sha256, records, verified_at: at });
    return { by: 'content', bytes, records };
  } catch (error) {
    if (before !== undefined && error instanceof AppError) {
      await keepNote(folder, file, { ...foundBefore(before), failed_at: at, failure: error.message });
    }
    throw error;
  } finally {
    await handle.close();
  }
}

function foundBefore({ file_sha256, records }: BackupNote): BackupNote {
  return { file_sha256, records };
}

/** The time in a name: `muster-20260301T020000000Z.gz`. */
function timeOf(file: string): Date {
  const [, year, month, day, hour, minute, second, milliseconds] =
    /^muster-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(file) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`);
}

async function encryptionOf(handle: FileHandle): Promise<Config['BACKUP_ENCRYPTION']> {
  const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(LONGEST_SEAL), position: 0 });
  const start = buffer.subarray(0, bytesRead);
  return beginsAsAge(start) ? 'age' : beginsSealed(start) ? 'instance-key' : 'none';
}

async function checksumOf(handle: FileHandle, total: number, { signal, progress }: VerifyOptions): Promise<string> {
  const hash = createHash('sha256');
  let done = 0;
  for await (const piece of piecesOf(handle)) {
    signal.throwIfAborted();
    hash.update(piece);
    done += piece.length;
    progress({ done, total, unit: 'bytes', note: 'computing the checksum' });
  }
  return hash.digest('hex');
}

async function recordsIn(path: string, total: number, { signal, seal, progress }: VerifyOptions): Promise<number> {
  const backup = await openBackup(path, { seal: () => seal });
  let done = 0;
  try {
    const onBytes = (count: number): void => {
      done += count;
      progress({ done, total, unit: 'bytes', note: 'reading every record' });
    };
    return (await backup.verify({ signal, onBytes })).total;
  } finally {
    await backup.close();
  }
}

function changed(file: string): AppError {
  return new AppError(
    'failed',
    worded`the backup ${{ file }} is not what was written: its checksum is another one; use another copy of it`,
  );
}

function unknowable(file: string): AppError {
  return new AppError(
    'failed',
    worded`the backup ${{ file }} is encrypted for recipients of age, and no checksum was kept with it; restore it into an empty store where the identity is`,
  );
}
