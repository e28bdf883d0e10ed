import ipaddr from 'ipaddr.js';
import type { LabelScalar } from '../../../ports/index.ts';
import { RuleCompileError } from '../../../ports/rule-type.ts';
import { accepted, type Check, refused, shown } from '../../hosts/decisions/check.ts';
import { wildcardTest } from '../../kernel/wildcard.ts';
import { worded } from '../../kernel/worded.ts';
import { compilePattern } from '../../rules/engine/pattern.ts';
import { foldedText } from './folded-text.ts';
import { naturalOrder } from './natural-order.ts';
import type { FieldTest, TextTest } from './query.ts';

/** Whether one value of a host is what was asked for. */
export type ValueTest = (value: LabelScalar) => boolean;

/** Asked for by `site:*`: any value will do. */
export function isAny({ comparison, value, isQuoted }: FieldTest): boolean {
  return comparison === '=' && value === '*' && !isQuoted;
}

/**
 * `=`: the same text whatever the case, with `*` for any signs; an address of a network that is written `10.3.0.0/16`. `~`: a pattern
 * (RE2) anywhere in the value. `<` and the like: numbers by size, other texts in the order in which people count, so that 5.9 comes before 5.10.
 */
export function valueTest(test: FieldTest): Check<ValueTest> {
  const { comparison, value, isQuoted } = test;
  if (comparison === '~') return patternTest(value);
  if (comparison === '=') {
    const network = isQuoted ? undefined : networkTest(value);
    const fits = isQuoted ? equalTo(foldedText(value)) : wildcardTest(foldedText(value));
    return accepted((given) => fits(foldedText(textOf(given))) || network?.(textOf(given)) === true);
  }
  if (value === '')
    return refused(
      'where',
      worded`${{ field: shown(test.field) }} is compared with an empty text; write what it is to be ${{ comparison }}`,
    );
  return accepted(orderTest(comparison, value));
}

function textOf(value: LabelScalar): string {
  return String(value ?? '');
}

function equalTo(wanted: string): (text: string) => boolean {
  return (text) => text === wanted;
}

/** For `web*`, which is a whole name or value in that form; `undefined` for a word that may stand anywhere in one. */
export function wildcardWord({ text, isQuoted }: TextTest): ((value: string) => boolean) | undefined {
  if (isQuoted || !text.includes('*')) return undefined;
  const fits = wildcardTest(foldedText(text));
  return (value) => fits(foldedText(value));
}

/** What may be an address of either kind: most values are none, which costs less than taking them apart. */
const SHAPES = { ipv4: /^\d{1,3}(?:\.\d{1,3}){3}$/, ipv6: /^[\da-f]*:[\da-f:]*:[\da-f.]*$/i };

/** The address that a text is, without the length of its network, in one spelling; `undefined` for what is none. */
export function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const given = text.trim().replace(/\/\d{1,3}$/, '');
  const looksSo = SHAPES.ipv4.test(given) || SHAPES.ipv6.test(given);
  return looksSo && ipaddr.isValid(given) ? ipaddr.parse(given) : undefined;
}

/** For `10.3.0.0/16` and `fd00::/8`; `undefined` for what is no network. */
export function networkTest(wanted: string): ((text: string) => boolean) | undefined {
  const network = networkOf(wanted);
  if (network === undefined) return undefined;
  const [address, bits] = network;
  const shape = SHAPES[address.kind()];
  return (text) => {
    const given = text.replace(/\/\d{1,3}$/, '');
    return shape.test(given) && ipaddr.isValid(given) && ipaddr.parse(given).match(address, bits);
  };
}

/** What all addresses of a network begin with, where it ends between two numbers: `10.3.` */
export function networkText(wanted: string): string | undefined {
  const [address, bits] = networkOf(wanted) ?? [];
  if (address === undefined || bits === undefined || address.kind() !== 'ipv4') return undefined;
  const numbers = address.toByteArray().slice(0, Math.floor(bits / 8));
  return numbers.length === 0 ? undefined : `${numbers.join('.')}${numbers.length < 4 ? '.' : ''}`;
}

function networkOf(wanted: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  return ipaddr.isValidCIDR(wanted) ? ipaddr.parseCIDR(wanted) : undefined;
}

function patternTest(source: string): Check<ValueTest> {
  try {
    const fits = compilePattern(`(?s:.*?)(?:${source})`, { ignoreCase: true });
    return accepted((value) => fits(textOf(value)));
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
