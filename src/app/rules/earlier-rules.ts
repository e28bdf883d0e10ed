import type { RuleDocument, RuleRecord, RuleStore, RuleVersion } from '../../ports/index.ts';
import { byBytes } from './engine/names/variable-names.ts';

/** More versions than are looked at of one rule. */
const MOST_VERSIONS = 10_000;
const BATCH_SIZE = 250;

interface ChangedRule {
  readonly version: RuleVersion;
  readonly change: 'created' | 'changed' | 'removed';
  /** False when its version of that time is not kept any more: it counts as it is now. */
  readonly isKnown: boolean;
}

type KeptDocument = Pick<RuleRecord, 'id' | 'name' | 'document'>;

export interface EarlierRules {
  /** All documents of the types that have changed ones, as they were. */
  readonly documents: ReadonlyMap<string, readonly RuleDocument[]>;
  /** Those among them that are not vouched for today: nothing tells who vouched for them then. */
  readonly unconfirmed: ReadonlySet<RuleDocument>;
  readonly changed: readonly ChangedRule[];
}

/** The rules of some types as they were at a time. One question for each rule that changed since. */
export async function earlierRules(
  store: Pick<RuleStore, 'list' | 'versions' | 'lastVersions'>,
  types: readonly string[],
  since: Date,
  signal: AbortSignal,
): Promise<EarlierRules> {
  const documents = new Map<string, readonly RuleDocument[]>();
  const unconfirmed = new Set<RuleDocument>();
  const changed: ChangedRule[] = [];
  for (const type of types) {
    const list: KeptDocument[] = [];
    const before = changed.length;
    for (const record of await store.list(type)) {
      signal.throwIfAborted();
      const then = record.changedAt < since ? record : await earlierDocument(store, record, since, changed);
      if (then === undefined) continue;
      list.push(then);
      if (record.confirmedBy === null) unconfirmed.add(then.document.value);
    }
    for (const removed of await removedSince(store, type, since)) {
      signal.throwIfAborted();
      const then = stateAt(await store.versions(type, removed.id, MOST_VERSIONS), since);
      if (then === 'absent') continue;
      changed.push({ version: removed, change: 'removed', isKnown: then !== undefined });
      // Nothing tells any more who vouched for it, so it sets no connection variables.
      const kept = then ?? removed;
      unconfirmed.add(kept.document.value);
      list.push(kept);
    }
    if (changed.length > before) {
      list.sort(byNameAndId);
      documents.set(
        type,
        list.map(({ document }) => document.value),
      );
    }
  }
  return { documents, unconfirmed, changed };
}

async function earlierDocument(
  store: Pick<RuleStore, 'versions'>,
  record: RuleRecord,
  since: Date,
  changed: ChangedRule[],
): Promise<KeptDocument | undefined> {
  const versions = await store.versions(record.type, record.id, MOST_VERSIONS);
  const newest = versions[0];
  if (newest === undefined || newest.at < since) return record;
  const then = stateAt(versions, since);
  const change = then === 'absent' ? 'created' : 'changed';
  changed.push({ version: newest, change, isKnown: then !== undefined });
  if (then === 'absent') return undefined;
  return then ?? record;
}

/** As the store lists documents. */
function byNameAndId(a: KeptDocument, b: KeptDocument): number {
  return byBytes(a.name, b.name) || byBytes(a.id, b.id);
}

/** The version that counted at a time; `undefined` when it is not kept any more. */
function stateAt(versions: readonly RuleVersion[], since: Date): RuleVersion | 'absent' | undefined {
  const then = versions.find(({ at }) => at < since);
  if (then !== undefined) return then.change === 'removed' ? 'absent' : then;
  return versions.at(-1)?.change === 'created' ? 'absent' : undefined;
}

async function removedSince(
  store: Pick<RuleStore, 'lastVersions'>,
  type: string,
  since: Date,
): Promise<readonly RuleVersion[]> {
  const removed: RuleVersion[] = [];
  for await (const batch of store.lastVersions({ change: 'removed', type }, BATCH_SIZE)) {
    for (const version of batch) {
      if (version.at < since) return removed;
      removed.push(version);
    }
  }
  return removed;
}
