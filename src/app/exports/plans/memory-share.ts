/** How much the tables of one plan may keep in memory together, in bytes. */
export class MemoryShare {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes room. False, and nothing is taken, when there is not enough any more. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/** About what a key takes in memory with the place that it has in a `Map`. */
export function sizeOfKey(key: string): number {
  return PLACE_BYTES + key.length;
}

/** Of an entry of a `Map` with a place, and of the key without its characters. */
const PLACE_BYTES = 120;
/** Of a text without its characters. */
const TEXT_BYTES = 20;
/** Shorter ones are mostly the same ones again, and kept once. */
const OWN_TEXT_LENGTH = 11;
const OBJECT_BYTES = 32;
const MEMBER_BYTES = 8;

/** About what a value takes in memory. Longer texts that several values share count for each. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length < OWN_TEXT_LENGTH ? 0 : TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = OBJECT_BYTES;
  if (Array.isArray(value)) {
    for (const item of value) bytes += MEMBER_BYTES + sizeOf(item);
    return bytes;
  }
  for (const name in value) bytes += MEMBER_BYTES + sizeOf((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
}
