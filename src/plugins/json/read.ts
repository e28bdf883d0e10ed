import { DocumentFault, type DocumentHandler, DocumentScanner } from '../../app/kernel/json/document-scanner.ts';
import { parseExact } from '../../app/kernel/json/exact-numbers.ts';
import type { JsonValue, ReadContext, SourceFiles, SourceItem } from '../../ports/index.ts';
import { fileFault, shown, shownNames } from '../shared/file-source/fault.ts';
import { readText } from '../shared/file-source/read-text.ts';
import { listedRecord, recordOfName } from '../shared/records/object-record.ts';
import { locateList } from './locate-list.ts';
import type { JsonOptions } from './options.ts';

/** Reads a JSON file in batches of records, a chunk of the file each. Memory does not depend on the file's size. */
export async function* readJson(
  options: JsonOptions,
  files: SourceFiles,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  try {
    if (options.records === 'lines' && options.data_key !== undefined) {
      throw new DocumentFault('is read line by line, where data_key says nothing; remove it from the account');
    }
    const isList = options.records === 'list' && options.data_key === undefined;
    const found = isList ? await locateList(options, files, context) : [];
    const list = new ListReader(options, options.data_key ?? found.join('.'));
    for await (const text of readText(options, files, context)) {
      const items = list.push(text);
      if (items.length > 0) yield items;
    }
    const items = list.end();
    if (items.length > 0) yield items;
  } catch (error) {
    throw error instanceof DocumentFault ? fileFault(options.path, messageOf(error), error) : error;
  }
}

function messageOf({ kind, line, message }: DocumentFault): string {
  if (kind !== 'second') return message;
  return `contains more than one JSON document (JSON Lines? Then set records to lines) in line ${line}`;
}

/** Collects the records at a dotted path; the empty path is the document itself. */
class ListReader {
  readonly #options: JsonOptions;
  readonly #target: string;
  readonly #scanner: DocumentScanner;
  readonly #members: string[] = [];
  #items: SourceItem[] = [];
  #count = 0;
  /** How deep the object of records by name lies; none is. */
  #depth = Number.NaN;
  #found: 'list' | 'object' | 'scalar' | undefined;

  constructor(options: JsonOptions, target: string) {
    this.#options = options;
    this.#target = target;
    this.#scanner = new DocumentScanner({
      enter: (path, kind) => this.#enter(path.join('.'), path.length, kind),
      element: (text, inexact, name) => this.#add(text, inexact, name),
      takesMany: options.records === 'lines',
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
    const { records } = this.#options;
    if (records === 'lines' || this.#found === (records === 'by_name' ? 'object' : 'list')) return this.#items;
    const what = this.#found === undefined ? 'nothing' : records === 'by_name' ? 'no object' : 'no list';
    if (this.#target === '') throw new DocumentFault('is no object of records');
    const members = shownNames(this.#members);
    const list = members === undefined ? '' : `; its members: ${members}`;
    throw new DocumentFault(`has ${what} at data_key ${shown(this.#target)}${list}`);
  }

  #enter(path: string, depth: number, kind: 'object' | 'list' | 'scalar'): ReturnType<DocumentHandler['enter']> {
    const { records } = this.#options;
    if (records === 'lines') return 'element';
    if (records === 'by_name' && this.#isRecord(path, depth)) return 'element';
    if (depth === 1) this.#members.push(path);
    if (records === 'by_name' && path === this.#target && (depth > 0 || path === '')) {
      if (this.#found === 'object') throw new DocumentFault(`has several objects at ${shown(this.#target)}`);
      this.#found = kind;
      if (kind === 'object') this.#depth = depth;
      return 'descend';
    }
    if (path === this.#target && (depth > 0 || kind === 'list')) {
      if (this.#found === 'list') throw new DocumentFault(`has several lists at ${shown(this.#target)}`);
      this.#found = kind;
      return kind === 'list' ? 'elements' : 'skip';
    }
    return kind === 'object' && (depth === 0 || this.#target.startsWith(`${path}.`)) ? 'descend' : 'skip';
  }

  /** Whether the value is a member of the object at the target. */
  #isRecord(path: string, depth: number): boolean {
    return depth === this.#depth + 1 && (this.#target === '' || path.startsWith(`${this.#target}.`));
  }

  #add(text: string, inexact: boolean, name: string | undefined): void {
    const position = `record ${++this.#count}`;
    let element: JsonValue;
    try {
      element = parseExact(text, inexact) as JsonValue;
    } catch {
      // What the parser says quotes the text around the fault.
      throw new DocumentFault(`is not valid JSON in ${position}`);
    }
    this.#items.push(
      this.#options.records === 'by_name'
        ? recordOfName(name ?? '', element, this.#options)
        : listedRecord(element, position, this.#options),
    );
  }
}
