import type { JsonObject, ObjectReference, PlanAction, PlanField, PlanRule, Scratch } from '../../../ports/index.ts';
import type { CollectedObject } from './collected-objects.ts';
import type { Owned, Remote } from './decisions/match-object.ts';
import { DiskRows } from './disk-rows.ts';
import { type Column, MemoryShare, type Places, Rows } from './rows.ts';

const SEPARATOR = '\u0000';

/** A wanted object whose final action is not decided yet. */
export interface Draft {
  readonly action: PlanAction;
  readonly kind: string;
  readonly key: string;
  readonly previousKey: string | null;
  readonly hostname: string | null;
  /** Digest of what the host is; absent in deletions. */
  readonly host?: string;
  readonly rule: PlanRule | null;
  readonly drift: boolean;
  /** None of an object that is made: it gets all that is wanted. */
  readonly fields: readonly PlanField[];
  readonly after: readonly ObjectReference[];
  /** All that is wanted of it; a move is compared with another remote object than was thought first. */
  readonly wanted: JsonObject;
  /** Fields that are written in addition when the object is made. */
  readonly initial?: JsonObject;
  /** Digest of the wanted fields. */
  readonly digest: string;
  readonly reason: string;
}

/** The first record that wants an object, and a digest of the fields it wants. */
export interface Desired {
  readonly hostname: string;
  readonly digest: string;
  /** True if further records want it. */
  readonly several?: true;
}

/** The values that tables have for an object in memory. */
interface Place {
  remote: Remote | undefined;
  owned: Owned | undefined;
  desired: Desired | undefined;
  draft: Draft | undefined;
  confirmed: Confirmed | undefined;
}

type Confirmed = Owned & { readonly kind: string; readonly key: string };

function emptyPlace(): Place {
  return { remote: undefined, owned: undefined, desired: undefined, draft: undefined, confirmed: undefined };
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
const DESIRED: Column<Place, Desired> = {
  of: ({ desired }) => desired,
  set(place, desired) {
    place.desired = desired;
  },
  shares: ({ owned }, desired) => desired === owned,
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

/** Memory that the tables of a plan take before they use the disk: enough for some hundred thousand objects. */
const MEMORY_BYTES = 96 * 1024 * 1024;

/**
 * The data from which a plan is made: in memory as long as there is room, and on disk from then on. Memory does not grow with the
 * number of objects.
 */
export class PlanTables {
  /** Objects of the system, by kind and key. */
  readonly remote: Rows<Place, Remote>;
  /** Objects that Muster remembers, by kind and key. */
  readonly owned: Rows<Place, Owned>;
  /** Wanted objects, by kind and key. */
  readonly desired: Rows<Place, Desired>;
  /** Planned changes, by kind and key. */
  readonly drafts: Rows<Place, Draft>;
  /** Objects that several records may want together, by kind and key. */
  readonly collected: DiskRows<CollectedObject>;
  /** Objects of which two records want different things, by kind and key. */
  readonly conflicts: DiskRows<Draft>;
  /** Objects that several records want, by kind and key. */
  readonly several: DiskRows<null>;
  /** Kinds and hosts with a conflict; filled only if something would be deleted. */
  readonly refused: DiskRows<null>;
  /** Objects to create, by kind, hostname and key; filled only if some object is no longer wanted. */
  readonly created: DiskRows<null>;
  /** Our objects that no record wants, by kind, hostname and key. */
  readonly orphans: DiskRows<{ readonly remoteKey: string }>;
  /** Hosts whose desired objects are unknown. */
  readonly undecided: DiskRows<string>;
  /** Places of drafts in the order in which they are applied. */
  readonly ordered: DiskRows<string>;
  /** Objects to remember with new data, by kind and key. */
  readonly confirmed: Rows<Place, Confirmed>;
  /** Objects to forget, by kind and key. */
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
    this.desired = new Rows(scratch, 'desired', places, DESIRED);
    this.drafts = new Rows(scratch, 'drafts', places, DRAFT);
    this.confirmed = new Rows(scratch, 'confirmed', places, CONFIRMED);
    this.collected = new DiskRows(scratch, 'collected');
    this.conflicts = new DiskRows(scratch, 'conflicts');
    this.several = new DiskRows(scratch, 'several');
    this.refused = new DiskRows(scratch, 'refused');
    this.created = new DiskRows(scratch, 'created');
    this.orphans = new DiskRows(scratch, 'orphans');
    this.undecided = new DiskRows(scratch, 'undecided');
    this.ordered = new DiskRows(scratch, 'ordered');
    this.forgotten = new DiskRows(scratch, 'forgotten');
  }

  /** Leaves the memory of what only a plan that is being made needs to those that apply it. */
  async forgetDrafts(): Promise<void> {
    for (const table of [this.drafts, this.desired, this.confirmed]) await table.forget();
  }

  /**
   * Returns the key of a remote object by kind and id. The index is built on first use: if nothing changed, it is never needed.
   */
  async remoteById(kind: string, id: string): Promise<string | undefined> {
    const index = await this.#index('remote-by-id', this.remote, ({ id: own }) => own);
    return index.one(joined(kind, id));
  }

  /** Keys of remembered objects by kind and remote id. */
  async ownedById(kind: string, id: string): Promise<string | undefined> {
    const index = await this.#index('owned-by-id', this.owned, ({ remoteId }) => remoteId);
    return index.one(joined(kind, id));
  }

  /** Returns what is remembered of a remote object under its id, whatever its key is now. */
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
      // If two have the same id, the choice does not depend on their order.
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
