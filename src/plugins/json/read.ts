import type { JsonValue, ReadContext, SourceFiles, SourceItem } from '../../ports/index.ts';
import { fileFault, shown, shownNames } from '../shared/file-source/fault.ts';
import { readText } from '../shared/file-source/read-text.ts';
import { listedRecord } from '../shared/records/object-record.ts';
import { DocumentFault, DocumentScanner } from './document-scanner.ts';
import { parseExact } from './exact-numbers.ts';
import { locateList } from './locate-list.ts';
import type { JsonOptions } from './options.ts';

/** Reads a JSON file in batches of records, a chunk of the file each. Memory does not depend on the file's size. */
export async function* readJson(
  options: JsonOptions,
  files: SourceFiles,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  try {
    const target = options.data_key ?? (await locateList(options, files, context)).join('.');
    const list = new ListReader(options, target);
    for await (const text of readText(options, files, context)) {
      const items = list.push(text);
      if (items.length > 0) yield items;
    }
    const items = list.end();
    if (items.length > 0) yield items;
  } catch (error) {
    throw error instanceof DocumentFault ? fileFault(options.path, error.message, error) : error;
  }
}

/** Collects the elements of the list at a dotted path; the empty path is the document itself. */
class ListReader {
  readonly #options: JsonOptions;
  readonly #target: string;
  readonly #scanner: DocumentScanner;
  readonly #members: string[] = [];
  #items: SourceItem[] = [];
  #count = 0;
  #found: 'list' | 'object' | 'scalar' | undefined;

  constructor(options: JsonOptions, target: string) {
    this.#options = options;
    this.#target = target;
    this.#scanner = new DocumentScanner({
      enter: (path, kind) => this.#enter(path.join('.'), path.length, kind),
      element: (text, inexact) => this.#add(text, inexact),
    });
  }

  push(text: string): SourceItem[] {
    this.#items = [];
    this.#scanner.push(text);
    return this.#items;
  }

  end(): SourceItem[] {
    this.#items = [];
    this.#scanner.end();
    if (this.#found === 'list') return this.#items;
    const what = this.#found === undefined ? 'nothing' : 'no list';
    const members = shownNames(this.#members);
    const list = members === undefined ? '' : `; its members: ${members}`;
    throw new DocumentFault(`has ${what} at data_key ${shown(this.#target)}${list}`);
  }

  #enter(path: string, depth: number, kind: 'object' | 'list' | 'scalar'): 'descend' | 'elements' | 'skip' {
    if (depth === 1) this.#members.push(path);
    if (path === this.#target && (depth > 0 || kind === 'list')) {
      if (this.#found === 'list') throw new DocumentFault(`has several lists at ${shown(this.#target)}`);
      this.#found = kind;
      return kind === 'list' ? 'elements' : 'skip';
    }
    return kind === 'object' && (depth === 0 || this.#target.startsWith(`${path}.`)) ? 'descend' : 'skip';
  }

  #add(text: string, inexact: boolean): void {
    const position = `record ${++this.#count}`;
    let element: JsonValue;
    try {
      element = parseExact(text, inexact) as JsonValue;
    } catch {
      // What the parser says quotes the text around the fault.
      throw new DocumentFault(`is not valid JSON in ${position}`);
    }
    this.#items.push(listedRecord(element, position, this.#options));
  }
}
