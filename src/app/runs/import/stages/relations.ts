import type { PreparedRecord } from '../decisions/prepare-record.ts';
import { type FinishResult, type ImportRun, isStored, type Stage, type WriteOutcome } from '../import-stage.ts';

/** Keeps the edges of the written records, and removes those that the source no longer names. */
export function relatedRecords({ stores, account, clock, startedAt }: ImportRun, next: Stage): Stage {
  const source = account.name;
  let added = 0;

  /** The hosts that got an edge. */
  async function name(records: readonly PreparedRecord[], outcomes: readonly WriteOutcome[]) {
    const edges = records.flatMap(({ hostname, relations }, index) => {
      if (relations === undefined || !isStored(outcomes[index])) return [];
      return relations.edges.filter(({ target }) => target !== hostname).map((edge) => ({ hostname, ...edge }));
    });
    if (edges.length === 0) return new Set<string>();
    const results = await stores.relations.name({ source, edges, at: clock.now() });
    const fresh = edges.filter((_, index) => results[index] === 'added');
    added += fresh.length;
    return new Set(fresh.map(({ hostname }) => hostname));
  }

  return {
    ...next,
    async write(records) {
      const outcomes = await next.write(records);
      if (records.every((record) => record.relations === undefined)) return outcomes;
      const changed = await name(records, outcomes);
      return outcomes.map((outcome, index) => withRelations(records[index], outcome, changed));
    },
    async finish(except): Promise<FinishResult> {
      const finished = await next.finish(except);
      if (finished.refusal !== undefined) return finished;
      const request = { source, unnamedSince: startedAt, except: [...except] };
      return { ...finished, relations: { added, removed: await stores.relations.prune(request) } };
    },
  };
}

function withRelations(
  record: PreparedRecord | undefined,
  outcome: WriteOutcome,
  changed: ReadonlySet<string>,
): WriteOutcome {
  if (record?.relations === undefined || typeof outcome !== 'string') return outcome;
  const { refusal } = record.relations;
  if (refusal !== undefined) return { kind: 'failed', reason: refusal };
  return outcome === 'unchanged' && changed.has(record.hostname) ? 'updated' : outcome;
}
