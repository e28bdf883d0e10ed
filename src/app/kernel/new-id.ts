import { randomBytes } from 'node:crypto';

const COUNTER_LIMIT = 0x1000000;

/**
 * Ids of 24 hex digits that grow with time: seconds, a part of this process's own, and a counter. Entries of one millisecond
 * keep the order in which they were made.
 */
export function idSource(now: () => Date): () => string {
  const own = randomBytes(5).toString('hex');
  let counter = randomBytes(2).readUInt16BE();
  return () => {
    counter = (counter + 1) % COUNTER_LIMIT;
    const seconds = Math.floor(now().getTime() / 1000);
    return hex(seconds, 8) + own + hex(counter, 6);
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits);
}
