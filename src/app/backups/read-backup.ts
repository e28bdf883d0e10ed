import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { memberInteger, memberText, ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import {
  AppError,
  type JsonObject,
  type JsonValue,
  TRANSFER_PARTS,
  type TransferPart,
  type TransferRecord,
} from '../../ports/index.ts';
import { PartDigest, type PartSummary } from '../maintenance/transfer/part-digest.ts';
import { beginsAsAgeBackup } from './age-file.ts';
import { BACKUP_FORMAT, BACKUP_VERSION } from './backup-format.ts';
import { type BackupKeys, compressedLines, type LinesOptions } from './backup-lines.ts';
import { beginsSealed, LONGEST_SEAL } from './sealed-file.ts';

export interface BackupSummary {
  /** Version of the program that wrote it, and when. */
  readonly product: string;
  readonly created: string;
  readonly sha256: string;
  readonly parts: readonly PartSummary[];
  /** Records in all parts. */
  readonly total: number;
  /** Size of the file. */
  readonly bytes: number;
}

/** An open backup. */
export interface Backup {
  /** Reads the whole file and throws unless it is complete and undamaged. */
  verify(options: LinesOptions): Promise<BackupSummary>;
  /** The records from behind the first `skip` on. The file must have been verified. */
  records(
    skip: number,
    options: LinesOptions,
  ): AsyncIterable<{ readonly part: TransferPart; readonly record: TransferRecord }>;
  close(): Promise<void>;
}

/** Throws unless a file begins as a backup; one for recipients is opened only where identities are given, which may be none. */
export async function requireBackup(file: string, identities?: readonly string[]): Promise<void> {
  const handle = await openFile(file);
  try {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(LONGEST_SEAL), position: 0 });
    const start = buffer.subarray(0, bytesRead);
    if (beginsSealed(start) || (identities === undefined && beginsAsAgeBackup(start))) return;
  } catch {
    // A folder: what reads it as a backup says so.
  } finally {
    await handle.close();
  }
  await (await openBackup(file, identities === undefined ? {} : { identities })).close();
}

/** The members of the first line. */
interface ReadHeader extends Pick<BackupSummary, 'product' | 'created'> {
  /** Those that it may have, also such as are not known here. */
  readonly parts: JsonValue | undefined;
}

/** Opens a file and throws unless it begins as a backup that this version can read. `keys` are for an encrypted one. */
export async function openBackup(file: string, keys: BackupKeys = {}): Promise<Backup> {
  const handle = await openFile(file);
  try {
    const options = { signal: new AbortController().signal, ...keys };
    for await (const line of compressedLines(handle, file, options)) {
      readHeader(line, file);
      return {
        verify: (given) => verify(handle, file, { ...given, ...keys }),
        records: (skip, given) => records(handle, file, skip, { ...given, ...keys }),
        close: () => handle.close(),
      };
    }
    throw new AppError('failed', `${file} is not a backup of Muster: it is empty`);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function openFile(file: string): Promise<FileHandle> {
  return open(file, 'r').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = code === 'ENOENT' ? 'it does not exist' : code === 'EACCES' ? 'this user may not read it' : code;
    throw new AppError('failed', `the backup ${file} cannot be read: ${reason}`, { cause });
  });
}

/** The last line is the trailer, so every line waits until there is another. */
async function verify(handle: FileHandle, file: string, options: LinesOptions): Promise<BackupSummary> {
  const hash = createHash('sha256');
  const digests = new Map(TRANSFER_PARTS.map((part) => [part, new PartDigest()]));
  let header: ReadHeader | undefined;
  let waiting: Buffer | undefined;
  let place = 0;
  for await (const line of compressedLines(handle, file, options)) {
    if (waiting !== undefined) {
      hash.update(waiting).update('\n');
      if (header === undefined) header = readHeader(waiting, file);
      else {
        const { part, record } = readRecord(waiting, file, header);
        if (TRANSFER_PARTS.indexOf(part) < place) throw damaged(file, 'its parts are out of order');
        place = TRANSFER_PARTS.indexOf(part);
        digests.get(part)?.add(record);
      }
    }
    waiting = line;
  }
  if (header === undefined || waiting === undefined) throw damaged(file, 'it has no end');
  const parts = [...digests].map(([part, digest]) => digest.summary(part));
  const sha256 = hash.digest('hex');
  checkTrailer(waiting, file, parts, sha256);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const { product, created } = header;
  return { product, created, sha256, parts, total, bytes: (await handle.stat()).size };
}

function checkTrailer(line: Buffer, file: string, parts: readonly PartSummary[], sha256: string): void {
  const trailer = parseLine(line, file);
  const counts = ownMember(trailer, 'counts');
  const expected = memberText(trailer, 'sha256');
  if (!isJsonObject(counts) || expected === '') throw damaged(file, 'its end is missing');
  if (expected !== sha256) throw damaged(file, 'its checksum is wrong');
  for (const { part, count } of parts) {
    // A part that is younger than the file is not in it.
    if ((memberInteger(counts, part) ?? 0) !== count) throw damaged(file, `it does not contain all ${part}`);
  }
}

async function* records(
  handle: FileHandle,
  file: string,
  skip: number,
  options: LinesOptions,
): AsyncGenerator<{ readonly part: TransferPart; readonly record: TransferRecord }> {
  let waiting: Buffer | undefined;
  let number = -1;
  for await (const line of compressedLines(handle, file, options)) {
    // Line 0 is the header.
    if (waiting !== undefined && number > skip) yield readRecord(waiting, file);
    waiting = line;
    number++;
  }
}

function readHeader(line: Buffer, file: string): ReadHeader {
  const header = parseLine(line, file);
  if (memberText(header, 'format') !== BACKUP_FORMAT) throw foreign(file);
  const version = memberInteger(header, 'version');
  if (version !== BACKUP_VERSION) {
    throw new AppError(
      'failed',
      `the backup ${file} has format ${version}, and this program reads ${BACKUP_VERSION}; use Muster ${memberText(header, 'product')} or newer`,
    );
  }
  return {
    product: memberText(header, 'product'),
    created: memberText(header, 'created'),
    parts: ownMember(header, 'parts'),
  };
}

function readRecord(
  line: Buffer,
  file: string,
  header?: ReadHeader,
): { readonly part: TransferPart; readonly record: TransferRecord } {
  const object = parseLine(line, file);
  const name = memberText(object, 'part');
  const part = TRANSFER_PARTS.find((known) => known === name);
  const value = ownMember(object, 'value');
  if (header !== undefined && part === undefined && Array.isArray(header.parts) && header.parts.includes(name)) {
    throw new AppError(
      'failed',
      `the backup ${file} contains ${name}, which this program does not know; use Muster ${header.product} or newer`,
    );
  }
  if (part === undefined || !isJsonObject(value)) throw damaged(file, 'a line is not a record');
  return { part, record: { key: memberText(object, 'key'), value } };
}

function parseLine(line: Buffer, file: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(line.toString()) as JsonValue;
  } catch {
    throw foreign(file);
  }
  if (!isJsonObject(value)) throw foreign(file);
  return value;
}

function foreign(file: string): AppError {
  return new AppError('failed', `${file} is not a backup of Muster`);
}

function damaged(file: string, reason: string): AppError {
  return new AppError('failed', `the backup ${file} is damaged: ${reason}; use another copy of it`);
}
