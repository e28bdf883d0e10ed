import { createHash } from 'node:crypto';
import type { Parameters } from './call.ts';
import { fault } from './fault.ts';
import { asNumeric, parseInteger, toNumber } from './number.ts';
import { strip } from './plain-text.ts';
import type { Run } from './run.ts';
import { toText } from './text.ts';
import { isList, PySequence, type Value } from './value.ts';

const SHORTEST = 4;
const LONGEST = 64;
const USUAL = 8;

const DIGESTS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3_256', 'sha3_512'];

/** `hash('sha1')`: the digest of the text, in hexadecimal digits; `hash(12)` and `hash` as `hashOf` says. */
export function hashFilter(run: Run, value: Value, parameters: Parameters): string {
  const [wanted] = parameters;
  if (typeof wanted !== 'string' || parseInteger(strip(wanted)) !== undefined) return hashOf(run, value, parameters);
  const digest = wanted
    .toLowerCase()
    .replace(/^sha-(?=\d)/, 'sha')
    .replace('sha3-', 'sha3_');
  if (!DIGESTS.includes(digest)) throw fault(`there is no digest '${wanted}'; there are ${DIGESTS.join(', ')}`);
  const text = toText(run, value);
  run.sized(text.length);
  return createHash(digest.replace('_', '-')).update(text).digest('hex');
}

/**
 * A short text that is the same for the same value, of which a label or a tag can be made whatever the value holds. The order of
 * a list does not count.
 */
export function hashOf(run: Run, value: Value, [length]: Parameters): string {
  const text = hashedText(run, value);
  run.sized(text.length);
  return createHash('sha256').update(text).digest('hex').slice(0, lengthOf(length));
}

function hashedText(run: Run, value: Value): string {
  const items = isList(value) ? value : value instanceof PySequence ? value.items : undefined;
  if (items === undefined) return value === null ? '' : strip(toText(run, value));
  run.step(items.length);
  return items
    .map((item) => strip(toText(run, item)))
    .sort(byCodePoints)
    .join(',');
}

function byCodePoints(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function lengthOf(length: Value | undefined): number {
  if (length === undefined || length === null) return USUAL;
  const number = typeof length === 'string' ? parseInteger(strip(length)) : asNumeric(length);
  const wanted = number === undefined ? USUAL : Math.trunc(toNumber(number));
  return Number.isFinite(wanted) ? Math.max(SHORTEST, Math.min(wanted, LONGEST)) : USUAL;
}
