import { RE2JS } from 're2js';
import { writtenOut } from '../../../jinja/pattern-size.ts';
import { RuleCompileError } from '../../../ports/rule-type.ts';
import type { TextTest } from './case-fold.ts';
import { nativePattern } from './native-pattern.ts';
import { RuleLimitError } from './rule-meter.ts';

const MAX_PATTERN_LENGTH = 10_000;
/** Limit on the parts of a pattern when its repetitions are written out. Compiling 20,000 takes a tenth of a second. */
const MAX_PARTS = 20_000;
/**
 * Parts of a pattern times characters of a text. Linear time has a factor: the worst patterns we found take 160 ns a step,
 * which makes 0.8 seconds; ordinary ones take 1 ns or less.
 */
const MAX_STEPS = 5_000_000;
/** Parts that the platform's engine compares in the time of one of RE2. */
const NATIVE_SPEED = 64;

/** A compiled pattern and how many steps it takes a character at most. */
export interface Pattern {
  /** The caller must have checked with `requireShort` that the text is not too long. */
  readonly test: TextTest;
  readonly weight: number;
}

/** Throws `RuleLimitError` for a text that is too long for a pattern of this weight. */
export function requireShort(characters: number, weight: number): void {
  if (characters * weight <= MAX_STEPS) return;
  const longest = Math.floor(MAX_STEPS / weight);
  throw new RuleLimitError(
    `the text has ${characters} characters; for a pattern of this size at most ${longest} are allowed`,
  );
}

/** More patterns than installations have; the memory is cleared beyond this. */
const MAX_KNOWN = 2_000;
const known = new Map<string, Pattern>();

/**
 * RE2 syntax, linear time; matches from the start of the text. Throws `RuleCompileError`. A pattern is compiled once: rules
 * repeat each other's, they are checked when they are imported, and one changed rule compiles all of them again.
 */
export function compilePattern(source: string, options: { readonly ignoreCase?: boolean } = {}): TextTest {
  const { test, weight } = weighedPattern(source, options);
  return (text) => {
    requireShort(text.length, weight);
    return test(text);
  };
}

/** The same with its weight, for those who count what it costs. */
export function weighedPattern(source: string, options: { readonly ignoreCase?: boolean } = {}): Pattern {
  const key = `${options.ignoreCase ? 'i' : 'c'}${source}`;
  let pattern = known.get(key);
  if (pattern === undefined) {
    pattern = compileTest(source, options);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, pattern);
  }
  return pattern;
}

function compileTest(source: string, options: { readonly ignoreCase?: boolean }): Pattern {
  const flags = options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  const whole = compile(source, flags);
  const native = nativePattern(source, { ignoreCase: options.ignoreCase ?? false });
  if (native !== undefined)
    return { test: (text) => native.test(text), weight: Math.ceil(source.length / NATIVE_SPEED) };
  const weight = whole.programSize();
  // An anchored search is more than twice as fast as `lookingAt` (0.2 against 0.5 µs). An open `\Q` swallows the bracket.
  try {
    const anchored = RE2JS.compile(`^(?:${source})`, flags);
    return { test: (text) => anchored.test(text), weight };
  } catch {
    return { test: (text) => whole.matcher(text).lookingAt(), weight };
  }
}

function compile(source: string, flags: number): RE2JS {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new RuleCompileError(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  if (writtenOut(source) > MAX_PARTS) {
    throw new RuleCompileError(`the pattern repeats too much: written out it has more than ${MAX_PARTS} parts`);
  }
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    throw new RuleCompileError(
      `the pattern does not compile: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}
