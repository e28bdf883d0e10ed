import { WordedError, worded } from '../../kit/worded.ts';
import type { Wording } from '../../ports/index.ts';
import type { EngineName } from './options.ts';

/** A word outside of quotes and comments, in capitals, or a semicolon; and its position. */
export interface SqlWord {
  readonly word: string;
  readonly at: number;
}

/** A statement whose quotes or comments do not end, or that holds what servers of the kind execute although it looks like a comment. */
export class UnreadableSql extends WordedError {}

/** The beginning and end of a section whose words do not count. */
interface Quote {
  readonly begins: RegExp;
  /** Returns the pattern for the end, given the text at the beginning; matches that are not an end are skipped. */
  ends(begin: string): RegExp;
  readonly what: Wording;
  readonly mayEndWithText?: boolean;
}

const doubled = (mark: string): RegExp => new RegExp(`${mark}${mark}|(?<end>${mark})`, 'g');
const escaped = (mark: string): RegExp => new RegExp(`\\\\[\\s\\S]|${mark}${mark}|(?<end>${mark})`, 'g');

const TEXT: Quote = { begins: /'/y, ends: () => doubled("'"), what: worded`a text` };
const NAME: Quote = { begins: /"/y, ends: () => doubled('"'), what: worded`a quoted name` };
const TICKED: Quote = { begins: /`/y, ends: () => doubled('`'), what: worded`a quoted name` };
const BRACKETED: Quote = { begins: /\[/y, ends: () => /\]\]|(?<end>\])/g, what: worded`a name in brackets` };
const LINE: Quote = { begins: /--/y, ends: () => /(?<end>\n)/g, what: worded`a comment`, mayEndWithText: true };
const BLOCK: Quote = { begins: /\/\*/y, ends: () => /(?<end>\*\/)/g, what: worded`a comment` };

const QUOTES: Readonly<Record<EngineName, readonly Quote[]>> = {
  postgresql: [
    { begins: /\bE'/iy, ends: () => escaped("'"), what: worded`a text` },
    TEXT,
    NAME,
    {
      begins: /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy,
      ends: (begin) => new RegExp(`(?<end>${begin.replaceAll('$', '\\$')})`, 'gu'),
      what: worded`a text between dollars`,
    },
    LINE,
    BLOCK,
  ],
  mysql: [
    { ...TEXT, ends: () => escaped("'") },
    { ...NAME, ends: () => escaped('"'), what: worded`a text` },
    TICKED,
    { ...LINE, begins: /--(?=\s|$)|#/y },
    BLOCK,
  ],
  sqlite: [TEXT, NAME, TICKED, { ...BRACKETED, ends: () => /(?<end>\])/g }, LINE, { ...BLOCK, mayEndWithText: true }],
  mssql: [TEXT, NAME, BRACKETED, LINE, BLOCK],
};

const NESTED: ReadonlySet<EngineName> = new Set(['postgresql', 'mssql']);
const WORD = /[\p{L}_@#][\p{L}\p{N}_@#$]*/uy;

/** The words of a statement, as the engine reads it. */
export function sqlWords(text: string, engine: EngineName): readonly SqlWord[] {
  const words: SqlWord[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = QUOTES[engine].map((one) => begin(one, text, at)).find((found) => found !== undefined);
    if (quote !== undefined) {
      at = endOf(text, engine, quote);
      continue;
    }
    WORD.lastIndex = at;
    const [word] = WORD.exec(text) ?? [];
    if (word !== undefined) words.push({ word: word.toUpperCase(), at });
    else if (text[at] === ';') words.push({ word: ';', at });
    at += word?.length ?? 1;
  }
  return words;
}

interface Begun {
  readonly quote: Quote;
  readonly at: number;
  readonly begin: string;
}

function begin(quote: Quote, text: string, at: number): Begun | undefined {
  quote.begins.lastIndex = at;
  const [found] = quote.begins.exec(text) ?? [];
  return found === undefined ? undefined : { quote, at, begin: found };
}

function endOf(text: string, engine: EngineName, { quote, at, begin }: Begun): number {
  const isBlock = begin === '/*';
  if (isBlock && engine === 'mysql' && /^\/\*M?!/.test(text.slice(at, at + 4))) {
    throw new UnreadableSql(worded`holds /*! … */, which MySQL executes; write it without`);
  }
  const ends = isBlock && NESTED.has(engine) ? /\/\*|(?<end>\*\/)/g : quote.ends(begin);
  ends.lastIndex = at + begin.length;
  let depth = 1;
  for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
    if (found[0] === '/*') depth++;
    else if (found.groups?.end !== undefined && --depth === 0) return found.index + found[0].length;
  }
  if (quote.mayEndWithText === true) return text.length;
  throw new UnreadableSql(worded`does not end: ${{ what: quote.what }} is not closed`);
}
