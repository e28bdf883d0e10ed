import { RE2JS } from 're2js';
import { RuleCompileError } from '../../../ports/rule-type.ts';
import type { TextTest } from './case-fold.ts';

const MAX_PATTERN_LENGTH = 10_000;

/** RE2 syntax, linear time; matches from the start of the text. Throws `RuleCompileError`. */
export function compilePattern(source: string, options: { readonly ignoreCase?: boolean } = {}): TextTest {
  const flags = options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  const whole = compile(source, flags);
  if (!options.ignoreCase) {
    const literal = literalTest(source);
    if (literal !== undefined) return literal;
  }
  // An anchored search is more than twice as fast as `lookingAt` (0.2 against 0.5 µs). An open `\Q` swallows the bracket.
  try {
    const anchored = RE2JS.compile(`^(?:${source})`, flags);
    return (text) => anchored.test(text);
  } catch {
    return (text) => whole.matcher(text).lookingAt();
  }
}

function compile(source: string, flags: number): RE2JS {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new RuleCompileError(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    throw new RuleCompileError(
      `the pattern does not compile: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}

const LITERAL = String.raw`(?:[\w /:,;@#%&=<>~"'!-]|\\[.\-/_:@])+`;
const LITERALS = new RegExp(String.raw`^\^?(?:(${LITERAL})|\((?:\?:)?(${LITERAL}(?:\|${LITERAL})+)\))((?:\.\*)?\$?)$`);

/**
 * Most patterns of the field are a fixed text, or a choice of some, with or without `.*` and `$` around. Comparing texts
 * is linear and ten times as fast. Only spellings whose meaning needs no engine get here.
 */
function literalTest(source: string): TextTest | undefined {
  const match = LITERALS.exec(source);
  if (match === null) return undefined;
  const [, single, choice, end] = match;
  const texts = (single === undefined ? (choice ?? '').split('|') : [single]).map((text) => text.replaceAll('\\', ''));
  // `.*$` needs the rest to be free of line ends.
  if (end === '.*$') return undefined;
  if (end === '$') return equalsOne(texts);
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return (text) => text.startsWith(only);
  return (text) => {
    for (const candidate of texts) if (text.startsWith(candidate)) return true;
    return false;
  };
}

function equalsOne(texts: readonly string[]): TextTest {
  const set = new Set(texts);
  return (text) => set.has(text);
}
