import ipaddr from 'ipaddr.js';
import { pointInTime } from '../../../jinja/point-in-time.ts';
import { wildcardTest } from '../../../kit/wildcard.ts';
import { worded } from '../../../kit/worded.ts';
import type { LabelScalar } from '../../../ports/index.ts';
import { RuleCompileError } from '../../../ports/rule-type.ts';
import { accepted, type Check, refused, shown } from '../../hosts/decisions/check.ts';
import { compilePattern } from '../../rules/engine/pattern.ts';
import { relativeSpan, type TimeSpan } from '../../rules/engine/time-span.ts';
import { composed, foldedLike } from './folded-text.ts';
import { naturalOrder } from './natural-order.ts';
import type { Comparison, FieldTest, TextTest } from './query.ts';

/** Whether one value of a host is what was asked for. */
export type ValueTest = (value: LabelScalar) => boolean;

/** Asked for by `site:*`: any value will do. */
export function isAny({ comparison, value, isQuoted }: FieldTest): boolean {
  return comparison === '=' && value === '*' && !isQuoted;
}

/**
 * `=`: the same text whatever the case, with `*` for any signs; an address in another
 * notation; an address of a network that is written `10.3.0.0/16`. `~`: a pattern
 * (RE2) anywhere in the value. `<` and the like: numbers by size, other texts in the order in which people count, so that 5.9 comes before 5.10.
 */
export function valueTest(test: FieldTest, now: Date): Check<ValueTest> {
  const { comparison, value } = test;
  if (comparison === '~') return patternTest(value);
  if (comparison === '=') return accepted(oneOfTest([test]).fits);
  if (value === '')
    return refused(
      'where',
      worded`${{ field: shown(test.field) }} is compared with an empty text; write what it is to be ${{ comparison }}`,
    );
  const span = test.isQuoted ? undefined : relativeSpan(value.trim(), now);
  if (span === undefined) return accepted(orderTest(comparison, value));
  return accepted((given) => {
    const at = pointInTime(given);
    return at !== undefined && isOnSide(at, comparison, span);
  });
}

/** `>` a day is since its beginning, `<=` until its end. */
export function isOnSide(at: number, comparison: Exclude<Comparison, '~'>, { from, to }: TimeSpan): boolean {
  if (comparison === '=') return at >= from && at < to;
  if (comparison === '<') return at < from;
  return comparison === '<=' ? at < to : at >= from;
}

/** Returns a canonical spelling of a text that can be written in several. */
function spellingOf(text: string): string | undefined {
  return macOf(text) ?? addressOf(text)?.toString();
}

interface OneOf {
  readonly fits: ValueTest;
  /** Whether it is one of the addresses among them; absent if there are none. */
  readonly isAddress?: ValueTest;
}

/** Whether a value is one of many, compared as `=` does: all that mean themselves are looked up at once. */
export function oneOfTest(tests: readonly FieldTest[]): OneOf {
  const letters = foldedLike(tests.map(({ value }) => value).join(''));
  const texts = new Set(tests.map(({ value }) => letters(value)));
  const unquoted = tests.filter(({ isQuoted }) => !isQuoted).map(({ value }) => value);
  const patterns = unquoted.filter((value) => value.includes('*')).map((value) => wildcardTest(letters(value)));
  const addresses = new Set(unquoted.flatMap((value) => spellingOf(value) ?? []));
  const networks = unquoted.flatMap((value) => (ipaddr.isValidCIDR(value) ? (notationOf(value) ?? []) : []));
  const isAddress = (given: LabelScalar): boolean => {
    const text = textOf(given);
    const spelling = addresses.size === 0 ? undefined : spellingOf(text);
    return (spelling !== undefined && addresses.has(spelling)) || networks.some(({ fits }) => fits(text));
  };
  const isText = (given: LabelScalar): boolean => {
    const text = letters(textOf(given));
    return texts.has(text) || patterns.some((pattern) => pattern(text));
  };
  if (addresses.size === 0 && networks.length === 0) return { fits: isText };
  return { fits: (given) => isText(given) || isAddress(given), isAddress };
}

function textOf(value: LabelScalar): string {
  return String(value ?? '');
}

/** For `web*`, which is a whole name or value in that form; `undefined` for a word that may occur anywhere in one. */
export function wildcardWord({ text, isQuoted }: TextTest): ((value: string) => boolean) | undefined {
  if (isQuoted || !text.includes('*')) return undefined;
  const folded = foldedLike(text);
  const fits = wildcardTest(folded(text));
  return (value) => fits(folded(value));
}

/** Shapes of addresses, tested first as most values have none of them. Leading zeros may mean octal: no guess. */
const SHAPES = {
  ipv4: /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/,
  ipv6: /^[\da-f]*:[\da-f:]*:(?:[\da-f]*|(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3})$/i,
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The address in a text, without the length of its network, in one spelling; `undefined` for other texts. */
export function addressOf(text: string): Address | undefined {
  const given = text.trim().replace(/\/\d{1,3}$/, '');
  const looksSo = SHAPES.ipv4.test(given) || SHAPES.ipv6.test(given);
  return looksSo && ipaddr.isValid(given) ? ipaddr.process(given) : undefined;
}

const MAC =
  /^(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}|[\da-f]{4}([.:-])[\da-f]{4}\2[\da-f]{4}|[\da-f]{6}[:-]?[\da-f]{6})$/i;

/** The digits of a MAC address in any notation; `undefined` for other texts. */
function macOf(text: string): string | undefined {
  const given = text.trim();
  return MAC.test(given) ? given.replaceAll(/[:.-]/g, '').toLowerCase() : undefined;
}

/** A value with several notations: an address, or a network, which stands for all its addresses. */
interface Notation {
  readonly fits: (text: string) => boolean;
  /** Every spelling contains one text of each list. */
  readonly held: readonly (readonly string[])[];
}

/** `10.3.0.0/16`, `fd00::/8`, `2001:DB8::1`, `aabb.ccdd.eeff`; `undefined` for all other texts, which are compared as they are. */
export function notationOf(wanted: string): Notation | undefined {
  const mac = macOf(wanted);
  if (mac !== undefined) {
    const pairs = new Set(mac.match(/../g));
    return { fits: (text) => macOf(text) === mac, held: [...pairs].map((pair) => [pair]) };
  }
  if (ipaddr.isValidCIDR(wanted)) {
    const [address, bits] = ipaddr.parseCIDR(wanted);
    const fits = (text: string): boolean => {
      const given = addressOf(text);
      return given?.kind() === address.kind() && given.match(address, bits);
    };
    return { fits, held: heldByAll(address, bits) };
  }
  const address = addressOf(wanted);
  if (address === undefined) return undefined;
  const name = address.toString();
  return { fits: (text) => addressOf(text)?.toString() === name, held: heldByAll(address) };
}

/** Part of IPv4 addresses that are written in the form of IPv6. */
const MAPPED = 'ffff:';

/** `10.3.`, where the network ends between two numbers; of one address of IPv6 its longest group. */
function heldByAll(address: Address, bits?: number): Notation['held'] {
  if (address instanceof ipaddr.IPv6) {
    const groups = address.parts.slice(0, 6).map((part) => part.toString(16));
    const longest = groups.reduce((best, group) => (group.length > best.length ? group : best), '');
    return bits === undefined && longest.length > 1 ? [[longest]] : [];
  }
  const numbers = address.octets.slice(0, Math.floor((bits ?? 32) / 8));
  return numbers.length === 0 ? [] : [[`${numbers.join('.')}${numbers.length < 4 ? '.' : ''}`, MAPPED]];
}

function patternTest(source: string): Check<ValueTest> {
  try {
    const letters = composed(source);
    const fits = compilePattern(`(?s:.*?)(?:${letters(source)})`, { ignoreCase: true });
    return accepted((value) => fits(letters(textOf(value))));
  } catch (error) {
    if (error instanceof RuleCompileError) return refused('where', `${shown(source)}: ${error.message}`);
    throw error;
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const ORDERS = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
} as const;

/** Whether two texts such as 5.9 and 5.10 are counted part by part: a number that the source sent as one goes by size. */
function areVersions(value: LabelScalar, wanted: string): boolean {
  return typeof value === 'string' && value.includes('.') && wanted.includes('.');
}

function orderTest(comparison: keyof typeof ORDERS, wanted: string): ValueTest {
  const isInOrder = ORDERS[comparison];
  const number = NUMBER.test(wanted.trim()) ? Number(wanted) : undefined;
  return (value) => {
    const text = textOf(value).trim();
    if (text === '' || typeof value === 'boolean') return false;
    if (number !== undefined && NUMBER.test(text) && !areVersions(value, wanted))
      return isInOrder(Number(text) - number);
    // A word is neither more nor less than a number; versions are.
    if (number !== undefined && !/^\d/.test(text)) return false;
    return isInOrder(naturalOrder.compare(text, wanted));
  };
}
