import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '../../ports/index.ts';

/** Seals the key of a file and opens it again, with the instance key. */
export interface FileSeal {
  seal(plain: string, place: string): Promise<string>;
  open(sealed: string, place: string): Promise<string>;
}

const FORMAT = 'muster-sealed-backup';
const PLACE = 'backup file';
const FRAME_BYTES = 64 * 1024;
const TAG_BYTES = 16;
/** How long the first line may be. */
export const LONGEST_SEAL = 4_096;

/**
 * Encrypts a file as it is written: its first line holds a key of its own, sealed under the instance key, and each later piece is
 * authenticated with its place and whether it is the last. A changed, truncated or reassembled file does not open.
 */
export async function* sealedBytes(chunks: AsyncIterable<Buffer>, seal: FileSeal): AsyncGenerator<Buffer> {
  const key = randomBytes(32);
  const sealed = await seal.seal(key.toString('base64'), PLACE);
  const header = Buffer.from(`${JSON.stringify({ format: FORMAT, version: 1, key: sealed })}\n`);
  yield header;
  let number = 0;
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length > FRAME_BYTES) {
      yield encrypted(waiting.subarray(0, FRAME_BYTES), { key, header, number: number++, isLast: false });
      waiting = waiting.subarray(FRAME_BYTES);
    }
  }
  yield encrypted(waiting, { key, header, number, isLast: true });
}

/** Yields the bytes that were sealed; a file that was not sealed stays as it is, and `seal` is not called for it. */
export async function* openedBytes(
  chunks: AsyncIterable<Buffer>,
  file: string,
  seal: () => FileSeal,
): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  let opened: { readonly key: Buffer; readonly header: Buffer } | undefined;
  let isSealed: boolean | undefined;
  let number = 0;
  for await (const chunk of chunks) {
    if (isSealed === false) {
      yield Buffer.from(chunk);
      continue;
    }
    waiting = Buffer.concat([waiting, chunk]);
    isSealed ??= waiting[0] === 0x7b;
    if (!isSealed) {
      yield waiting;
      continue;
    }
    if (opened === undefined) {
      const end = waiting.indexOf(0x0a);
      if (end < 0 && waiting.length < LONGEST_SEAL) continue;
      const header = waiting.subarray(0, end + 1);
      opened = { key: await keyOf(header, file, seal()), header };
      waiting = waiting.subarray(end + 1);
    }
    while (waiting.length > FRAME_BYTES + TAG_BYTES) {
      const frame = waiting.subarray(0, FRAME_BYTES + TAG_BYTES);
      yield decrypted(frame, { ...opened, number: number++, isLast: false }, file);
      waiting = waiting.subarray(FRAME_BYTES + TAG_BYTES);
    }
  }
  if (isSealed !== true) return;
  if (opened === undefined) throw foreign(file);
  yield decrypted(waiting, { ...opened, number, isLast: true }, file);
}

/** Whether a file begins as one that was sealed. */
export function beginsSealed(start: Buffer): boolean {
  const end = start.indexOf(0x0a);
  return end > 0 && sealedKeyOf(start.subarray(0, end + 1)) !== undefined;
}

interface Frame {
  readonly key: Buffer;
  readonly header: Buffer;
  readonly number: number;
  readonly isLast: boolean;
}

/** The key is of this file alone, so the place of a piece is enough to be used once. */
function nonceOf({ number, isLast }: Frame): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number);
  nonce.writeUInt8(isLast ? 1 : 0, 4);
  return nonce;
}

function encrypted(plain: Buffer, frame: Frame): Buffer {
  const cipher = createCipheriv('aes-256-gcm', frame.key, nonceOf(frame)).setAAD(frame.header);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypted(bytes: Buffer, frame: Frame, file: string): Buffer {
  const at = bytes.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', frame.key, nonceOf(frame), { authTagLength: TAG_BYTES });
    decipher.setAAD(frame.header).setAuthTag(bytes.subarray(at));
    return Buffer.concat([decipher.update(bytes.subarray(0, at)), decipher.final()]);
  } catch (cause) {
    throw new AppError('failed', `the backup ${file} is truncated or was changed; use another copy of it`, { cause });
  }
}

async function keyOf(header: Buffer, file: string, seal: FileSeal): Promise<Buffer> {
  const sealed = sealedKeyOf(header);
  if (sealed === undefined) throw foreign(file);
  try {
    return Buffer.from(await seal.open(sealed, PLACE), 'base64');
  } catch (cause) {
    throw new AppError(
      'failed',
      `the backup ${file} is encrypted under another instance key; put the key in place that it was made with`,
      { cause },
    );
  }
}

function sealedKeyOf(header: Buffer): string | undefined {
  try {
    const { format, version, key } = JSON.parse(header.toString()) as Record<string, unknown>;
    return format === FORMAT && version === 1 && typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}

function foreign(file: string): AppError {
  return new AppError('failed', `${file} is not a backup of Muster`);
}
