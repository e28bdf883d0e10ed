import { edgeKey, type SourcedEdge } from '../../../app/hosts/decisions/shown-edges.ts';
import { type RuleVersion, StoredJson, type TransferPart, type ValueChange } from '../../../ports/index.ts';
import type { RecordPart } from '../records/transfer-records.ts';
import { recordOf, refuseOtherVersion, type TransferItem } from '../shared/transfer-table.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

/** The place of a part in the state. */
interface PartPlace<Item> {
  /** All items, in any order. */
  items(state: MemoryState): readonly Item[];
  /** Stores items in place of those of the same key. */
  put(state: MemoryState, items: readonly Item[]): void;
}

/** Parts that are not records. */
export type OwnPart = Exclude<TransferPart, RecordPart>;

export const PART_PLACES: { readonly [Part in OwnPart]: PartPlace<TransferItem<Part>> } = {
  rules: {
    items: (state) =>
      [...state.rules.values()].flatMap((rules) =>
        [...rules.values()].map((rule) => ({ ...rule, name: wellFormed(rule.name) })),
      ),
    put(state, items) {
      for (const item of items) {
        const rules = state.rules.get(item.type) ?? new Map();
        state.rules.set(item.type, rules.set(item.id, item));
      }
      for (const type of new Set(items.map((item) => item.type))) state.bump(`rules/${type}`);
    },
  },

  rule_versions: {
    items(state) {
      const place = counter();
      return state.ruleVersions.map((version) => ({
        ...version,
        place: place(ruleOf(version)),
        name: wellFormed(version.name),
        at: version.at.getTime(),
        document: version.document.text,
      }));
    },
    put: putVersions,
  },

  hosts: {
    items: (state) => [...state.hosts.values()],
    put(state, items) {
      for (const item of items) {
        const contributions = state.hosts.get(item.hostname)?.contributions ?? new Map();
        state.addHost({ ...item, contributions });
      }
      if (items.length === 0) return;
      state.bump('hosts');
      state.renewFeed();
    },
  },

  contributions: {
    items: (state) =>
      [...state.hosts.values()].flatMap(({ hostname, contributions }) =>
        [...contributions.values()].map((item) => ({ ...item, hostname })),
      ),
    put(state, items) {
      for (const { hostname, ...item } of items) state.hosts.get(hostname)?.contributions.set(item.accountId, item);
    },
  },

  relations: {
    items: (state) => state.relations,
    put: (state, items) => replaceByKey(state.relations, items, sourcedKey),
  },

  account_marks: {
    items: (state) => [...state.marks.values()],
    put(state, items) {
      for (const item of items) state.marks.set(recordOf('account_marks', item).key, item);
    },
  },

  host_changes: {
    items: (state) =>
      [...state.history.values()].flatMap((changes) => {
        const place = counter();
        return changes.map((change) => ({
          ...change,
          at: change.at.getTime(),
          place: place(change.at.toISOString()),
          changes: JSON.stringify(change.changes),
        }));
      }),
    put(state, items) {
      for (const { place, at, changes, ...item } of items) {
        if (!state.hosts.has(item.hostname)) continue;
        const history = state.history.get(item.hostname) ?? [];
        state.history.set(item.hostname, history);
        const old = history.filter((other) => other.at.getTime() === at)[place];
        const change = { ...item, at: new Date(at), changes: JSON.parse(changes) as ValueChange[] };
        history[old === undefined ? history.length : history.indexOf(old)] = change;
      }
    },
  },
};

function putVersions(state: MemoryState, items: readonly TransferItem<'rule_versions'>[]): void {
  const versions = [...state.ruleVersions];
  const indexes = new Map<string, number[]>();
  const indexesOf = (rule: string): number[] => {
    const own = indexes.get(rule) ?? [];
    indexes.set(rule, own);
    return own;
  };
  for (const [index, version] of versions.entries()) indexesOf(ruleOf(version)).push(index);
  for (const item of items) {
    const own = indexesOf(ruleOf(item));
    const index = own[item.place] ?? versions.length;
    const old = versions[index];
    if (old === undefined) own.push(index);
    else refuseOtherVersion({ ...old, at: old.at.getTime() }, item);
    const { place: _, ...version } = item;
    versions[index] = { ...version, at: new Date(item.at), document: StoredJson.ofText(item.document) };
  }
  state.ruleVersions.splice(0, state.ruleVersions.length, ...versions);
}

function ruleOf({ type, id }: Pick<RuleVersion, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

function sourcedKey(edge: SourcedEdge): string {
  return JSON.stringify([edgeKey(edge), edge.source]);
}

function replaceByKey<T>(stored: T[], items: readonly T[], keyOf: (item: T) => string): void {
  const places = new Map(stored.map((item, index) => [keyOf(item), index]));
  for (const item of items) {
    const place = places.get(keyOf(item)) ?? stored.length;
    places.set(keyOf(item), place);
    stored[place] = item;
  }
}

/** Numbers things by what they share: 0 for the first of each. */
function counter(): (shared: string) => number {
  const counts = new Map<string, number>();
  return (shared) => {
    const place = counts.get(shared) ?? 0;
    counts.set(shared, place + 1);
    return place;
  };
}
