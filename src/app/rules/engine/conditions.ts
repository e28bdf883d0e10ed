import type { JsonValue } from '../../../ports/json.ts';
import { RuleCompileError, type RuleTemplate } from '../../../ports/rule-type.ts';
import { attributeLookup, dottedName, isPath } from './attribute-path.ts';
import type { Comparison, Condition } from './condition-document.ts';
import type { RuleMode } from './envelope.ts';
import type { HostState } from './host-state.ts';
import { AGE_OPERATORS, compileOperator, type Operator, type OperatorDeps, type ValueTest } from './operators.ts';
import { type Pattern, requireShort, weighedPattern } from './pattern.ts';

/** Only ages ask for the clock, and no name is one. */
const NEVER_ASKED = (): Date => new Date(0);
const NAME_DEPS: OperatorDeps = { pattern: (text) => weighedPattern(text).test, now: NEVER_ASKED };

export type ConditionTest = (host: HostState) => boolean;

/** A condition with the parts that explain its decision. */
export interface CompiledCondition {
  readonly source: Condition;
  /** Also remembers the first attribute that satisfied a condition of the rule. */
  readonly test: ConditionTest;
  /** The text the value is compared with on this host; `undefined` when its template failed or there is no value. */
  needle(host: HostState): string | undefined;
  /** Attributes that satisfy the name comparison. */
  candidates(host: HostState): Iterable<readonly [string, JsonValue]>;
}

/** Number of names or needles after which the memory of a comparison is cleared. */
const MAX_MEMORY = 10_000;
const MAX_COMPILED_NEEDLES = 200;

export interface ConditionCompiler {
  template(text: string): RuleTemplate;
  /** The clock; a condition that asks for it depends on the time. */
  clock(): () => Date;
}

/** Throws `RuleCompileError` for a pattern or template that does not compile. */
export function compileCondition(condition: Condition, compiler: ConditionCompiler): CompiledCondition {
  switch (condition.kind) {
    case 'host':
      return hostCondition(condition, condition.hostname);
    case 'absent':
      return absentCondition(condition, condition.name);
    case 'attribute':
      return attributeCondition(condition, condition, compiler);
  }
}

/** Whether a rule of these conditions hits. */
export function compileMatch(mode: RuleMode, conditions: readonly CompiledCondition[]): ConditionTest {
  const tests = conditions.map(({ test }) => test);
  if (mode === 'anyway') return () => true;
  const [first, second] = tests;
  if (first === undefined) return () => mode === 'all';
  if (second === undefined) return first;
  if (tests.length === 2) {
    return mode === 'all' ? (host) => first(host) && second(host) : (host) => first(host) || second(host);
  }
  const wanted = mode === 'any';
  return (host) => {
    for (const test of tests) if (test(host) === wanted) return wanted;
    return !wanted;
  };
}

function hostCondition(source: Condition, { operator, needle, negate }: Comparison): CompiledCondition {
  // Hostnames compare in lower case. A pattern cannot be lowered (`\S` is not `\s`), so it ignores case instead.
  const lowered = operator === 'regex' ? needle : needle.toLowerCase();
  const holds = compileOperator(operator, lowered, {
    ...NAME_DEPS,
    pattern: (text) => weighedPattern(text, { ignoreCase: true }).test,
  });
  const weight = operator === 'regex' ? weighedPattern(lowered, { ignoreCase: true }).weight : 0;
  return {
    source,
    test: (host) => {
      weigh(host.lowerHostname, weight, host);
      return holds(host.lowerHostname) !== negate;
    },
    needle: () => lowered,
    candidates: () => [],
  };
}

function absentCondition(source: Condition, name: string): CompiledCondition {
  const lookup = hostLookup(name);
  return {
    source,
    test: (host) => lookup(host) === undefined,
    needle: () => undefined,
    candidates: (host) => exactCandidates(name, lookup, host),
  };
}

function attributeCondition(
  source: Condition,
  { name, value }: { readonly name: Comparison; readonly value: Comparison },
  compiler: ConditionCompiler,
): CompiledCondition {
  const template = isTemplate(value.needle) ? compiler.template(value.needle) : undefined;
  const constant = template === undefined ? value.needle : template.constant;
  const now = AGE_OPERATORS.has(value.operator) ? compiler.clock() : NEVER_ASKED;
  const test = constant === undefined ? renderedTest(value, template, now) : constantTest(value, constant, now);
  const cost = constant === undefined ? COUNTED_ELSEWHERE : costOf(value, constant);
  const needle = (host: HostState) => constant ?? template?.render(host);
  if (name.operator === 'equal' && !name.negate) {
    const lookup = hostLookup(name.needle);
    return {
      source,
      test: exactTest(name.needle, lookup, test, cost),
      needle,
      candidates: (host) => exactCandidates(name.needle, lookup, host),
    };
  }
  const fits = nameTest(name);
  return { source, test: someTest(fits, test, cost), needle, candidates: (host) => namedCandidates(fits, host) };
}

/** `undefined` on the second argument's side of the table never gets here: absent attributes satisfy nothing. */
type HostValueTest = (value: JsonValue, host: HostState) => boolean;

function constantTest({ operator, negate }: Comparison, needle: string, now: () => Date): HostValueTest {
  if (operator === 'ignore') return () => !negate;
  const holds = compileOperator(operator, needle, { ...NAME_DEPS, now });
  return negate ? (value) => !holds(value) : holds;
}

/** These may look at every character of a value; the others know at once, however long it is. */
const LOOKS_AT_ALL: ReadonlySet<Operator> = new Set(['regex', 'in', 'not_in', 'swith', 'ewith', 'string_in_list']);
/** Shorter texts cost less than counting them, unless a pattern looks at them. */
const LONG_TEXT = 4_096;
const LONG_LIST = 64;
/** Steps counted for looking at one attribute, since short values are not counted by themselves. */
const ATTRIBUTE_STEPS = 64;
/** Characters that plain comparisons look at in the time of one step. */
const PLAIN_SPEED = 8;

/**
 * The cost of comparing a value apart from the comparison itself: one more call for each would cost a tenth of all evaluation.
 */
interface Cost {
  /** Steps a character of a pattern takes, 0 for plain comparisons. */
  readonly weight: number;
  /** Characters that are compared without being counted. */
  readonly free: number;
  readonly looksAtLists: boolean;
}

const COUNTED_ELSEWHERE: Cost = { weight: 0, free: Number.POSITIVE_INFINITY, looksAtLists: false };

function costOf({ operator }: Comparison, needle: string): Cost {
  if (!LOOKS_AT_ALL.has(operator)) return COUNTED_ELSEWHERE;
  const weight = operator === 'regex' ? weighedPattern(needle).weight : 0;
  return { weight, free: weight === 0 ? LONG_TEXT : Math.floor(LONG_TEXT / weight), looksAtLists: true };
}

/** Tells the meter what it costs to compare the value, and refuses what costs too much. */
function weigh(value: JsonValue, weight: number, { meter }: HostState): void {
  if (typeof value === 'string') {
    requireShort(value.length, weight);
    meter.spend(weight > 0 ? value.length * weight : value.length / PLAIN_SPEED);
  } else if (Array.isArray(value) && value.length > LONG_LIST) {
    let characters = 0;
    for (const item of value) characters += typeof item === 'string' ? item.length : PLAIN_SPEED;
    meter.spend(characters / PLAIN_SPEED);
  }
}

/** A needle that depends on the host. When its template fails, the comparison cannot be made. */
function renderedTest(
  { operator, negate }: Comparison,
  template: RuleTemplate | undefined,
  now: () => Date,
): HostValueTest {
  if (operator === 'ignore') return () => !negate;
  const compiled = new Map<string, { readonly holds: ValueTest; readonly weight: number }>();
  return (value, host) => {
    const needle = template?.render(host);
    if (needle === undefined) return negate;
    let test = compiled.get(needle);
    if (test === undefined) {
      const pattern = operator === 'regex' ? lenientPattern(needle, host) : undefined;
      const deps = { pattern: () => pattern?.test ?? NEVER, now };
      const holds = lenient(() => compileOperator(operator, needle, deps), host) ?? NEVER;
      test = { holds, weight: pattern?.weight ?? 0 };
      if (compiled.size >= MAX_COMPILED_NEEDLES) compiled.clear();
      compiled.set(needle, test);
    }
    weigh(value, test.weight, host);
    return test.holds(value) !== negate;
  };
}

const NEVER = (): boolean => false;
/** Steps that compiling one part of a pattern costs. */
const COMPILE_STEPS = 500;

function lenientPattern(text: string, host: HostState): Pattern | undefined {
  const pattern = lenient(() => weighedPattern(text), host);
  if (pattern !== undefined) host.meter.spend(pattern.weight * COMPILE_STEPS);
  return pattern;
}

/** Reports a rendered needle that does not compile; the comparison cannot be made then. */
function lenient<T>(compile: () => T, host: HostState): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof RuleCompileError)) throw error;
    host.report(error.message);
    return undefined;
  }
}

type HostLookup = (host: HostState) => JsonValue | undefined;

/** Reads the attribute of a name, or the object that nested labels of the host are members of. */
function hostLookup(name: string): HostLookup {
  if (!isPath(name)) {
    return (host) => {
      const value = host.attributes.get(name);
      return value === undefined ? host.object(name) : value;
    };
  }
  const lookup = attributeLookup(name);
  const dotted = dottedName(name);
  return (host) => {
    const value = lookup(host.attributes);
    return value === undefined ? host.object(dotted) : value;
  };
}

function exactTest(name: string, lookup: HostLookup, test: HostValueTest, cost: Cost): ConditionTest {
  const { weight, free, looksAtLists } = cost;
  if (!isPath(name)) {
    // The same as below, for most conditions there are: a call less for each.
    return (host) => {
      let value = host.attributes.get(name);
      if (value === undefined) value = host.object(name);
      if (value === undefined) return false;
      if (typeof value === 'string' ? value.length > free : looksAtLists) weigh(value, weight, host);
      return test(value, host) && remember(host, name, value);
    };
  }
  return (host) => {
    const value = lookup(host);
    if (value === undefined) return false;
    if (typeof value === 'string' ? value.length > free : looksAtLists) weigh(value, weight, host);
    return test(value, host) && remember(host, name, value);
  };
}

function someTest(fits: NameTest, test: HostValueTest, cost: Cost): ConditionTest {
  const { weight, free, looksAtLists } = cost;
  return (host) => {
    host.meter.spend(host.attributes.size * ATTRIBUTE_STEPS);
    for (const [name, value] of host.attributes) {
      if (!fits(name, host)) continue;
      if (typeof value === 'string' ? value.length > free : looksAtLists) weigh(value, weight, host);
      if (test(value, host)) return remember(host, name, value);
    }
    return false;
  };
}

function remember(host: HostState, name: string, value: JsonValue): true {
  if (host.matchingTag === undefined) {
    host.matchingTag = name;
    host.matchingValue = value;
  }
  return true;
}

type NameTest = (name: string, host: HostState) => boolean;

/** The same few names come with every host, so that each is compared once. */
function nameTest({ operator, needle, negate }: Comparison): NameTest {
  if (operator === 'ignore') return () => !negate;
  const holds = compileOperator(operator, needle, NAME_DEPS);
  const weight = operator === 'regex' ? weighedPattern(needle).weight : 0;
  const known = new Map<string, boolean>();
  return (name, host) => {
    let result = known.get(name);
    if (result === undefined) {
      weigh(name, weight, host);
      result = holds(name) !== negate;
      if (known.size >= MAX_MEMORY) known.clear();
      known.set(name, result);
    }
    return result;
  };
}

function* exactCandidates(name: string, lookup: HostLookup, host: HostState): Iterable<readonly [string, JsonValue]> {
  const value = lookup(host);
  if (value !== undefined) yield [name, value];
}

function* namedCandidates(fits: NameTest, host: HostState): Iterable<readonly [string, JsonValue]> {
  for (const entry of host.attributes) if (fits(entry[0], host)) yield entry;
}

export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('{#');
}
