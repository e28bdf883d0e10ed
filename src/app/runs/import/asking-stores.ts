import { getOwn } from '../../../kit/file-source/own-property.ts';
import { jsonOfMembers, sameJson, sameValue } from '../../../kit/json/json-text.ts';
import {
  type Clock,
  type Contribution,
  type ContributionOutcome,
  type HostFilter,
  type HostRecord,
  type InventoryEntry,
  type InventoryOutcome,
  type JsonValue,
  type LabelEntry,
  type LabelOutcome,
  type Labels,
  type MarkedBy,
  type Scratch,
  type ScratchTable,
  StoredJson,
  type ValueChange,
  type WritingAccount,
} from '../../../ports/index.ts';
import { type HostLayer, layeredLabels } from '../../hosts/decisions/label-layers.ts';
import { edgeKey } from '../../hosts/decisions/shown-edges.ts';
import type { HostDiff, ImportAccount } from './import-stage.ts';
import type { ImportStores } from './waiting-stores.ts';

export interface AskingDeps {
  readonly account: ImportAccount;
  readonly clock: Clock;
  readonly onDiff: ((diff: HostDiff) => void) | undefined;
  openScratch(): Promise<Scratch>;
}

export interface AskingStores extends ImportStores {
  close(): void;
}

const EMPTY = StoredJson.ofValue<Record<string, never>>({});

/**
 * The stores of a dry run. A write asks what would come of it, reports the differences and changes nothing. Reads answer as they would
 * after the writes, as far as an import looks at it: hosts that were written exist, are active and were seen. The names of hosts are held in
 * memory, about 10 MB for 100,000, and keys in a scratch. What would be removed is not counted, except for hosts and sections.
 */
export function askingStores(given: ImportStores, { account, clock, onDiff, openScratch }: AskingDeps): AskingStores {
  const { hosts, relations, marks } = given;
  const begun = clock.now();
  /** The outcome of each host's labels. */
  const outcomes = new Map<string, LabelOutcome | ContributionOutcome>();
  /** Hosts of which the labels that the account gives are others, and nothing of it shows. */
  const hidden = new Set<string>();
  /** Hosts that the run would have seen, with what it would have made of them. */
  const seen = new Map<string, WritingAccount>();
  const oldNames = new Map<string, string>();
  const newNames = new Map<string, string>();
  const marked = new Map<string, Set<string>>();
  let scratch: Scratch | undefined;
  let keys: ScratchTable | undefined;

  const storedName = (hostname: string): string => oldNames.get(hostname) ?? hostname;

  /** A host as it would be by now. */
  function written(hostname: string, host: HostRecord | undefined): HostRecord | undefined {
    const as = seen.get(hostname);
    if (as === undefined) return host;
    const { id: accountId, isObject, objectType } = as;
    const made = { isObject, objectType, labels: EMPTY, inventory: EMPTY, members: EMPTY, folder: null };
    const stored = host ?? { ...made, createdAt: begun, lastUpdate: begun };
    return { ...stored, hostname, accountId, archive: null, lastSeen: begun };
  }

  async function findEach(hostnames: readonly string[]) {
    const found = await hosts.findEach(hostnames.map(storedName));
    return hostnames.map((hostname, index) => written(hostname, found[index]));
  }

  /** Hosts that would be created, in batches. */
  function* made(batchSize: number): Generator<readonly HostRecord[]> {
    let batch: HostRecord[] = [];
    for (const [hostname, outcome] of outcomes) {
      const host = outcome === 'created' ? written(hostname, undefined) : undefined;
      if (host === undefined) continue;
      batch.push(host);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }

  /** Asks for those that were not asked for so far: of several of one name the first counts. */
  async function askOnce<Entry extends LabelEntry, Outcome extends LabelOutcome | ContributionOutcome>(
    entries: readonly Entry[],
    ask: (fresh: readonly Entry[]) => Promise<readonly Outcome[]>,
  ): Promise<readonly (Outcome | 'duplicate')[]> {
    const fresh = new Map<string, Entry>();
    for (const entry of entries) {
      if (!outcomes.has(entry.hostname) && !fresh.has(entry.hostname)) fresh.set(entry.hostname, entry);
    }
    const asked = [...fresh.values()];
    const answers = new Map<Entry, Outcome>();
    for (const [index, outcome] of (await ask(asked)).entries()) {
      const entry = asked[index] as Entry;
      answers.set(entry, outcome);
      outcomes.set(entry.hostname, outcome);
    }
    return entries.map((entry) => answers.get(entry) ?? 'duplicate');
  }

  /**
   * Records the differences that consumers would see, like the history of a run: a label hidden by another account is not one.
   */
  async function contributed(entry: LabelEntry, host: HostRecord | undefined, precedence: number) {
    if (host === undefined || host.archive !== null) return 'not_found';
    const { hostname, labels } = entry;
    const owner = host.accountId === account.id;
    const layers = layersOf(host, await hosts.contributions(hostname));
    const given = layers.find((layer) => layer.owner === owner && (owner || layer.accountId === account.id));
    const gives = { accountId: account.id, owner, precedence: owner ? 0 : precedence, labels: labels.text };
    if (given?.precedence === gives.precedence && sameJson(given.labels, gives.labels)) return 'unchanged';
    const visible = layeredLabels([...layers.filter((layer) => layer !== given), gives]);
    const changes = labelChanges(host.labels.value, JSON.parse(jsonOfMembers(visible)));
    if (changes.length === 0) hidden.add(hostname);
    else onDiff?.({ hostname, outcome: 'updated', changes });
    return 'updated';
  }

  async function savedSections(entries: readonly InventoryEntry[]): Promise<readonly InventoryOutcome[]> {
    // The difference of its labels says already that a host changes.
    const isChanged = ({ hostname }: InventoryEntry): boolean =>
      (outcomes.get(hostname) === 'created' || outcomes.get(hostname) === 'updated') && !hidden.has(hostname);
    const asked = entries.filter((entry) => !isChanged(entry));
    const found = await findEach(asked.map(({ hostname }) => hostname));
    const present = new Map(asked.map((entry, index) => [entry, found[index]]));
    return entries.map((entry) => {
      if (isChanged(entry)) return 'updated';
      const { hostname, key, section } = entry;
      const host = present.get(entry);
      if (host === undefined || host.archive !== null) return 'not_found';
      const before = getOwn(host.inventory.value, key);
      if (before !== undefined && sameValue(before, section.value)) return 'unchanged';
      const change = { path: `inventory.${key}`, after: section.value };
      onDiff?.({ hostname, outcome: 'updated', changes: [before === undefined ? change : { ...change, before }] });
      return 'updated';
    });
  }

  const markOf = ({ accountId, kind, value }: MarkedBy): string => JSON.stringify([accountId, kind, value]);

  const hostsWithKey = (key: string): readonly string[] => {
    const text = keys?.get([key])[0];
    return text === undefined ? [] : (JSON.parse(text) as string[]);
  };

  return {
    ...given,
    hosts: {
      ...hosts,
      findEach,
      count: async (filter) => {
        let count = await hosts.count(filter);
        for (const outcome of outcomes.values()) if (outcome === 'created') count++;
        return count;
      },
      async *scan(filter: HostFilter, batchSize: number, after?: string) {
        for await (const batch of hosts.scan(filter, batchSize, after)) {
          yield batch.map((host) => written(newNames.get(host.hostname) ?? host.hostname, host) ?? host);
        }
        yield* made(batchSize);
      },
      saveLabels: ({ account: as, entries, takeOver = false }) =>
        askOnce(entries, async (fresh) => {
          const asked = fresh.map((entry) => ({ ...entry, hostname: storedName(entry.hostname) }));
          const previews = await hosts.previewLabels({ account: as, entries: asked, takeOver });
          return fresh.map(({ hostname, labels }, index) => {
            const preview = previews[index];
            const outcome = preview?.outcome ?? 'unchanged';
            if (outcome !== 'created' && outcome !== 'updated' && outcome !== 'unchanged') return outcome;
            seen.set(hostname, as);
            const before = oldNames.get(hostname);
            if (onDiff === undefined || (outcome === 'unchanged' && before === undefined)) return outcome;
            const renamed = before === undefined ? [] : [{ path: 'hostname', before, after: hostname }];
            onDiff({
              hostname,
              outcome: outcome === 'created' ? 'created' : 'updated',
              changes: [...renamed, ...labelChanges((preview?.before ?? EMPTY).value, labels.value)],
            });
            return outcome;
          });
        }),
      contributeLabels: ({ entries, precedence }) =>
        askOnce(entries, async (fresh) => {
          const present = await hosts.findEach(fresh.map(({ hostname }) => hostname));
          const answers: ContributionOutcome[] = [];
          for (const [index, entry] of fresh.entries())
            answers.push(await contributed(entry, present[index], precedence));
          return answers;
        }),
      withdrawContributions: () => Promise.resolve(0),
      saveInventory: ({ entries }) => savedSections(entries),
      archive: ({ hostnames }) => Promise.resolve(hostnames.map(() => 'archived')),
      async archiveUnseen(sweep) {
        const except = [...sweep.except, ...[...outcomes.keys()].map(storedName)];
        const result = await hosts.archiveUnseen({ ...sweep, except, preview: true });
        return { ...result, archived: result.refused ? 0 : result.candidates };
      },
      rename({ hosts: renames }) {
        for (const { from, to } of renames) {
          oldNames.set(to, from);
          newNames.set(from, to);
        }
        return Promise.resolve(renames.map(() => 'renamed'));
      },
    },
    relations: {
      async name({ edges }) {
        const stored = edges.map((edge) => ({ ...edge, hostname: storedName(edge.hostname) }));
        const present = await relations.of([...new Set(stored.map(({ hostname }) => hostname))]);
        const known = new Set(present.map(edgeKey));
        const added = new Map<string, ValueChange[]>();
        const results = edges.map(({ hostname, type, target }, index) => {
          if (known.has(edgeKey(stored[index] ?? { hostname, type, target }))) return 'unchanged';
          const change = { path: `relations.${type}`, after: target };
          added.set(hostname, [...(added.get(hostname) ?? []), change]);
          return 'added';
        });
        for (const [hostname, changes] of added) {
          const outcome = outcomes.get(hostname);
          if (outcome === 'updated' || outcome === 'unchanged') onDiff?.({ hostname, outcome: 'updated', changes });
        }
        return results;
      },
      prune: () => Promise.resolve(0),
      of: (hostnames) => relations.of(hostnames),
    },
    marks: {
      ...marks,
      async put({ hostnames, ...mark }) {
        const names = marked.get(markOf(mark)) ?? new Set<string>();
        marked.set(markOf(mark), names);
        for (const hostname of hostnames) names.add(storedName(hostname));
      },
      async *unrenewed(request) {
        const renewed = request.since > begun ? undefined : marked.get(markOf(request));
        for await (const batch of marks.unrenewed(request)) {
          yield renewed === undefined ? batch : batch.filter((hostname) => !renewed.has(hostname));
        }
      },
      remove: () => Promise.resolve(),
      async putKeys({ keys: added }) {
        scratch ??= await openScratch();
        keys ??= scratch.table('keys');
        for (const { hostname, value } of added) {
          keys.put([[value, JSON.stringify([...new Set([...hostsWithKey(value), hostname])])]]);
        }
      },
      async holders(values) {
        const stored = await marks.holders(values);
        const noted = values.flatMap((value) =>
          hostsWithKey(value).map((hostname) => ({
            accountId: account.id,
            kind: 'key' as const,
            value,
            hostname,
            at: begun,
          })),
        );
        return [...stored, ...noted];
      },
      // Keys that are no longer named are not counted.
      async *unrenewedKeys() {},
      removeKeys: () => Promise.resolve(),
    },
    close: () => scratch?.close(),
  };
}

/** Returns the labels that each account gives the host. Without contributions, its labels are those of its owner. */
function layersOf(
  host: HostRecord,
  contributions: readonly Contribution[],
): readonly Pick<HostLayer, 'accountId' | 'owner' | 'precedence' | 'labels'>[] {
  if (contributions.length === 0) {
    return [{ accountId: host.accountId ?? '', owner: true, precedence: 0, labels: host.labels.text }];
  }
  return contributions.map(({ labels, ...layer }) => ({ ...layer, labels: labels.text }));
}

/** Returns the changes between two label sets, by key; the order of members does not matter, and text and number differ. */
function labelChanges(before: Labels, after: Labels): readonly ValueChange[] {
  const changes: ValueChange[] = [];
  for (const key of Object.keys(before)) {
    const old: JsonValue | undefined = getOwn(before, key);
    const now = getOwn(after, key);
    if (old === undefined || sameValue(old, now)) continue;
    const path = `labels.${key}`;
    changes.push(now === undefined ? { path, before: old } : { path, before: old, after: now });
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ path: `labels.${key}`, after: value });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
