import type { JsonValue } from '../../../ports/index.ts';

/** How much the tables of one plan may keep in memory together, in bytes. */
export class MemoryShare {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes room for a value, and for its key where that is new. False, and nothing is taken, when there is not enough any more. */
  take(key: string | undefined, value: object | string): boolean {
    const bytes = (key === undefined ? 0 : PLACE_BYTES + key.length) + sizeOf(value as JsonValue);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Of an entry of a `Map` with a place, and of the key without its characters. */
const PLACE_BYTES = 120;
/** Of a text without its characters, and of a number. */
const TEXT_BYTES = 20;
const OBJECT_BYTES = 32;
const MEMBER_BYTES = 8;

/** About what a value takes in memory. Texts that several values share count for each. */
function sizeOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = OBJECT_BYTES;
  if (Array.isArray(value)) {
    for (const item of value) bytes += MEMBER_BYTES + sizeOf(item);
    return bytes;
  }
  for (const name in value) bytes += MEMBER_BYTES + sizeOf((value as Record<string, JsonValue>)[name]);
  return bytes;
}
