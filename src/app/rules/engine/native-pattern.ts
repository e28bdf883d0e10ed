/**
 * Translates the patterns that the platform's own engine runs in linear time: a sequence of characters and classes with
 * at most one part of variable length or choice of texts. With a single place to go back to, going back costs no more
 * than the pattern's length for each character. Everything else, and every spelling that the two engines might read
 * differently, gives `undefined` and stays with RE2. Native is six times as fast.
 */
export function nativePattern(source: string, options: { readonly ignoreCase: boolean }): RegExp | undefined {
  let rest = source.startsWith('^') ? source.slice(1) : source;
  let translated = '';
  let places = 0;
  while (rest !== '') {
    if (rest === '$') return new RegExp(`^${translated}$`, flags(options));
    // The text after the match does not matter, so a last `.*` is always satisfied.
    if (rest === '.*') break;
    const part = readPart(rest, options.ignoreCase);
    if (part === undefined) return undefined;
    translated += part.translated;
    places += part.variable ? 1 : 0;
    if (places > 1) return undefined;
    rest = rest.slice(part.length);
  }
  return new RegExp(`^${translated}`, flags(options));
}

function flags({ ignoreCase }: { readonly ignoreCase: boolean }): string {
  return ignoreCase ? 'iu' : 'u';
}

interface Part {
  readonly translated: string;
  /** How much of the source it took. */
  readonly length: number;
  readonly variable: boolean;
}

const QUANTIFIER = /^(?:[*+?]|\{\d{1,3}\}(?![?*+{])|\{\d{1,3},\d{0,3}\})\??/;
/** A second quantifier means something else, or nothing. */
const AFTER_QUANTIFIER = /^[*+?{]/;

function readPart(rest: string, ignoreCase: boolean): Part | undefined {
  const atom = readClass(rest, ignoreCase) ?? readChoice(rest) ?? readCharacter(rest);
  if (atom === undefined) return undefined;
  const [quantifier = ''] = QUANTIFIER.exec(rest.slice(atom.length)) ?? [];
  const length = atom.length + quantifier.length;
  if (AFTER_QUANTIFIER.test(rest.slice(length))) return undefined;
  if (quantifier !== '' && atom.variable) return undefined;
  const variable = atom.variable || (quantifier !== '' && !/^\{\d+\}$/.test(quantifier));
  return { translated: atom.translated + quantifier, length, variable };
}

const SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ['.', '[^\\n]'],
  ['\\d', '[0-9]'],
  ['\\w', '[0-9A-Za-z_]'],
  ['\\s', '[\\t\\n\\f\\r ]'],
  ['\\D', '[^0-9]'],
]);
/** Ranges and plain characters only; neither engine reads anything else into these. */
const CLASS = /^\[\^?(?:[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9A-Za-z_. ,:/@])+\]/;

function readClass(rest: string, ignoreCase: boolean): Part | undefined {
  const shorthand = rest.startsWith('\\') ? rest.slice(0, 2) : rest.slice(0, 1);
  const translated = SHORTHANDS.get(shorthand);
  // Ignoring case, the engines do not agree on which letters a negated class or `\w` has.
  if (translated !== undefined && !(ignoreCase && shorthand === '\\w')) {
    return { translated, length: shorthand.length, variable: false };
  }
  const [found] = CLASS.exec(rest) ?? [];
  if (found === undefined || (ignoreCase && /[A-Za-z]/.test(found))) return undefined;
  return { translated: found, length: found.length, variable: false };
}

const CHOICE = /^\((?:\?:)?([\w -]+(?:\|[\w -]+)*)\)/;

function readChoice(rest: string): Part | undefined {
  const [found, texts] = CHOICE.exec(rest) ?? [];
  if (found === undefined || texts === undefined) return undefined;
  return { translated: `(?:${texts})`, length: found.length, variable: true };
}

const CHARACTER = /^(?:[\w /:,;@#%&=<>~"'!-]|\\[.\-/_:@])/;

function readCharacter(rest: string): Part | undefined {
  const [found] = CHARACTER.exec(rest) ?? [];
  if (found === undefined) return undefined;
  const char = found.at(-1) ?? '';
  const translated = /\w/.test(char) ? char : `\\u{${char.charCodeAt(0).toString(16)}}`;
  return { translated, length: found.length, variable: false };
}
