import type { JsonObject, ObjectReference, PlanAction, PlanField, PlanRule, Scratch } from '../../../ports/index.ts';
import type { Owned, Remote } from './decisions/match-object.ts';
import { DiskRows } from './disk-rows.ts';
import { type Column, MemoryShare, type Places, Rows } from './rows.ts';
import type { SharedWish } from './shared-wishes.ts';

const SEPARATOR = '\u0000';

/** An object that is wanted, while nobody knows yet what happens to it. */
export interface Draft {
  readonly action: PlanAction;
  readonly kind: string;
  readonly key: string;
  readonly previousKey: string | null;
  readonly hostname: string | null;
  readonly rule: PlanRule | null;
  readonly drift: boolean;
  /** None of an object that is made: it gets all that is wanted. */
  readonly fields: readonly PlanField[];
  readonly after: readonly ObjectReference[];
  /** All that is wanted of it; a move is compared with another remote object than was thought first. */
  readonly wanted: JsonObject;
  /** What is written beside that when the object is made. */
  readonly initial?: JsonObject;
  /** Of that. */
  readonly digest: string;
  readonly reason: string;
}

/** Who wants an object, and with which fields. */
interface Wish {
  readonly hostname: string;
  readonly digest: string;
}

/** What tables have of an object, as far as it is in memory. */
interface Place {
  remote: Remote | undefined;
  owned: Owned | undefined;
  wish: Wish | undefined;
  draft: Draft | undefined;
  confirmed: Confirmed | undefined;
}

type Confirmed = Owned & { readonly kind: string; readonly key: string };

function emptyPlace(): Place {
  return { remote: undefined, owned: undefined, wish: undefined, draft: undefined, confirmed: undefined };
}

const REMOTE: Column<Place, Remote> = {
  of: ({ remote }) => remote,
  set(place, remote) {
    place.remote = remote;
  },
};
const OWNED: Column<Place, Owned> = {
  of: ({ owned }) => owned,
  set(place, owned) {
    place.owned = owned;
  },
};
const WISH: Column<Place, Wish> = {
  of: ({ wish }) => wish,
  set(place, wish) {
    place.wish = wish;
  },
  shares: ({ owned }, wish) => wish === owned,
};
const DRAFT: Column<Place, Draft> = {
  of: ({ draft }) => draft,
  set(place, draft) {
    place.draft = draft;
  },
};
const CONFIRMED: Column<Place, Confirmed> = {
  of: ({ confirmed }) => confirmed,
  set(place, confirmed) {
    place.confirmed = confirmed;
  },
};

interface Indexed {
  key: string | undefined;
}

const KEY: Column<Indexed, string> = {
  of: ({ key }) => key,
  set(place, key) {
    place.key = key;
  },
};

/** Keys by kind and remote id. */
type Index = Rows<Indexed, string>;

/** What the tables of a plan keep in memory before they use the disk: enough for some hundred thousand objects. */
const MEMORY_BYTES = 96 * 1024 * 1024;

/** What a plan is made of: in memory as far as there is room, and on the disk from then on. However many objects there are, memory does not grow. */
export class PlanTables {
  /** What the system has, by kind and key. */
  readonly remote: Rows<Place, Remote>;
  /** What Muster remembers, by kind and key. */
  readonly owned: Rows<Place, Owned>;
  /** What is wanted, by kind and key. */
  readonly wishes: Rows<Place, Wish>;
  /** What is to be done, by kind and key. */
  readonly drafts: Rows<Place, Draft>;
  /** What several records may want together, by kind and key. */
  readonly shared: DiskRows<SharedWish>;
  /** Of which two records want different things, by kind and key. */
  readonly conflicts: DiskRows<Draft>;
  /** What is to be made, by kind, hostname and key; only where something is wanted by nobody any more. */
  readonly created: DiskRows<null>;
  /** What is ours and wanted by nobody, by kind, hostname and key. */
  readonly orphans: DiskRows<{ readonly remoteKey: string }>;
  /** Hosts of which nobody knows what they want. */
  readonly undecided: DiskRows<string>;
  /** Places of drafts in the order in which they are applied. */
  readonly ordered: DiskRows<string>;
  /** What to remember anew, by kind and key. */
  readonly confirmed: Rows<Place, Confirmed>;
  /** What to forget, by kind and key. */
  readonly forgotten: DiskRows<ObjectReference>;
  readonly #scratch: Scratch;
  readonly #share: MemoryShare;
  readonly #indexes = new Map<string, Index>();

  constructor(scratch: Scratch, memoryBytes = MEMORY_BYTES) {
    this.#scratch = scratch;
    this.#share = new MemoryShare(memoryBytes);
    const places: Places<Place> = { share: this.#share, all: new Map(), empty: emptyPlace };
    this.remote = new Rows(scratch, 'remote', places, REMOTE);
    this.owned = new Rows(scratch, 'owned', places, OWNED);
    this.wishes = new Rows(scratch, 'wishes', places, WISH);
    this.drafts = new Rows(scratch, 'drafts', places, DRAFT);
    this.confirmed = new Rows(scratch, 'confirmed', places, CONFIRMED);
    this.shared = new DiskRows(scratch, 'shared');
    this.conflicts = new DiskRows(scratch, 'conflicts');
    this.created = new DiskRows(scratch, 'created');
    this.orphans = new DiskRows(scratch, 'orphans');
    this.undecided = new DiskRows(scratch, 'undecided');
    this.ordered = new DiskRows(scratch, 'ordered');
    this.forgotten = new DiskRows(scratch, 'forgotten');
  }

  /** Leaves the memory of what only a plan that is being made needs to those that apply it. */
  async forgetDrafts(): Promise<void> {
    for (const table of [this.drafts, this.wishes, this.confirmed]) await table.forget();
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

  async #index<Value extends object>(
    name: string,
    table: Rows<Place, Value>,
    idOf: (value: Value) => string | null,
  ): Promise<Index> {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const places = { share: this.#share, all: new Map(), empty: () => ({ key: undefined }) };
    const index: Index = new Rows(this.#scratch, name, places, KEY);
    for await (const step of table.steps()) {
      const rows = step.flatMap(([place, value]) => {
        const id = idOf(value);
        const { kind, key } = placeOf(place);
        return id === null ? [] : [[joined(kind, id), key] as const];
      });
      const added = index.add(rows);
      // Of two with one id always the same, in whatever order they come.
      index.put(rows.filter(([place, key], at) => added[at] === false && key > (index.one(place) ?? '')));
    }
    this.#indexes.set(name, index);
    return index;
  }
}

/** Mostly of a kind and a key, for which a list of them takes six times as long. */
export function joined(kind: string, key: string, ...rest: readonly string[]): string {
  const place = `${kind}${SEPARATOR}${key}`;
  return rest.length === 0 ? place : [place, ...rest].join(SEPARATOR);
}

/** Kind and key of the key of a row. */
export function placeOf(place: string): ObjectReference {
  const [kind = '', key = ''] = place.split(SEPARATOR);
  return { kind, key };
}
