import { shown, shownNames } from '../../kit/file-source/fault.ts';
import {
  DocumentFault,
  type DocumentHandler,
  type DocumentPath,
  DocumentScanner,
} from '../../kit/json/document-scanner.ts';
import { NamedRows } from '../../kit/records/named-rows.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { isAtPath, leadsOn, pathText, stepsIntoLists } from '../../kit/records/record-path.ts';
import { maySpeak, WholeList } from '../../kit/records/whole-list.ts';
import { worded } from '../../kit/worded.ts';
import type { JsonValue, SourceItem, Wording } from '../../ports/index.ts';
import type { JsonOptions } from './options.ts';

type Kind = 'object' | 'list' | 'scalar';
type Action = ReturnType<DocumentHandler['enter']>;

export interface RecordReaderParts {
  /** The path of the records. */
  readonly target: string;
  readonly maker: RecordMaker;
  /** The name that the file gives to a host. */
  readonly host: string;
}

/** Collects the records at a path as the document comes; the empty path is the document itself. */
export class RecordReader {
  readonly #options: Pick<JsonOptions, 'records' | 'ignored_members'>;
  readonly #parts: RecordReaderParts;
  readonly #target: string;
  readonly #scanner: DocumentScanner;
  /** Members next to the records, which indicate whether the records are complete. */
  readonly whole: WholeList;
  /** The path of the current such member. */
  #beside: DocumentPath = [];
  readonly #members: string[] = [];
  #items: SourceItem[] = [];
  count = 0;
  /** The depth of the object of records by name; NaN if there is none. */
  #depth = Number.NaN;
  #found: Kind | undefined;
  /** The handler for elements. */
  #take: DocumentHandler['element'];
  /** Lists on the way to the records that have no element yet. */
  #emptyLists = 0;
  /** The last start of the containers at each path, as indexes in the surrounding lists. */
  readonly #rows = new NamedRows();
  readonly #places = new Map<string, readonly number[]>();

  constructor(options: Pick<JsonOptions, 'records' | 'ignored_members'>, parts: RecordReaderParts) {
    this.#options = options;
    this.#parts = parts;
    this.#target = parts.target;
    this.whole = new WholeList(options.ignored_members, parts.target);
    this.#take = this.#add;
    this.#scanner = new DocumentScanner({
      enter: (path, kind) => this.#enter(path, kind),
      element: (text, seen, name) => this.#take(text, seen, name),
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
    const isFound = this.#found === (records === 'by_name' ? 'object' : 'list') || this.#emptyLists > 0;
    if (records === 'lines' || isFound || (records === 'document' && this.count > 0)) {
      return [...this.#items, ...this.whole.failures()];
    }
    throw this.#missing(this.#found === undefined ? worded`nothing` : nothingOf(records));
  }

  #missing(what: Wording): DocumentFault {
    if (this.#target === '') return new DocumentFault(worded`is not an object of records`);
    const problem = worded`has ${{ what }} at data_key ${{ path: shown(this.#target) }}`;
    const members = shownNames(this.#members);
    return new DocumentFault(members === undefined ? problem : worded`${{ problem }}; its members: ${{ members }}`);
  }

  #enter(path: DocumentPath, kind: Kind): Action {
    const { records } = this.#options;
    if (records === 'lines') return 'element';
    const place = pathText(path);
    if (records === 'by_name' && this.#isRecord(place, path.length)) {
      // A host has members; what has none and is called so speaks of the list.
      if (kind !== 'object' && this.#maySpeak(path, kind)) return this.#taking(this.#note, 'element');
      return this.#taking(this.#add, 'element');
    }
    if (path.length === 1) this.#members.push(place);
    if (path.at(-1) === 0) this.#emptyLists--;
    if (records === 'document' && place === this.#target) return this.#taking(this.#add, 'element');
    if (records === 'by_name' ? this.#isNamed(path, place) : this.#isTarget(path, place, kind)) {
      return this.#enterRecords(path, place, kind);
    }
    if (!leadsOn(place, this.#target, kind)) {
      return this.#maySpeak(path, kind) ? this.#taking(this.#note, 'element') : 'skip';
    }
    if (kind === 'scalar') return this.#taking(this.#passNull, 'element');
    if (kind === 'list') this.#enterList(path, place);
    return 'descend';
  }

  /** Whether the value is a member of the object at the target. */
  #isRecord(place: string, depth: number): boolean {
    return depth === this.#depth + 1 && (this.#target === '' || place.startsWith(`${this.#target}.`));
  }

  /** Whether the value is the object of records by name. */
  #isNamed(path: DocumentPath, place: string): boolean {
    return place === this.#target && (path.length > 0 || place === '');
  }

  #isTarget(path: DocumentPath, place: string, kind: Kind): boolean {
    return (
      this.#options.records !== 'document' && isAtPath(place, this.#target) && (path.length > 0 || kind === 'list')
    );
  }

  #enterRecords(path: DocumentPath, place: string, kind: Kind): Action {
    const isNamed = this.#options.records === 'by_name';
    const wanted = isNamed ? 'object' : 'list';
    if (stepsIntoLists(this.#target)) {
      if (kind === 'scalar') return this.#taking(this.#requireNull, 'element');
      if (kind !== wanted) throw this.#missing(nothingOf(this.#options.records));
      this.#requireFirst(path, place);
    } else if (this.#found === wanted) throw this.#several();
    this.#found = kind;
    if (isNamed) {
      if (kind === 'object') this.#depth = path.length;
      return 'descend';
    }
    return kind === 'list' ? this.#taking(this.#add, 'elements') : 'skip';
  }

  #enterList(path: DocumentPath, place: string): void {
    this.#requireFirst(path, place);
    this.#emptyLists++;
  }

  /** If an object has a member twice, it is unknown which one counts. */
  #requireFirst(path: DocumentPath, place: string): void {
    const now = path.filter((step) => typeof step === 'number');
    const last = this.#places.get(place);
    if (last !== undefined && !isBehind(now, last)) throw this.#several();
    this.#places.set(place, now);
  }

  #several(): DocumentFault {
    const path = shown(this.#target);
    return new DocumentFault(
      this.#options.records === 'by_name'
        ? worded`has several objects at ${{ path }}`
        : worded`has several lists at ${{ path }}`,
    );
  }

  #taking(take: DocumentHandler['element'], action: Action): Action {
    this.#take = take;
    return action;
  }

  /** On the way to the records null stands for an empty list too; another scalar leads nowhere. */
  readonly #passNull: DocumentHandler['element'] = (text) => {
    if (this.#scanner.value(text, { inexact: false }, worded`the member before the records`) === null)
      this.#emptyLists++;
  };

  readonly #requireNull: DocumentHandler['element'] = (text) => {
    const wanted = this.#options.records === 'by_name' ? 'object' : 'list';
    if (text !== 'null') throw this.#missing(nothingOf(this.#options.records));
    this.#found = wanted;
  };

  readonly #add: DocumentHandler['element'] = (text, seen, name) => {
    const position = `record ${++this.count}`;
    const element = this.#scanner.value(text, seen, position);
    const item = this.#made(element, position, name);
    if (item !== undefined) this.#items.push(item);
    // A line that is not a record may explain why there are no more.
    if (this.#options.records === 'lines' && item?.kind === 'skipped') this.whole.document(element, []);
  };

  #made(element: JsonValue, position: string, name: string | undefined): SourceItem | undefined {
    const { maker, host } = this.#parts;
    if (this.#options.records === 'by_name') return maker.byName(name ?? '', element);
    if (this.#options.records === 'document') return maker.document(element, position, host);
    const record = this.#rows.record(element);
    return record === undefined ? undefined : maker.listed(record, position, host);
  }

  /** Whether the value is next to the records, or next to one of their parents, and may describe the list. */
  #maySpeak(path: DocumentPath, kind: Kind): boolean {
    const name = path.at(-1);
    if ((this.#options.records === 'document' && this.#target === '') || typeof name !== 'string') return false;
    this.#beside = [...path];
    return maySpeak(name, kind, this.#target);
  }

  readonly #note: DocumentHandler['element'] = (text, seen, name = '') => {
    this.whole.member(this.#beside, this.#scanner.value(text, seen, shown(name)));
  };
}

function nothingOf(records: JsonOptions['records']): Wording {
  return records === 'by_name' ? worded`no object` : worded`no list`;
}

/** Whether places in lists come later in a document than others, step by step. */
function isBehind(now: readonly number[], last: readonly number[]): boolean {
  const step = now.findIndex((index, at) => index !== last[at]);
  return step !== -1 && (now[step] ?? 0) > (last[step] ?? -1);
}
