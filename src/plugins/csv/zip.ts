import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { fileFault, shown } from '../../kit/file-source/fault.ts';
import { worded } from '../../kit/worded.ts';

const unpack = promisify(inflateRaw);

const MIB = 1024 * 1024;
/** Bytes that the parts of a workbook may have unpacked, all together. */
export const MOST_UNPACKED = 256 * MIB;
/** A part that is larger than this when unpacked and exceeds the ratio to its packed size is built to exhaust memory. */
const CALM_SIZE = 16 * MIB;
const MOST_RATIO = 200;

interface Entry {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly offset: number;
}

/** The parts of a ZIP archive in memory. Each is unpacked when it is asked for, within limits, and checked by its sum. */
export class ZipArchive {
  readonly #path: string;
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #unpacked = 0;

  constructor(path: string, bytes: Buffer) {
    this.#path = path;
    this.#bytes = bytes;
    try {
      this.#readDirectory();
    } catch (error) {
      if (error instanceof RangeError) throw this.#broken();
      throw error;
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The bytes of a part; `undefined` when there is none of the name. */
  async part(name: string): Promise<Buffer | undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if ((entry.flags & 1) !== 0) throw fileFault(this.#path, worded`is encrypted; save it without a password`);
    this.#unpacked += entry.unpacked;
    if (this.#unpacked > MOST_UNPACKED) throw fileFault(this.#path, worded`has more than 256 MiB unpacked`);
    if (entry.unpacked > CALM_SIZE && entry.unpacked > entry.packed * MOST_RATIO)
      throw fileFault(
        this.#path,
        worded`has a part that unpacks to more than 200 times its size: ${{ name: shown(name) }}`,
      );
    const data = await this.#dataOf(entry).catch(() => undefined);
    if (data?.length !== entry.unpacked || crc32(data) !== entry.crc) throw this.#broken();
    return data;
  }

  async #dataOf({ offset, packed, unpacked, method }: Entry): Promise<Buffer> {
    const bytes = this.#bytes;
    if (bytes.readUInt32LE(offset) !== 0x04034b50) throw this.#broken();
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const data = bytes.subarray(start, start + packed);
    if (method === 0) return data;
    if (method !== 8) throw this.#broken();
    return unpack(data, { maxOutputLength: Math.max(1, unpacked) });
  }

  #readDirectory(): void {
    const bytes = this.#bytes;
    const end = bytes.lastIndexOf('PK\u0005\u0006', bytes.length, 'latin1');
    if (end === -1) throw this.#broken();
    const count = bytes.readUInt16LE(end + 10);
    let at = bytes.readUInt32LE(end + 16);
    for (let index = 0; index < count; index++) {
      if (bytes.readUInt32LE(at) !== 0x02014b50) throw this.#broken();
      const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
        number,
        number,
        number,
      ];
      const entry = {
        flags: bytes.readUInt16LE(at + 8),
        method: bytes.readUInt16LE(at + 10),
        crc: bytes.readUInt32LE(at + 16),
        packed: bytes.readUInt32LE(at + 20),
        unpacked: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42),
      };
      this.#entries.set(bytes.toString('utf8', at + 46, at + 46 + name), entry);
      at += 46 + name + extra + comment;
    }
  }

  #broken() {
    return fileFault(this.#path, worded`is a ZIP archive that is cut off or damaged`);
  }
}
