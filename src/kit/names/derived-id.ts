import { createHash } from 'node:crypto';

/** An id of 24 hex digits that is the same for the same text, for what needs an id and has none of its own. */
export function derivedId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
