import { RE2JS } from 're2js';
import { define, type Parameters } from './call.ts';
import { isTrue } from './compare.ts';
import { fault } from './fault.ts';
import { writtenOut } from './pattern-size.ts';
import { countOf, expectText } from './plain-text.ts';
import type { Run } from './run.ts';
import { toText } from './text.ts';
import { tuple, type Value } from './value.ts';

const MAX_PATTERN_LENGTH = 1_000;
const MAX_PARTS = 2_000;
/** Parts of a pattern times characters of a text that one search may take: a tenth of a second at worst. */
const MAX_WORK = 1_000_000;
/** Amount of that work that costs as much as one step of a template. */
const WORK_A_STEP = 64;
const MAX_KNOWN = 500;
const known = new Map<string, RE2JS>();

interface Flags {
  readonly ignoreCase: Value | undefined;
  readonly multiline: Value | undefined;
}

/** RE2 has no look-around and no back-references; in exchange, each search takes linear time. */
function patternOf(run: Run, source: Value | undefined, { ignoreCase, multiline }: Flags): RE2JS {
  const text = expectText(source, 'the pattern');
  const isOn = (flag: Value | undefined): boolean => flag !== undefined && isTrue(run, flag);
  const flags = (isOn(ignoreCase) ? RE2JS.CASE_INSENSITIVE : 0) | (isOn(multiline) ? RE2JS.MULTILINE : 0);
  const key = `${flags} ${text}`;
  const compiled = known.get(key);
  if (compiled !== undefined) return compiled;
  if (text.length > MAX_PATTERN_LENGTH || writtenOut(text) > MAX_PARTS) throw fault('the pattern is too large');
  run.step(writtenOut(text));
  try {
    const made = RE2JS.compile(text, flags);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, made);
    return made;
  } catch (error) {
    throw fault(`the pattern does not compile: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

/** One match in a text: the whole, then its groups; groups that did not take part are `null`. */
type Match = { readonly start: number; readonly end: number; readonly groups: readonly (string | null)[] };

function* matchesOf(run: Run, pattern: RE2JS, text: string): Generator<Match> {
  const parts = pattern.programSize();
  if (parts * text.length > MAX_WORK) throw fault('the text is too long for a pattern of this size');
  const matcher = pattern.matcher(text);
  for (let from = 0; ; ) {
    // Each search may look at all that is left.
    run.step(1 + Math.ceil((parts * (text.length - from)) / WORK_A_STEP));
    if (!matcher.find()) return;
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? null);
    yield { start: matcher.start(), end: matcher.end(), groups };
    from = matcher.end();
  }
}

/** `\1`, `\g<1>` and `\g<name>` stand for groups, `\\` for itself, as Python has them. */
const REFERENCE = /\\(?:(\d{1,2})|g<(\w+)>|(\\|n|t))/g;

function groupOf(pattern: RE2JS, { groups }: Match, name: string): string {
  const index = /^\d+$/.test(name) ? Number(name) : pattern.namedGroups()[name];
  if (index === undefined || index >= groups.length) throw fault(`the pattern has no group '${name}'`);
  return groups[index] ?? '';
}

function expanded(pattern: RE2JS, match: Match, replacement: string): string {
  return replacement.replace(REFERENCE, (_, digits?: string, name?: string, sign?: string) => {
    if (sign !== undefined) return sign === 'n' ? '\n' : sign === 't' ? '\t' : '\\';
    return groupOf(pattern, match, digits ?? name ?? '');
  });
}

function replace(run: Run, value: Value, [source, replacement, ignoreCase, multiline, count]: Parameters): string {
  const text = toText(run, value);
  const pattern = patternOf(run, source, { ignoreCase, multiline });
  const fresh = replacement === undefined ? '' : toText(run, replacement);
  const most = countOf(count, 0, 'count');
  let made = '';
  let from = 0;
  let done = 0;
  for (const match of matchesOf(run, pattern, text)) {
    const piece = text.slice(from, match.start) + expanded(pattern, match, fresh);
    run.grown(made.length, piece.length);
    made += piece;
    from = match.end;
    if (most > 0 && ++done >= most) break;
  }
  run.grown(made.length, text.length - from);
  return made + text.slice(from);
}

/** Returns the first match, or the requested groups; an empty text if nothing matches. */
function search(
  run: Run,
  value: Value,
  all: { positional: readonly Value[]; named?: ReadonlyMap<string, Value> | undefined },
): Value {
  const [source, ...asked] = all.positional;
  const flags = { ignoreCase: all.named?.get('ignorecase'), multiline: all.named?.get('multiline') };
  const pattern = patternOf(run, source, flags);
  const [match] = matchesOf(run, pattern, toText(run, value));
  if (match === undefined) return '';
  if (asked.length === 0) return match.groups[0] ?? '';
  return asked.map((item) => {
    const [, digits, name] = /^\\(?:(\d+)|g<(\w+)>)$/.exec(expectText(item, 'a group')) ?? [];
    if (digits === undefined && name === undefined) throw fault("a group is written '\\\\1' or '\\\\g<name>'");
    return groupOf(pattern, match, digits ?? name ?? '');
  });
}

/** All that is found: texts, of a pattern with a group what that matched, with several a tuple of them. */
function findAll(run: Run, value: Value, [source, multiline, ignoreCase]: Parameters): Value {
  const pattern = patternOf(run, source, { ignoreCase, multiline });
  const found: Value[] = [];
  for (const { groups } of matchesOf(run, pattern, toText(run, value))) {
    const [whole, ...inner] = groups.map((text) => text ?? '');
    found.push(inner.length === 0 ? (whole ?? '') : inner.length === 1 ? (inner[0] ?? '') : tuple(inner));
  }
  return found;
}

export const REGEX_FILTERS = [
  define<Value>('regex_replace(pattern, replacement?, ignorecase?, multiline?, count?)', replace),
  define<Value>('regex_search(...)', (run, value, _items, all) => search(run, value, all)),
  define<Value>('regex_findall(pattern, multiline?, ignorecase?)', findAll),
];
