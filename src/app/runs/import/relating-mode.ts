import type { RelationRecord, RelationStore } from '../../../ports/index.ts';
import { edgeKey } from '../../hosts/decisions/shown-edges.ts';
import type { PreparedRecord } from './decisions/prepare-record.ts';
import {
  type FinishResult,
  type HostDiff,
  isStored,
  type WriteMode,
  type WriteModeContext,
  type WriteOutcome,
} from './write-mode.ts';

type Edge = Omit<RelationRecord, 'source'>;

/** A mode that also keeps the edges of the records that it writes, and takes back those that the source no longer names. */
export function relatingMode(context: WriteModeContext, relations: RelationStore, mode: WriteMode): WriteMode {
  const source = context.account.name;
  let added = 0;

  async function name(records: readonly PreparedRecord[], outcomes: readonly WriteOutcome[]) {
    const edges = edgesOf(records, outcomes);
    if (edges.length === 0) return new Set<string>();
    const results = await relations.name({ source, edges, at: context.clock.now() });
    const fresh = edges.filter((_, index) => results[index] === 'added');
    added += fresh.length;
    return new Set(fresh.map(({ hostname }) => hostname));
  }

  return {
    ...mode,
    async write(records) {
      const outcomes = await mode.write(records);
      if (records.every((record) => record.relations === undefined)) return outcomes;
      const changed = await name(records, outcomes);
      return outcomes.map((outcome, index) => withRelations(records[index], outcome, changed));
    },
    async finish(except): Promise<FinishResult> {
      const finished = await mode.finish(except);
      if (finished.refusal !== undefined) return finished;
      const request = { source, unnamedSince: context.startedAt, except: [...except] };
      return { ...finished, relations: { added, removed: await relations.prune(request) } };
    },
  };
}

/** What `relatingMode` would do: the edges of each host are read, and what would be taken back is not counted. */
export function relatingDryRun(
  relations: RelationStore,
  { mode, onDiff }: { readonly mode: WriteMode; readonly onDiff: ((diff: HostDiff) => void) | undefined },
): WriteMode {
  return {
    ...mode,
    async write(records) {
      const outcomes = await mode.write(records);
      const edges = edgesOf(records, outcomes);
      if (edges.length === 0) return outcomes;
      const present = await relations.of([...new Set(edges.map(({ hostname }) => hostname))]);
      const known = new Set(present.map(edgeKey));
      const fresh = edges.filter((edge) => !known.has(edgeKey(edge)));
      const changed = new Map<string, Edge[]>();
      for (const edge of fresh) changed.set(edge.hostname, [...(changed.get(edge.hostname) ?? []), edge]);
      for (const [index, { hostname }] of records.entries()) {
        const own = changed.get(hostname);
        if (own === undefined || outcomes[index] === 'created' || typeof outcomes[index] !== 'string') continue;
        const changes = own.map(({ type, target }) => ({ path: `relations.${type}`, after: target }));
        onDiff?.({ hostname, outcome: 'updated', changes });
      }
      return outcomes.map((outcome, index) => withRelations(records[index], outcome, changed));
    },
  };
}

/** Edges of records that were written. */
function edgesOf(records: readonly PreparedRecord[], outcomes: readonly WriteOutcome[]): Edge[] {
  return records.flatMap(({ hostname, relations }, index) => {
    if (relations === undefined || !isStored(outcomes[index])) return [];
    return relations.edges.filter(({ target }) => target !== hostname).map((edge) => ({ hostname, ...edge }));
  });
}

function withRelations(
  record: PreparedRecord | undefined,
  outcome: WriteOutcome,
  changed: { has(hostname: string): boolean },
): WriteOutcome {
  if (record?.relations === undefined || typeof outcome !== 'string') return outcome;
  const { refusal } = record.relations;
  if (refusal !== undefined) return { kind: 'failed', reason: refusal };
  return outcome === 'unchanged' && changed.has(record.hostname) ? 'updated' : outcome;
}
