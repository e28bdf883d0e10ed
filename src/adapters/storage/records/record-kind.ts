import {
  AppError,
  type RecordChange,
  type RecordStore,
  type RecordWrite,
  type StoredRecord,
} from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';

/** Records of one kind: how they are known and found. */
interface KindDeclaration<Item> {
  readonly name: string;
  key(item: Item): string;
  /** The sort keys, in the order of their numbers. */
  readonly sorts?: readonly ((item: Item) => string | null)[];
}

/** A record as it is read. */
export interface Kept<Item> {
  readonly key: string;
  readonly item: Item;
  readonly version: number;
}

/** The new state of a record, and the answer to the caller. */
export interface Decision<Item, Answer> {
  readonly answer: Answer;
  /** `null` removes it; absent: it stays as it is. */
  readonly put?: Item | null;
  /** Further changes in the same unit. */
  readonly also?: readonly RecordChange[];
}

interface Listing {
  readonly by?: number;
  readonly from?: string;
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
  readonly descending?: boolean;
}

/** If others were faster this many times, something is wrong. */
const MOST_ATTEMPTS = 1000;
/** Attempts without a pause. */
const FIRST_ATTEMPTS = 3;
const PAUSE_MS = 5;

/** The records of one kind as what they mean. Values are JSON. */
export class RecordKind<Item> {
  readonly name: string;
  readonly #store: () => RecordStore;
  readonly #declared: KindDeclaration<Item>;

  constructor(store: () => RecordStore, declared: KindDeclaration<Item>) {
    this.#store = store;
    this.#declared = declared;
    this.name = declared.name;
  }

  async find(key: string): Promise<{ readonly now: number; readonly kept: Kept<Item> | undefined }> {
    const { now, records } = await this.#store().get(this.name, [key]);
    const record = records.get(wellFormed(key));
    return { now, kept: record && keptOf<Item>(record) };
  }

  /** The time by the store's clock, milliseconds. */
  async now(): Promise<number> {
    return (await this.list({ limit: 0 })).now;
  }

  async findEach(keys: readonly string[]): Promise<ReadonlyMap<string, Kept<Item>>> {
    if (keys.length === 0) return new Map();
    const { records } = await this.#store().get(this.name, keys);
    return new Map([...records].map(([key, record]) => [key, keptOf<Item>(record)]));
  }

  async list(listing: Listing): Promise<{ readonly now: number; readonly items: readonly Kept<Item>[] }> {
    const { now, records } = await this.#store().list({ ...listing, kind: this.name });
    return { now, items: records.map((record) => keptOf<Item>(record)) };
  }

  /** All records that a query means, in order, in batches. */
  async *pages(listing: Omit<Listing, 'descending'>): AsyncGenerator<readonly Kept<Item>[]> {
    let { after } = listing;
    for (;;) {
      const { items } = await this.list({ ...listing, ...(after === undefined ? {} : { after }) });
      const last = items.at(-1);
      if (last !== undefined) yield items;
      if (last === undefined || items.length < listing.limit) return;
      after = listing.by === undefined ? last.key : (this.#declared.sorts?.[listing.by]?.(last.item) ?? '');
    }
  }

  count(range: Omit<Listing, 'limit' | 'descending'> = {}): Promise<number> {
    return this.#store().count({ ...range, kind: this.name });
  }

  /** A change that stores the item. */
  put(item: Item, expect?: number | null): RecordWrite {
    const { key, sorts = [] } = this.#declared;
    return {
      kind: this.name,
      key: key(item),
      value: jsonOf(item),
      sorts: sorts.map((sort) => sort(item)),
      ...(expect === undefined ? {} : { expect }),
    };
  }

  /** A change that removes the record. */
  drop({ key, version }: Pick<Kept<Item>, 'key' | 'version'>): RecordWrite {
    return { kind: this.name, key, value: null, expect: version };
  }

  /** A change that removes records by a range. */
  dropRange(range: Omit<Listing, 'limit' | 'descending'>, except: readonly string[] = []): RecordChange {
    return { remove: { ...range, kind: this.name }, except };
  }

  /** Removes records by a range and answers how many. */
  async clear(range: Omit<Listing, 'limit' | 'descending'>, except: readonly string[] = []): Promise<number> {
    return (await this.#store().write([this.dropRange(range, except)])) ?? 0;
  }

  /** Reads a record, decides, and writes what was decided, again where others were faster. */
  async change<Answer>(
    key: string,
    decide: (present: Item | undefined, now: number) => Decision<Item, Answer> | Promise<Decision<Item, Answer>>,
  ): Promise<Answer> {
    return retried(async () => {
      const { now, kept } = await this.find(key);
      const { answer, put, also = [] } = await decide(kept?.item, now);
      const changes = [...also];
      if (put === null && kept !== undefined) changes.push(this.drop(kept));
      else if (put !== undefined && put !== null) changes.push(this.put(put, kept?.version ?? null));
      const isDone = changes.length === 0 || (await this.#store().write(changes)) !== null;
      return isDone ? { answer } : undefined;
    });
  }
}

/** Carries out an attempt until it answers; `undefined` means that others were faster. */
export async function retried<Answer>(
  attempt: () => Promise<{ readonly answer: Answer } | undefined>,
): Promise<Answer> {
  for (let count = 0; count < MOST_ATTEMPTS; count++) {
    const done = await attempt();
    if (done !== undefined) return done.answer;
    // Those who meet do not meet again at once.
    if (count >= FIRST_ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
  }
  throw new AppError('unavailable', 'Too many callers change the same record. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}

function keptOf<Item>({ key, value, version }: StoredRecord): Kept<Item> {
  return { key, item: JSON.parse(value) as Item, version };
}

/** JSON without halves of surrogate pairs. */
function jsonOf(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? wellFormed(member) : member));
}

const EARLIEST_MS = 8_640_000_000_000_000;

/** A moment, milliseconds, as a text that sorts like it. */
export function timeKey(at: number): string {
  return String(Math.round(at) + EARLIEST_MS).padStart(17, '0');
}

/** A number from 0 on as a text that sorts like it. */
export function numberKey(number: number): string {
  return String(number).padStart(16, '0');
}

/** The range of all texts that begin with these, each of them whole. */
export function within(...parts: readonly string[]): { readonly from: string; readonly before: string } {
  const begin = parts.map((part) => wellFormed(part)).join('\u0000');
  return { from: `${begin}\u0000`, before: `${begin}\u0001` };
}
