import type { RuleRecord, RuleState, RuleStore, RuleVersion } from '../../ports/index.ts';
import { stateOf } from '../rules/decisions/state-before.ts';
import { type EarlierRules, earlierRules } from '../rules/earlier-rules.ts';

/** Rules whose past is looked at, the last changed ones. Each costs a question. */
const MOST_RULES = 200;
const MOST_VERSIONS = 1000;
const BATCH_SIZE = 200;

/** When rules of some types changed, and what they were before, each read from the store once. */
export class PastRules {
  /** Moments at which rules changed, after `knownFrom`. */
  readonly moments: readonly Date[];
  /** Before that, changes of rules are not known. */
  readonly knownFrom: Date;
  readonly #types: readonly string[];
  readonly #records: ReadonlyMap<string, readonly RuleRecord[]>;
  readonly #versions: ReadonlyMap<string, readonly RuleVersion[]>;
  readonly #removed: readonly RuleVersion[];

  private constructor(
    types: readonly string[],
    records: ReadonlyMap<string, readonly RuleRecord[]>,
    removed: readonly RuleVersion[],
    versions: ReadonlyMap<string, readonly RuleVersion[]>,
    knownFrom: Date,
  ) {
    this.#types = types;
    this.#records = records;
    this.#removed = removed;
    this.#versions = versions;
    this.knownFrom = knownFrom;
    this.moments = [...versions.values()]
      .flat()
      .map(({ at }) => at)
      .filter((at) => at > knownFrom);
  }

  static async read(
    store: Pick<RuleStore, 'list' | 'versions' | 'lastVersions'>,
    types: readonly string[],
    knownFrom: Date,
    signal: AbortSignal,
  ): Promise<PastRules> {
    const records = new Map<string, readonly RuleRecord[]>();
    const removed: RuleVersion[] = [];
    for (const type of types) {
      signal.throwIfAborted();
      records.set(type, await store.list(type));
      removed.push(...(await removedAfter(store, type, knownFrom)));
    }
    const changed = [
      ...[...records.values()].flat().map(({ type, id, changedAt }) => ({ type, id, at: changedAt })),
      ...removed,
    ]
      .filter(({ at }) => at > knownFrom)
      .sort((a, b) => b.at.getTime() - a.at.getTime());
    const versions = new Map<string, readonly RuleVersion[]>();
    let from = changed[MOST_RULES]?.at ?? knownFrom;
    for (const { type, id } of changed.slice(0, MOST_RULES)) {
      signal.throwIfAborted();
      const known = await store.versions(type, id, MOST_VERSIONS);
      versions.set(keyOf(type, id), known);
      const oldest = known.at(-1);
      // States before its oldest version are no longer kept.
      if (oldest !== undefined && oldest.change !== 'created' && oldest.at > from) from = oldest.at;
    }
    return new PastRules(types, records, removed, versions, from);
  }

  /** The rules as they were just before a moment after `knownFrom`. */
  before(moment: Date, signal: AbortSignal): Promise<EarlierRules> {
    const removed = this.#removed;
    const store = {
      list: async (type: string) => this.#records.get(type) ?? [],
      statesBefore: async (type: string, ids: readonly string[], before: Date) =>
        new Map(ids.flatMap((id) => this.#stateBefore(type, id, before))),
      async *lastVersions({ type }: { readonly type?: string }) {
        yield removed.filter((version) => version.type === type);
      },
    };
    return earlierRules(store, this.#types, moment, signal);
  }

  #stateBefore(type: string, id: string, moment: Date): readonly (readonly [string, RuleState])[] {
    const state = stateOf(this.#versions.get(keyOf(type, id)) ?? [], moment);
    return state === undefined ? [] : [[id, state]];
  }

  /** The version of a rule that counted at a moment; `undefined` where that is not known. */
  versionAt(type: string, id: string, moment: Date): RuleVersion | undefined {
    return this.#versions.get(keyOf(type, id))?.find(({ at }) => at <= moment);
  }
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}

async function removedAfter(
  store: Pick<RuleStore, 'lastVersions'>,
  type: string,
  from: Date,
): Promise<readonly RuleVersion[]> {
  const removed: RuleVersion[] = [];
  for await (const batch of store.lastVersions({ change: 'removed', type }, BATCH_SIZE)) {
    for (const version of batch) {
      if (version.at <= from || removed.length > MOST_RULES) return removed;
      removed.push(version);
    }
  }
  return removed;
}
