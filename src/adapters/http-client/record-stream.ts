import { DocumentFault, type DocumentPath, DocumentScanner } from '../../kit/json/document-scanner.ts';
import type { SeenJson } from '../../kit/json/exact-numbers.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { memberPath, namesOfPath } from '../../kit/json/member-path.ts';
import { textOf } from '../../kit/records/whole-list.ts';
import { worded } from '../../kit/worded.ts';
import type { HttpLines, HttpRest, JsonValue, Wording } from '../../ports/index.ts';
import { type ContentHead, decode, decoderOf, emptyAnswer, isMarkup, markup } from './content.ts';
import { excerptOf } from './excerpt.ts';
import { LOST, RequestFailure } from './faults.ts';
import { withMember } from './member-at.ts';

/**
 * Yields the elements of one list of a JSON answer, a batch for each piece of it that completes some, and in the end the members
 * next to the list. Without a path, the list is the answer itself, or the only list in it.
 */
export async function* recordsOf(
  body: AsyncIterable<Uint8Array>,
  path: string | HttpLines | undefined,
  head: ContentHead,
  /** Throws for a document that reports an error. */
  check: (document: JsonValue) => void = () => undefined,
): AsyncGenerator<readonly JsonValue[], Pick<HttpRest, 'value' | 'list'>, undefined> {
  const decoder = decoderOf(head.type);
  const list = readerOf(path);
  let isBegun = false;
  try {
    for await (const piece of body) {
      const text = decode(decoder, piece, true);
      if (!isBegun && text.trim() !== '') {
        if (isMarkup(text, head.type)) throw markup(excerptOf(text, head.mask));
        isBegun = true;
      }
      const records = list.push(text);
      if (records.length > 0) yield records;
    }
    if (!isBegun) throw emptyAnswer();
    const records = list.end(decode(decoder, undefined, false));
    check(list.document);
    if (list.missing !== undefined) throw withWords(list.missing, list.document, head.mask);
    if (records.length > 0) yield records;
    return { value: list.rest, list: list.path };
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const message = worded`is answered with text that ${{ problem: error.said }}`;
    throw new RequestFailure(
      error.kind === 'cut' ? { ...LOST, message, passing: false } : { fault: 'content', message },
    );
  }
}

function readerOf(path: string | HttpLines | undefined): ListReader | OnlyListReader | LinesReader {
  if (path === undefined) return new OnlyListReader();
  return typeof path === 'object' ? new LinesReader() : new ListReader(path === '' ? [] : namesOfPath(path));
}

/** Each line is a document, and an element. */
class LinesReader {
  readonly rest: JsonValue = {};
  readonly path = '';
  readonly missing = undefined;
  readonly document: JsonValue = {};
  #records: JsonValue[] = [];
  #count = 0;
  readonly #scanner = new DocumentScanner({
    enter: () => 'element',
    element: (text, seen) => this.#records.push(this.#scanner.value(text, seen, called(++this.#count))),
    takesMany: true,
  });

  push(text: string): readonly JsonValue[] {
    this.#records = [];
    this.#scanner.push(text);
    return this.#records;
  }

  end(rest: string): readonly JsonValue[] {
    this.push(rest);
    this.#scanner.end();
    return this.#records;
  }
}

/**
 * Number of small pieces kept from around the list: scalars, and the first elements of other lists. Many are kept next to the
 * list and its parents, which tell whether there is more; few deeper down, as facets are.
 */
const MOST_PIECES = 1_000;
const MOST_DEEP_PIECES = 100;
const NEAR = 2;
const MOST_ELEMENTS = 10;
const MOST_DEPTH = 4;
const MOST_LENGTH = 64 * 1024;

class ListReader {
  /** The document without its list. */
  rest: JsonValue = {};
  readonly #path: readonly string[];
  readonly #scanner: DocumentScanner;
  #records: JsonValue[] = [];
  #count = 0;
  #found: 'list' | 'object' | 'scalar' | undefined;
  /** The list whose elements come. */
  #inside: 'records' | { readonly at: string; readonly elements: JsonValue[] } | { readonly at: string } = 'records';
  #pieces = 0;
  #deepPieces = 0;

  constructor(path: readonly string[]) {
    this.#path = path;
    this.#scanner = new DocumentScanner({
      enter: (at, kind) => this.#enter(at, kind),
      element: (text, seen) => this.#add(text, seen),
    });
  }

  push(text: string): readonly JsonValue[] {
    this.#records = [];
    this.#scanner.push(text);
    return this.#records;
  }

  end(rest: string): readonly JsonValue[] {
    this.#records = [];
    this.#scanner.push(rest);
    this.#scanner.end();
    return this.#records;
  }

  get path(): string {
    return memberPath(this.#path);
  }

  get document(): JsonValue {
    return this.rest;
  }

  get missing(): RequestFailure | undefined {
    return this.#found === 'list' ? undefined : missingList(this.#path.join('.'));
  }

  #enter(at: DocumentPath, kind: 'object' | 'list' | 'scalar'): 'descend' | 'elements' | 'element' | 'skip' {
    const isOnPath = at.length <= this.#path.length && at.every((name, depth) => name === this.#path[depth]);
    if (!isOnPath) return this.#beside(at, kind);
    if (at.length < this.#path.length) return kind === 'object' ? 'descend' : this.#beside(at, kind);
    if (this.#found === 'list') throw new DocumentFault(worded`has the list ${{ path: this.#path.join('.') }} twice`);
    this.#found = kind;
    this.#inside = 'records';
    return kind === 'list' ? 'elements' : this.#beside(at, kind);
  }

  #beside(at: DocumentPath, kind: 'object' | 'list' | 'scalar'): 'descend' | 'elements' | 'element' | 'skip' {
    if (at.length === 0 || at.length > this.#path.length + MOST_DEPTH) return 'skip';
    const isDeep = at.length > NEAR && at.length > this.#path.length;
    if (isDeep ? ++this.#deepPieces > MOST_DEEP_PIECES : ++this.#pieces > MOST_PIECES) return 'skip';
    if (kind === 'object') return 'descend';
    const path = memberPath(at.map(String));
    this.#inside = kind === 'list' ? { at: path, elements: [] } : { at: path };
    if (kind === 'list') this.rest = withMember(this.rest, path, []);
    return kind === 'list' ? 'elements' : 'element';
  }

  #add(text: string, seen: SeenJson): void {
    const inside = this.#inside;
    if (inside === 'records') this.#records.push(this.#scanner.value(text, seen, called(++this.#count)));
    else this.#keep(inside, text, seen);
  }

  #keep(inside: { readonly at: string; readonly elements?: JsonValue[] }, text: string, seen: SeenJson): void {
    const { at, elements } = inside;
    if (text.length > MOST_LENGTH || (elements !== undefined && elements.length >= MOST_ELEMENTS)) return;
    const value = this.#scanner.value(text, seen, called('member'));
    if (elements === undefined) this.rest = withMember(this.rest, at, value);
    else {
      elements.push(value);
      this.rest = withMember(this.rest, at, [...elements]);
    }
  }
}

/** Reads a list as it comes, and an object as a whole, because which of its members is the list shows in the end. */
class OnlyListReader {
  rest: JsonValue = {};
  path = '';
  missing: RequestFailure | undefined;
  readonly #scanner: DocumentScanner;
  #records: JsonValue[] = [];
  #count = 0;
  #isList = false;
  /** The whole document, unless it is a list. */
  document: JsonValue = {};

  constructor() {
    this.#scanner = new DocumentScanner({
      enter: (_at, kind) => {
        this.#isList = kind === 'list';
        return this.#isList ? 'elements' : 'element';
      },
      element: (text, seen) => {
        this.#count++;
        const value = this.#scanner.value(text, seen, called(this.#isList ? this.#count : 'document'));
        if (this.#isList) this.#records.push(value);
        else this.document = value;
      },
    });
  }

  push(text: string): readonly JsonValue[] {
    this.#records = [];
    this.#scanner.push(text);
    return this.#records;
  }

  end(rest: string): readonly JsonValue[] {
    this.#records = [];
    this.#scanner.push(rest);
    this.#scanner.end();
    const { document } = this;
    if (this.#isList || !isJsonObject(document)) {
      if (!this.#isList) this.missing = missingList('');
      return this.#records;
    }
    const lists = Object.entries(document).filter(([, value]) => Array.isArray(value));
    const [list, second] = lists;
    this.rest = document;
    if (list === undefined || second !== undefined) {
      this.missing = unclearList(document, lists);
      return [];
    }
    this.path = memberPath([list[0]]);
    this.rest = Object.fromEntries(Object.entries(document).filter(([name]) => name !== list[0]));
    return list[1] as readonly JsonValue[];
  }
}

const WORDS = ['error', 'errors', 'error_description', 'message', 'msg', 'detail', 'reason', 'exception'] as const;

/** Adds what a document without a list says: many systems report an error with status 200. */
function withWords(missing: RequestFailure, document: JsonValue, mask: ContentHead['mask']): RequestFailure {
  const values = isJsonObject(document) ? WORDS.map((name) => document[name]) : [];
  const found = values.find((value) => value !== undefined && value !== null && textOf(value) !== '');
  const said = found === undefined ? '' : excerptOf(textOf(found), mask);
  if (said === '') return missing;
  const { failure } = missing;
  return new RequestFailure({ ...failure, message: worded`${{ problem: failure.message }}; it says: ${{ said }}` });
}

function called(value: number | 'member' | 'document'): Wording {
  if (value === 'member') return worded`a member`;
  return value === 'document' ? worded`the document` : worded`record ${{ number: String(value) }}`;
}

function missingList(path: string): RequestFailure {
  return new RequestFailure({
    fault: 'content',
    message:
      path === ''
        ? worded`is answered with JSON that is not a list`
        : worded`is answered with JSON without a list at ${{ path }}; check that path`,
  });
}

/** Names of members are not secret, if they look like names. */
function unclearList(
  document: Readonly<Record<string, unknown>>,
  lists: readonly (readonly [string, unknown])[],
): RequestFailure {
  const names = lists.length === 0 ? Object.keys(document) : lists.map(([name]) => name);
  const shown = names.filter((name) => /^[A-Za-z@$_][\w@.$-]{0,40}$/.test(name)).slice(0, 10);
  const members = shown.join(', ');
  const what = lists.length === 0 ? worded`no list among its members` : worded`several lists`;
  const found = members === '' ? what : worded`${{ what }} (${{ members }})`;
  const areNamed =
    lists.length === 0 && Object.values(document).filter((value) => isJsonObject(value as JsonValue)).length > 1;
  return new RequestFailure({
    fault: 'content',
    message: areNamed
      ? worded`is answered with JSON that has ${{ found }}, but objects; give the path of the list of records, or set records to by_name if these are the hosts by name`
      : worded`is answered with JSON that has ${{ found }}; give the path of the list of records`,
  });
}
