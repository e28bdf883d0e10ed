import { fault } from './fault.ts';
import { floatText } from './text.ts';

export interface NumberStyle {
  readonly align: '<' | '>' | '^' | '=';
  readonly fill: string;
  readonly sign: '+' | '-' | ' ';
  readonly alternate: boolean;
  readonly grouping: string;
  readonly width: number;
  readonly precision: number | undefined;
}

const MAX_PRECISION = 100;

/** The caller checked the width against the budget. */
export function pad(text: string, style: NumberStyle): string {
  const missing = style.width - Array.from(text).length;
  if (missing <= 0) return text;
  if (style.align === '<') return text + style.fill.repeat(missing);
  if (style.align !== '^') return style.fill.repeat(missing) + text;
  const before = Math.floor(missing / 2);
  return style.fill.repeat(before) + text + style.fill.repeat(missing - before);
}

function finish(negative: boolean, prefix: string, digits: string, style: NumberStyle): string {
  const sign = (negative ? '-' : style.sign === '-' ? '' : style.sign) + prefix;
  if (style.align !== '=') return pad(sign + digits, style);
  return sign + pad(digits, { ...style, align: '>', width: style.width - sign.length });
}

function group(digits: string, separator: string): string {
  if (separator === '') return digits;
  const [whole = '', ...rest] = digits.split(/(?=[.e])/);
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.push(whole.slice(Math.max(0, end - 3), end));
  return groups.reverse().join(separator) + rest.join('');
}

const BASES: ReadonlyMap<string, number> = new Map([
  ['d', 10],
  ['x', 16],
  ['X', 16],
  ['o', 8],
  ['b', 2],
]);

export function formatInteger(value: number | bigint, type: string, style: NumberStyle): string {
  const base = BASES.get(type) ?? 10;
  const negative = value < 0;
  const size = negative ? -value : value;
  let digits = (typeof size === 'number' && size > Number.MAX_SAFE_INTEGER ? BigInt(size) : size).toString(base);
  if (type === 'X') digits = digits.toUpperCase();
  if (style.precision !== undefined) digits = digits.padStart(Math.min(style.precision, MAX_PRECISION), '0');
  const prefix = style.alternate && base !== 10 ? `0${type}` : '';
  return finish(negative, prefix, group(digits, style.grouping), style);
}

export function formatFloat(value: number, type: string, style: NumberStyle): string {
  const precision = style.precision ?? 6;
  if (precision > MAX_PRECISION) throw fault('the precision of a format is too large');
  const negative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  const isUpper = type === type.toUpperCase() && type !== '%';
  let digits = Number.isFinite(size)
    ? finiteDigits(size, type.toLowerCase(), precision, style.alternate)
    : floatText(size);
  if (isUpper) digits = digits.toUpperCase();
  return finish(negative, '', group(digits, style.grouping), style);
}

function finiteDigits(size: number, type: string, precision: number, alternate: boolean): string {
  if (type === '%') return `${fixed(size * 100, precision)}%`;
  if (type === 'f') return fixed(size, precision);
  if (type === 'e') return exponential(size, precision);
  const significant = Math.max(precision, 1);
  const exponent = size === 0 ? 0 : Number(size.toExponential(significant - 1).split('e')[1]);
  const isShort = exponent >= -4 && exponent < significant;
  const text = isShort ? fixed(size, significant - 1 - exponent) : exponential(size, significant - 1);
  if (alternate || !text.includes('.')) return text;
  const [mantissa = '', power] = text.split('e');
  const short = mantissa.replace(/0+$/, '').replace(/\.$/, '');
  return power === undefined ? short : `${short}e${power}`;
}

function fixed(size: number, precision: number): string {
  if (size >= 1e21) return BigInt(size).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');
  return roundTie(size, precision).toFixed(Math.min(precision, MAX_PRECISION));
}

/** `toFixed` rounds ties up, Python to even; only an exactly representable half is a tie. */
function roundTie(size: number, precision: number): number {
  const scaled = size * 10 ** precision;
  if (precision > 15 || scaled % 1 !== 0.5 || scaled > 2 ** 52 || scaled / 10 ** precision !== size) return size;
  if (!isExactTie(size, precision)) return size;
  return Math.floor(scaled) % 2 === 0 ? Math.floor(scaled) / 10 ** precision : size;
}

function isExactTie(size: number, precision: number): boolean {
  const [, fraction = ''] = size.toFixed(Math.min(precision + 40, 100)).split('.');
  return /^50*$/.test(fraction.slice(precision));
}

function exponential(size: number, precision: number): string {
  const [mantissa = '', exponent = '0'] = size.toExponential(Math.min(precision, 100)).split('e');
  const digits = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${mantissa}e${exponent.startsWith('-') ? '-' : '+'}${digits}`;
}
