import type { ErrorDetail, JsonValue, Wording } from '../../ports/index.ts';
import { isValidUnicode } from '../unicode.ts';
import { detailOf, phrase, worded } from '../worded.ts';

const SHOWN_DIGITS = 40;

/** Returns why a value other than a list or an object cannot be stored unchanged, as the rest of a sentence. */
export function scalarFault(value: unknown): Wording | undefined {
  if (typeof value === 'string')
    return isValidUnicode(value) ? undefined : worded`contains text that is not valid Unicode`;
  if (typeof value === 'bigint') {
    return worded`contains the number ${{ digits: shownDigits(value) }}, which cannot be kept exactly; send it as text`;
  }
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? undefined
      : worded`contains a number that is too large or too small; send it as text`;
  }
  return value === null || typeof value === 'boolean'
    ? undefined
    : worded`is a ${{ kind: typeof value }}, which JSON cannot represent`;
}

/** Every value of a document, and every name of a member, that cannot be stored as it is. */
export function valueFaults(document: JsonValue, path = ''): readonly ErrorDetail[] {
  if (typeof document !== 'object' || document === null) {
    const fault = scalarFault(document);
    return fault === undefined ? [] : [detailOf(path, fault)];
  }
  return Object.entries(document).flatMap(([name, value]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    if (!isValidUnicode(name)) return [{ path: inner, message: phrase`has a name that is not valid Unicode` }];
    return valueFaults(value, inner);
  });
}

function shownDigits(value: bigint): string {
  const digits = String(value);
  return digits.length > SHOWN_DIGITS ? `${digits.slice(0, SHOWN_DIGITS)}…` : digits;
}
