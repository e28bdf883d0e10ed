import { byBytes } from '../../kit/names/variable-names.ts';
import type { RuleDocument, RuleRecord, RuleState, RuleStore, RuleVersion } from '../../ports/index.ts';

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
  /** Those documents that are not confirmed today: their confirmers of that time are not recorded. */
  readonly unconfirmed: ReadonlySet<RuleDocument>;
  readonly changed: readonly ChangedRule[];
}

/** The rules of some types as they were at a time. One question for 250 rules that changed since. */
export async function earlierRules(
  store: Pick<RuleStore, 'list' | 'statesBefore' | 'lastVersions'>,
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
    const records = await store.list(type);
    const recent = records.filter(({ changedAt }) => changedAt >= since);
    const states = await statesOf(store, { type, ids: recent.map(({ id }) => id), since, signal });
    for (const record of records) {
      const then = record.changedAt < since ? record : earlierDocument(record, states.get(record.id), since, changed);
      if (then === undefined) continue;
      list.push(then);
      if (record.confirmedBy === null) unconfirmed.add(then.document.value);
    }
    const gone = await removedSince(store, type, since);
    const statesOfGone = await statesOf(store, { type, ids: gone.map(({ id }) => id), since, signal });
    for (const removed of gone) {
      const then = statesOfGone.get(removed.id)?.before ?? 'not_kept';
      if (then === 'absent') continue;
      changed.push({ version: removed, change: 'removed', isKnown: then !== 'not_kept' });
      // Its confirmer is no longer recorded, so it sets no connection variables.
      const kept = then === 'not_kept' ? removed : then;
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

interface Asked {
  readonly type: string;
  readonly ids: readonly string[];
  readonly since: Date;
  readonly signal: AbortSignal;
}

async function statesOf(
  store: Pick<RuleStore, 'statesBefore'>,
  { type, ids, since, signal }: Asked,
): Promise<ReadonlyMap<string, RuleState>> {
  const states = new Map<string, RuleState>();
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    signal.throwIfAborted();
    for (const [id, state] of await store.statesBefore(type, ids.slice(start, start + BATCH_SIZE), since)) {
      states.set(id, state);
    }
  }
  return states;
}

function earlierDocument(
  record: RuleRecord,
  state: RuleState | undefined,
  since: Date,
  changed: ChangedRule[],
): KeptDocument | undefined {
  if (state === undefined || state.newest.at < since) return record;
  const { newest, before: then } = state;
  changed.push({
    version: newest,
    change: then === 'absent' ? 'created' : 'changed',
    isKnown: then !== 'not_kept',
  });
  if (then === 'absent') return undefined;
  return then === 'not_kept' ? record : then;
}

/** As the store lists documents. */
function byNameAndId(a: KeptDocument, b: KeptDocument): number {
  return byBytes(a.name, b.name) || byBytes(a.id, b.id);
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
