import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  JsonObject,
  ObjectReference,
  PlanAction,
  PlanField,
  PlanRule,
  Scratch,
  ScratchTable,
} from '../../../ports/index.ts';
import type { Owned, Remote } from './decisions/match-object.ts';

/** Rows of one step: few enough that nobody waits for them. */
export const ROWS_A_STEP = 250;

const SEPARATOR = '\u0000';

/** An object that is wanted, while nobody knows yet what becomes of it. */
export interface Draft {
  readonly action: PlanAction;
  readonly kind: string;
  readonly key: string;
  readonly previousKey: string | null;
  readonly hostname: string | null;
  readonly rule: PlanRule | null;
  readonly drift: boolean;
  readonly fields: readonly PlanField[];
  readonly after: readonly ObjectReference[];
  /** All that is wanted of it; a move is compared with another remote object than was thought first. */
  readonly wanted: JsonObject;
  readonly reason: string;
}

/** Who wants an object, and with which fields. */
interface Wish {
  readonly hostname: string;
  readonly digest: string;
}

/** A table of values by kind and key, or by other texts that are joined. */
class Rows<Value> {
  readonly #name: string;
  readonly #table: ScratchTable;

  constructor(scratch: Scratch, name: string) {
    this.#name = name;
    this.#table = scratch.table(name);
  }

  put(rows: readonly (readonly [key: string, value: Value])[]): void {
    this.#table.put(rows.map(([key, value]) => [key, JSON.stringify(value)]));
  }

  /** Whether each was put there: the first of its key is. */
  add(rows: readonly (readonly [key: string, value: Value])[]): readonly boolean[] {
    return this.#table.add(rows.map(([key, value]) => [key, JSON.stringify(value)]));
  }

  get(keys: readonly string[]): readonly (Value | undefined)[] {
    return this.#table.get(keys).map((text) => (text === undefined ? undefined : (JSON.parse(text) as Value)));
  }

  one(key: string): Value | undefined {
    return this.get([key])[0];
  }

  remove(keys: readonly string[]): void {
    this.#table.remove(keys);
  }

  /** The first of those that begin so. */
  some(prefix: string, limit: number): readonly (readonly [key: string, value: Value])[] {
    return this.#table.page({ prefix, limit }).map(([key, text]) => [key, JSON.parse(text) as Value]);
  }

  get count(): number {
    return this.#table.count();
  }

  /** All, in order of the keys, with a turn for everybody else after each step. */
  async *steps(): AsyncGenerator<readonly (readonly [key: string, value: Value])[]> {
    for (let after = ''; ; ) {
      const rows = this.#table.page({ after, limit: ROWS_A_STEP });
      if (rows.length === 0) return;
      yield rows.map(([key, text]) => [key, JSON.parse(text) as Value]);
      after = rows.at(-1)?.[0] ?? after;
      await nextTurn();
    }
  }

  /** Those whose keys another table does not have; the others are not even taken apart. */
  async *stepsWithout(other: Rows<unknown>): AsyncGenerator<readonly (readonly [key: string, value: Value])[]> {
    for (let after = ''; ; ) {
      const { rows, last } = this.#table.pageWithout(other.#name, { after, limit: ROWS_A_STEP });
      if (last === undefined) return;
      if (rows.length > 0) yield rows.map(([key, text]) => [key, JSON.parse(text) as Value]);
      after = last;
      await nextTurn();
    }
  }
}

/** What a plan is made of, on the disk: as many objects as there may be, memory does not grow. */
export class PlanTables {
  /** What the system has, by kind and key. */
  readonly remote: Rows<Remote>;
  /** What Muster remembers, by kind and key. */
  readonly owned: Rows<Owned>;
  /** What is wanted, by kind and key. */
  readonly wishes: Rows<Wish>;
  /** What is to be done, by kind and key. */
  readonly drafts: Rows<Draft>;
  /** Of which two records want different things, by kind and key. */
  readonly conflicts: Rows<Draft>;
  /** What is to be made, by kind, hostname and key. */
  readonly created: Rows<null>;
  /** What is ours and wanted by nobody, by kind, hostname and key. */
  readonly orphans: Rows<{ readonly remoteKey: string }>;
  /** Hosts of which nobody knows what they want. */
  readonly undecided: Rows<string>;
  /** Drafts in the order in which they are applied. */
  readonly ordered: Rows<Draft>;
  /** What to remember anew, by kind and key. */
  readonly confirmed: Rows<Owned & { readonly kind: string; readonly key: string }>;
  /** What to forget, by kind and key. */
  readonly forgotten: Rows<ObjectReference>;
  readonly #scratch: Scratch;
  readonly #indexes = new Map<string, Rows<string>>();

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
    const rows = <Value>(name: string): Rows<Value> => new Rows<Value>(scratch, name);
    this.remote = rows('remote');
    this.owned = rows('owned');
    this.wishes = rows('wishes');
    this.drafts = rows('drafts');
    this.conflicts = rows('conflicts');
    this.created = rows('created');
    this.orphans = rows('orphans');
    this.undecided = rows('undecided');
    this.ordered = rows('ordered');
    this.confirmed = rows('confirmed');
    this.forgotten = rows('forgotten');
  }

  /** Keys of remote objects by kind and id. Made when it is asked for first: in an unchanged world nobody does. */
  async remoteById(kind: string, id: string): Promise<string | undefined> {
    const index = await this.#index('remote-by-id', this.remote, ({ id: own }) => own);
    return index.one(joined(kind, id));
  }

  /** Keys of remembered objects by kind and remote id. */
  async ownedById(kind: string, id: string): Promise<string | undefined> {
    const index = await this.#index('owned-by-id', this.owned, ({ remoteId }) => remoteId);
    return index.one(joined(kind, id));
  }

  /** What is remembered of a remote object under the id that it has, whatever its key is now. */
  async ownedAs(kind: string, { id }: Pick<Remote, 'id'>): Promise<Owned | undefined> {
    const key = await this.ownedById(kind, id);
    return key === undefined ? undefined : this.owned.one(joined(kind, key));
  }

  async #index<Value>(name: string, table: Rows<Value>, idOf: (value: Value) => string | null): Promise<Rows<string>> {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = new Rows<string>(this.#scratch, name);
    for await (const step of table.steps()) {
      index.put(
        step.flatMap(([place, value]) => {
          const id = idOf(value);
          const { kind, key } = placeOf(place);
          return id === null ? [] : [[joined(kind, id), key] as const];
        }),
      );
    }
    this.#indexes.set(name, index);
    return index;
  }
}

export function joined(...parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** Kind and key of the key of a row. */
export function placeOf(place: string): ObjectReference {
  const [kind = '', key = ''] = place.split(SEPARATOR);
  return { kind, key };
}
