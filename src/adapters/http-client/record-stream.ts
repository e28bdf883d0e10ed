import { DocumentFault, type DocumentPath, DocumentScanner } from '../../app/kernel/json/document-scanner.ts';
import { parseExact } from '../../app/kernel/json/exact-numbers.ts';
import { namesOfPath } from '../../app/kernel/json/member-path.ts';
import type { JsonValue } from '../../ports/index.ts';
import { type ContentHead, decode, decoderOf, emptyAnswer, isMarkup, markup } from './content.ts';
import { excerptOf } from './excerpt.ts';
import { LOST, RequestFailure } from './faults.ts';

/** The elements of one list of a JSON answer, a batch for each piece of it that completes some. */
export async function* recordsOf(
  body: AsyncIterable<Uint8Array>,
  path: string,
  head: ContentHead,
): AsyncGenerator<readonly JsonValue[], void, undefined> {
  const decoder = decoderOf(head.type);
  const list = new ListReader(path === '' ? [] : namesOfPath(path));
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
    if (records.length > 0) yield records;
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const message = `is answered with JSON that ${error.message}`;
    throw new RequestFailure(
      error.kind === 'cut' ? { ...LOST, message, passing: false } : { fault: 'content', message },
    );
  }
}

class ListReader {
  readonly #path: readonly string[];
  readonly #scanner: DocumentScanner;
  #records: JsonValue[] = [];
  #count = 0;
  #found: 'list' | 'object' | 'scalar' | undefined;

  constructor(path: readonly string[]) {
    this.#path = path;
    this.#scanner = new DocumentScanner({
      enter: (at, kind) => this.#enter(at, kind),
      element: (text, inexact) => this.#add(text, inexact),
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
    if (this.#found === 'list') return this.#records;
    throw missingList(this.#path.join('.'));
  }

  #enter(at: DocumentPath, kind: 'object' | 'list' | 'scalar'): 'descend' | 'elements' | 'skip' {
    if (!at.every((name, depth) => name === this.#path[depth])) return 'skip';
    if (at.length < this.#path.length) return kind === 'object' ? 'descend' : 'skip';
    if (at.length > this.#path.length) return 'skip';
    if (this.#found === 'list') throw new DocumentFault(`has the list ${this.#path.join('.')} twice`);
    this.#found = kind;
    return kind === 'list' ? 'elements' : 'skip';
  }

  #add(text: string, inexact: boolean): void {
    this.#count++;
    try {
      this.#records.push(parseExact(text, inexact) as JsonValue);
    } catch {
      throw new DocumentFault(`is not valid in record ${this.#count}`);
    }
  }
}

function missingList(path: string): RequestFailure {
  return new RequestFailure({
    fault: 'content',
    message:
      path === ''
        ? 'is answered with JSON that is no list'
        : `is answered with JSON without a list at ${path}; check that path`,
  });
}
