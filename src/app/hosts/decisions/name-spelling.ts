import { domainToASCII, domainToUnicode } from 'node:url';
import { enumerated, type Said, worded } from '../../../kit/worded.ts';
import type { Wording } from '../../../ports/index.ts';

/** Invisible characters: zero width, soft hyphens, marks of direction and byte order; and blanks of other widths. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/gu;
/** Joiners, which some scripts need between letters. */
const JOINED = /(?<=[^\0-\u024f])[\u200c\u200d](?=[^\0-\u024f])/gu;
const ASCII = /^[\0-\x7f]*$/;
/** Most names are spelled in the one way that needs no look at their letters. */
const PLAIN = /^(?!.*xn--)[a-z0-9._-]*[a-z0-9_-]$/;

/** Returns the name without invisible characters. */
export function withoutUnseen(name: string): string {
  if (ASCII.test(name)) return name;
  const kept = new Set([...name.matchAll(JOINED)].map(({ index }) => index));
  return name.replaceAll(UNSEEN, (sign, index: number) => (kept.has(index) ? sign : '')).trim();
}

/** Returns the form shared by names that differ in spelling alone. */
export function spellingOf(name: string): string {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  const letters = withoutUnseen(name)
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<=.)\.+$/, '');
  if (!letters.includes('xn--')) return letters;
  const unicode = domainToUnicode(letters);
  return unicode === '' ? letters : unicode.normalize('NFC');
}

/** Spellings under which a host may be stored that is asked for by this name, to be looked up at once. */
export function likelySpellings(name: string): readonly string[] {
  const common = spellingOf(name);
  const [first = ''] = common.split('.', 1);
  const rest = common.slice(first.length);
  const inUpper = [
    common.toUpperCase(),
    `${first.toUpperCase()}${rest}`,
    common.replace(/^./u, (sign) => sign.toUpperCase()),
  ];
  const others = [
    common,
    ...inUpper,
    `${common}.`,
    common.normalize('NFD'),
    domainToASCII(common),
    withoutUnseen(name),
  ];
  return [...new Set(others)].filter((other) => other !== name && other !== '');
}

/** In what two names of one spelling differ. */
export function spellingDifference(one: string, other: string): Said {
  const steps: readonly (readonly [Wording, (name: string) => string])[] = [
    [worded`signs that are not seen`, withoutUnseen],
    [worded`composed letters`, (name) => name.normalize('NFC')],
    [worded`a dot at the end`, (name) => name.replace(/(?<=.)\.+$/, '')],
    [worded`the form of DNS (xn--)`, (name) => (/xn--/i.test(name) ? domainToUnicode(name) || name : name)],
    [worded`upper and lower case`, (name) => name.toLowerCase()],
  ];
  let [a, b] = [one, other];
  const differences: Wording[] = [];
  for (const [what, apply] of steps) {
    const [nextA, nextB] = [apply(a), apply(b)];
    // A step is listed if it brings the two closer to each other: it changed one of them but not the other.
    if ((nextA === a) !== (nextB === b) || (nextA === nextB && a !== b)) differences.push(what);
    [a, b] = [nextA, nextB];
  }
  return enumerated(differences) ?? '';
}
