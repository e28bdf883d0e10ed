import { define, type Parameters } from './call.ts';
import { isTrue, numberOf } from './compare.ts';
import { fault } from './fault.ts';
import { absolute, asNumeric, parseFloatText, parseInteger, roundHalfEven, toNumber } from './number.ts';
import { formatFloat, type NumberStyle } from './number-format.ts';
import { countOf, expectText, strip } from './plain-text.ts';
import type { Run } from './run.ts';
import { numberText } from './text.ts';
import { float, isFloat, typeName, type Value } from './value.ts';

function toInteger(_run: Run, value: Value, [fallback, base]: Parameters): Value {
  const missing = fallback ?? 0;
  if (typeof value === 'string') {
    const text = strip(value);
    const whole = parseInteger(text, countOf(base, 10, 'base'));
    if (whole !== undefined) return whole;
    const number = parseFloatText(text);
    return number === undefined || !Number.isFinite(number) ? missing : truncate(number);
  }
  const number = asNumeric(value);
  if (number === undefined) return missing;
  if (!isFloat(number)) return number as number | bigint;
  return Number.isFinite(toNumber(number)) ? truncate(toNumber(number)) : missing;
}

function truncate(value: number): Value {
  return Math.trunc(value) + 0;
}

function toFloat(_run: Run, value: Value, [fallback]: Parameters): Value {
  const number = typeof value === 'string' ? parseFloatText(strip(value)) : asNumeric(value);
  if (number === undefined) return fallback ?? float(0);
  return float(typeof number === 'number' ? number : toNumber(number));
}

function round(_run: Run, value: Value, [precision, method]: Parameters): Value {
  const digits = countOf(precision, 0, 'precision');
  if (Math.abs(digits) > 60) throw fault('the precision of round is too large');
  const mode = method === undefined ? 'common' : expectText(method, 'method');
  const number = numberOf(value, 'round');
  if (mode === 'common') {
    const rounded = roundHalfEven(number, digits);
    return isFloat(value) ? float(rounded) : digits < 0 ? rounded + 0 : asNumeric(value)!;
  }
  if (mode !== 'ceil' && mode !== 'floor') throw fault("the method of round is 'common', 'ceil' or 'floor'");
  const scale = 10 ** digits;
  return float((mode === 'ceil' ? Math.ceil(number * scale) : Math.floor(number * scale)) / scale);
}

function magnitude(_run: Run, value: Value): Value {
  const number = asNumeric(value);
  if (number === undefined) throw fault(`abs needs a number, not ${typeName(value)}`);
  return absolute(number);
}

const SIZES: ReadonlyMap<number, readonly string[]> = new Map([
  [1000, ['kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']],
  [1024, ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB']],
]);

function fileSize(run: Run, value: Value, [binary]: Parameters): string {
  const number = typeof value === 'string' ? parseFloatText(strip(value)) : asNumeric(value);
  if (number === undefined) throw fault(`filesizeformat needs a number, not ${typeName(value)}`);
  const bytes = toNumber(number);
  const base = binary !== undefined && isTrue(run, binary) ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${numberText(truncateFinite(bytes))} Bytes`;
  const names = SIZES.get(base) ?? [];
  let power = 1;
  while (power < names.length && !(bytes < unitOf(base, power + 1))) power++;
  const amount = (base * bytes) / unitOf(base, power + 1);
  return `${formatFloat(amount, 'f', ONE_DIGIT)} ${names[power - 1]}`;
}

/** Exact where floating powers are not. */
function unitOf(base: number, power: number): number {
  return Number(BigInt(base) ** BigInt(power));
}

function truncateFinite(value: number): number {
  if (!Number.isFinite(value)) throw fault('filesizeformat needs a finite number');
  return Math.trunc(value) + 0;
}

const ONE_DIGIT: NumberStyle = {
  align: '>',
  fill: ' ',
  sign: '-',
  alternate: false,
  grouping: '',
  width: 0,
  precision: 1,
};

export const NUMBER_FILTERS = [
  define<Value>('int(default?, base?)', toInteger),
  define<Value>('float(default?)', toFloat),
  define<Value>('round(precision?, method?)', round),
  define<Value>('abs()', magnitude),
  define<Value>('filesizeformat(binary?)', fileSize),
];
