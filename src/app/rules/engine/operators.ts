import { pointInTime } from '../../../jinja/point-in-time.ts';
import { scalarText } from '../../../kit/document/members.ts';
import { phrase } from '../../../kit/worded.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { ConditionOperator } from '../../../ports/rule-language.ts';
import { readAge } from './age.ts';
import { endsFolded, equalsFolded, includesFolded, startsFolded, type TextTest } from './case-fold.ts';

export const OPERATORS = [
  'equal',
  'in',
  'not_in',
  'swith',
  'ewith',
  'in_list',
  'string_in_list',
  'regex',
  'bool',
  'older_than',
  'newer_than',
  'ignore',
] as const;

type BuiltInOperator = (typeof OPERATORS)[number];

/** By its name, or that of a plugin. */
export type Operator = BuiltInOperator | ConditionOperator;

const KNOWN: ReadonlySet<unknown> = new Set(OPERATORS);

/** Operators that compare a value with the clock. A name is not a time, so they compare values only. */
export const AGE_OPERATORS: ReadonlySet<Operator> = new Set(['older_than', 'newer_than']);
/** As they are offered for hostnames and for names of attributes. */
export const NAME_OPERATORS: readonly BuiltInOperator[] = OPERATORS.filter((operator) => !AGE_OPERATORS.has(operator));

export function isOperator(value: unknown): value is BuiltInOperator {
  return KNOWN.has(value);
}

/** A comparison that cannot be made answers false; `obstacle` says why. */
export type ValueTest = (value: JsonValue) => boolean;

export interface OperatorDeps {
  /** Compiles the needle of `regex`, and throws when it cannot. */
  pattern(text: string): TextTest;
  now(): Date;
}

/** Returns the test of values for a needle. Throws `RuleCompileError` for an invalid age. */
export function compileOperator(operator: Operator, needle: string, { pattern, now }: OperatorDeps): ValueTest {
  if (typeof operator === 'object') return operator.compile(needle);
  switch (operator) {
    case 'equal':
      return ofText(equalsFolded(needle));
    case 'swith':
      return ofText(startsFolded(needle));
    case 'ewith':
      return ofText(endsFolded(needle));
    case 'regex':
      return ofText(pattern(needle));
    case 'in':
      return contains(includesFolded(needle), true);
    case 'not_in':
      return contains(includesFolded(needle), false);
    case 'in_list':
      return inList(needle);
    case 'string_in_list':
      return hasElement(needle);
    case 'bool':
      return sameTruth(isTrueText(needle));
    case 'older_than':
      return ofAge(needle, now, (age, limit) => age > limit);
    case 'newer_than':
      return ofAge(needle, now, (age, limit) => age <= limit);
    case 'ignore':
      return () => true;
  }
}

/** Returns why a value cannot be compared, as a description of the value; `undefined` if it can. */
export function obstacle(operator: Operator, value: JsonValue): string | undefined {
  if (typeof operator === 'object' || operator === 'ignore' || operator === 'bool') return undefined;
  if (AGE_OPERATORS.has(operator)) return pointInTime(value) === undefined ? phrase`is not a time` : undefined;
  const isElement = operator === 'string_in_list';
  if (isElement && !Array.isArray(value) && typeof value !== 'string') return phrase`is not a list`;
  if (Array.isArray(value)) {
    return isElement || operator === 'in' || operator === 'not_in' ? undefined : phrase`is a list`;
  }
  return scalarText(value) === undefined ? phrase`is an object` : undefined;
}

function ofText(test: TextTest): ValueTest {
  return (value) => {
    if (typeof value === 'string') return test(value);
    const text = scalarText(value);
    return text !== undefined && test(text);
  };
}

/** A value that names no point in time is neither older nor newer. */
function ofAge(needle: string, now: () => Date, holds: (age: number, limit: number) => boolean): ValueTest {
  const limit = readAge(needle);
  return (value) => {
    const at = pointInTime(value);
    return at !== undefined && holds(now().getTime() - at, limit);
  };
}

function contains(test: TextTest, wanted: boolean): ValueTest {
  return (value) => {
    if (typeof value === 'string') return test(value) === wanted;
    if (Array.isArray(value)) return value.some((item: JsonValue) => testScalar(test, item)) === wanted;
    const text = scalarText(value);
    return text !== undefined && test(text) === wanted;
  };
}

function testScalar(test: TextTest, value: JsonValue): boolean {
  const text = scalarText(value);
  return text !== undefined && test(text);
}

function inList(needle: string): ValueTest {
  const parts = new Set(needle.split(',').map((part) => part.trim()));
  return ofText((text) => parts.has(text));
}

function hasElement(needle: string): ValueTest {
  const mayBeInText = !needle.includes(',');
  return (value) => {
    if (typeof value === 'string') return mayBeInText && isPart(value, needle);
    return Array.isArray(value) && value.some((item: JsonValue) => scalarText(item) === needle);
  };
}

/** Whether one of the comma-separated parts of the text is it, with or without the white space around it. */
function isPart(text: string, part: string): boolean {
  if (!text.includes(part)) return false;
  return text.split(',').some((candidate) => candidate === part || candidate.trim() === part);
}

const FALSE_TEXTS = new Set(['', 'false', 'none', 'null', '0']);

function isTrueText(text: string): boolean {
  return text.length > 5 || !FALSE_TEXTS.has(text.toLowerCase());
}

function sameTruth(wanted: boolean): ValueTest {
  return (value) => {
    if (typeof value === 'boolean') return value === wanted;
    if (typeof value === 'string') return isTrueText(value) === wanted;
    return isTrueValue(value) === wanted;
  };
}

function isTrueValue(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return isTrueText(scalarText(value) ?? '');
}
