import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type Spool, type Spooled } from '../../ports/index.ts';

export interface FileSpoolsOptions {
  /** Bytes that all spools together keep in memory; the rest goes to files. */
  readonly maxMemory: number;
  /** Bytes that one file may have. */
  readonly maxDisk: number;
  /** Folder for the files; by default the system's folder for temporary files. */
  readonly folder?: string;
}

interface Place extends Spooled {
  /** Bytes in memory, as long as the place is in use. */
  readonly bytes?: Uint8Array;
  /** Offset in the file. */
  readonly offset?: number;
}

/** Block size of the cipher, in bytes. */
const BLOCK = 16;

/**
 * Opens spools that stay in memory, and above a certain size are private files that have no name once they are open. Their
 * content may be secret, so it is encrypted with a key that only this process has.
 */
export function fileSpools({ maxMemory, maxDisk, folder = tmpdir() }: FileSpoolsOptions): () => Spool {
  let inAll = 0;

  return () => {
    const key = randomBytes(32);
    let memory = 0;
    let disk = 0;
    let opening: Promise<FileHandle> | undefined;
    let closed = false;

    const hold = (bytes: number): void => {
      memory += bytes;
      inAll += bytes;
    };

    /** Counter mode: the place in the file is the counter, so no two places are encrypted alike. Encrypts and decrypts. */
    const ciphered = (bytes: Uint8Array, offset: number): Buffer => {
      const counter = Buffer.alloc(BLOCK);
      counter.writeBigUInt64BE(BigInt(offset / BLOCK), BLOCK / 2);
      return createCipheriv('aes-256-ctr', key, counter).update(bytes);
    };

    const write = async (bytes: Uint8Array): Promise<Place> => {
      const { length } = bytes;
      const offset = disk;
      if (offset + length > maxDisk) throw new AppError('too_large', 'the file of a spool may not be larger');
      disk += Math.ceil(length / BLOCK) * BLOCK;
      opening ??= openFile(folder);
      const file = await opening;
      const { bytesWritten } = await file.write(ciphered(bytes, offset), 0, length, offset);
      if (bytesWritten < length) throw new AppError('failed', 'there is no room for temporary files');
      return { length, offset };
    };

    return {
      get held() {
        return { memory, disk };
      },
      async put(bytes) {
        if (closed) throw new AppError('cancelled', 'this spool is closed');
        if (inAll + bytes.length > maxMemory) return write(bytes);
        hold(bytes.length);
        // Other threads read these bytes in place.
        const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
        shared.set(bytes);
        return { length: bytes.length, bytes: shared } satisfies Place;
      },
      async read({ bytes, offset, length }: Place) {
        if (bytes !== undefined) return bytes;
        if (offset === undefined || opening === undefined) throw new AppError('internal', 'no spool gave this place');
        const file = await opening;
        const read = Buffer.allocUnsafe(length);
        const { bytesRead } = await file.read(read, 0, length, offset);
        if (bytesRead < length) throw new AppError('failed', 'the file of a spool is shorter than it was');
        return ciphered(read, offset);
      },
      drop({ bytes }: Place) {
        if (!closed && bytes !== undefined) hold(-bytes.length);
      },
      async close() {
        if (closed) return;
        closed = true;
        hold(-memory);
        // The file has no name any more, so nothing is left of it.
        await (await opening?.catch(() => undefined))?.close().catch(() => undefined);
      },
    };
  };
}

async function openFile(folder: string): Promise<FileHandle> {
  const path = join(folder, `muster-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
