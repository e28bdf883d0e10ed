import { budgetFault, fault } from './fault.ts';
import { float, isFloat, PyFloat, typeName, type Value } from './value.ts';

const MAX_INTEGER_BITS = 4096;

type Numeric = number | bigint | PyFloat;

/** A number as Python counts: booleans are 0 and 1. `undefined` for everything else. */
export function asNumeric(value: Value): Numeric | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof PyFloat ? value : undefined;
}

export function toNumber(value: Numeric): number {
  return typeof value === 'number' ? value : value instanceof PyFloat ? value.value : Number(value);
}

/** An index, count or width. */
export function toIndex(value: Value, what: string): number {
  const number = asNumeric(value);
  if (number === undefined || isFloat(number)) throw fault(`${what} must be an integer, not ${typeName(value)}`);
  return toNumber(number);
}

function fromBigInt(value: bigint): number | bigint {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  if (BigInt.asIntN(MAX_INTEGER_BITS, value) !== value) throw budgetFault('a number is too large');
  return value;
}

/** Digits as an int of any size. The caller checked their form. */
function integerFromDigits(digits: string): number | bigint {
  if (digits.length > 1200) throw budgetFault('a number is too large');
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : fromBigInt(BigInt(digits));
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

export function arithmetic(operator: ArithmeticOperator, left: Numeric, right: Numeric): Value {
  if (operator === '/') return divide(left, right);
  if (isFloat(left) || isFloat(right)) return floatArithmetic(operator, toNumber(left), toNumber(right));
  if (operator === '**') return power(left, right);
  if (typeof left === 'number' && typeof right === 'number') {
    const result = smallArithmetic(operator, left, right);
    if (Number.isSafeInteger(result)) return result + 0;
  }
  return bigArithmetic(operator, BigInt(left as number | bigint), BigInt(right as number | bigint));
}

function divide(left: Numeric, right: Numeric): Value {
  const divisor = toNumber(right);
  if (divisor === 0) throw fault('division by zero');
  return float(toNumber(left) / divisor);
}

function smallArithmetic(operator: ArithmeticOperator, left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0) throw fault('division by zero');
  const quotient = Math.floor(left / right);
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right)) return Number.NaN;
  return operator === '//' ? exactFloor(left, right, quotient) : modulo(left, right);
}

/** `left / right` is rounded, so that its floor can be one too many next to a multiple. */
function exactFloor(left: number, right: number, quotient: number): number {
  return Math.abs(quotient) < 2 ** 50 ? (left - modulo(left, right)) / right : Number.NaN;
}

function modulo(left: number, right: number): number {
  const rest = left % right;
  return rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest;
}

function floatArithmetic(operator: ArithmeticOperator, left: number, right: number): Value {
  switch (operator) {
    case '+':
      return float(left + right);
    case '-':
      return float(left - right);
    case '*':
      return float(left * right);
    case '**': {
      if (left === 0 && right < 0) throw fault('0.0 cannot be raised to a negative power');
      const result = left ** right;
      if (Number.isNaN(result) && !Number.isNaN(left) && !Number.isNaN(right)) {
        throw fault('a negative number cannot be raised to a fractional power');
      }
      if (!Number.isFinite(result) && Number.isFinite(left) && Number.isFinite(right))
        throw fault('number out of range');
      return float(result);
    }
  }
  if (right === 0) throw fault('division by zero');
  const rest = modulo(left, right);
  return float(operator === '%' ? rest : Math.round((left - rest) / right));
}

function bigArithmetic(operator: ArithmeticOperator, left: bigint, right: bigint): Value {
  if (operator === '+') return fromBigInt(left + right);
  if (operator === '-') return fromBigInt(left - right);
  if (operator === '*') return fromBigInt(left * right);
  if (right === 0n) throw fault('division by zero');
  let quotient = left / right;
  let rest = left % right;
  if (rest !== 0n && rest < 0n !== right < 0n) {
    rest += right;
    quotient -= 1n;
  }
  return fromBigInt(operator === '//' ? quotient : rest);
}

function power(left: Numeric, right: Numeric): Value {
  const base = toNumber(left);
  const exponent = toNumber(right);
  if (exponent < 0) {
    if (base === 0) throw fault('0 cannot be raised to a negative power');
    return float(base ** exponent);
  }
  const result = base ** exponent;
  if (Number.isSafeInteger(result)) return result;
  if (exponent * Math.log2(Math.abs(base)) > MAX_INTEGER_BITS) throw budgetFault('a number is too large');
  return fromBigInt(BigInt(left as number | bigint) ** BigInt(right as number | bigint));
}

export function negate(value: Numeric): Value {
  if (value instanceof PyFloat) return new PyFloat(-value.value);
  return typeof value === 'bigint' ? fromBigInt(-value) : value === 0 ? 0 : -value;
}

export function absolute(value: Numeric): Value {
  return toNumber(value) < 0 ? negate(value) : value;
}

const INTEGER = /^[+-]?[0-9]+(?:_[0-9]+)*$/;
/** Every digit can be matched in one way only: a pattern that leaves a choice takes quadratic time on long texts. */
const FLOAT =
  /^[+-]?(?:(?:[0-9]+(?:_[0-9]+)*(?:\.(?:[0-9]+(?:_[0-9]+)*)?)?|\.[0-9]+(?:_[0-9]+)*)(?:e[+-]?[0-9]+(?:_[0-9]+)*)?|inf|infinity|nan)$/i;

/** Python's `int(text)`; `undefined` if the text is not an integer. */
export function parseInteger(text: string, base = 10): number | bigint | undefined {
  if (base === 10) return INTEGER.test(text) ? integerFromDigits(text.replaceAll('_', '').replace('+', '')) : undefined;
  const match = /^([+-]?)(0[xob])?_?([0-9a-z]+(?:_[0-9a-z]+)*)$/i.exec(text);
  if (!match || base < 2 || base > 36) return undefined;
  const prefix = match[2]?.toLowerCase();
  const digits = (match[3] ?? '').replaceAll('_', '').toLowerCase();
  const known = prefix === undefined || { '0x': 16, '0o': 8, '0b': 2 }[prefix] === base;
  if (!known || digits.length > 1200) return undefined;
  let value = 0n;
  for (const digit of digits) {
    const number = Number.parseInt(digit, 36);
    if (number >= base) return undefined;
    value = value * BigInt(base) + BigInt(number);
  }
  return fromBigInt(match[1] === '-' ? -value : value);
}

/** Python's `float(text)` as a JavaScript number; `undefined` if the text is not a float. */
export function parseFloatText(text: string): number | undefined {
  if (!FLOAT.test(text)) return undefined;
  const lower = text.toLowerCase().replaceAll('_', '');
  if (lower.endsWith('nan')) return Number.NaN;
  if (lower.includes('inf')) return lower.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const value = Number(lower);
  return Number.isNaN(value) ? undefined : value;
}

/** Python's `round(number, digits)`: exact decimal value, ties to even. */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value;
  if (digits < 0) {
    const unit = 10 ** -digits;
    return roundHalfEven(value / unit, 0) * unit;
  }
  if (digits > 60) return value;
  const size = Math.abs(value);
  const [, fraction = ''] = size.toFixed(digits + 40).split('.');
  const isTie = /^50*$/.test(fraction.slice(digits));
  if (!isTie) return Number(value.toFixed(digits));
  const down = Number(digits === 0 ? Math.floor(size) : size.toFixed(digits + 1).slice(0, -1));
  const lastDigit = Number((digits === 0 ? String(Math.floor(size)) : size.toFixed(digits + 1).slice(0, -1)).slice(-1));
  const rounded = lastDigit % 2 === 0 ? down : Number((down + 10 ** -digits).toFixed(digits));
  return value < 0 ? -rounded : rounded;
}
