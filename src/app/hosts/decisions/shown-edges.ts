import type { RelationRecord } from '../../../ports/index.ts';

/** An edge as one of its sources gave it. */
export interface SourcedEdge extends RelationRecord {
  /** When the source named it last, milliseconds; `null` for one that was added by hand. */
  readonly namedAt: number | null;
}

/**
 * Yields each edge once, even if several sources named it: with the source that added it by hand, else with the first source by
 * name. The order is that of the first occurrences.
 */
export function shownEdges<Edge extends SourcedEdge>(edges: readonly Edge[]): readonly Edge[] {
  const shown = new Map<string, Edge>();
  for (const edge of edges) {
    const key = edgeKey(edge);
    const other = shown.get(key);
    if (other === undefined || goesBefore(edge, other)) shown.set(key, edge);
  }
  return [...shown.values()];
}

/** Returns the identity of an edge. */
export function edgeKey({ hostname, type, target }: Omit<RelationRecord, 'source'>): string {
  return JSON.stringify([hostname, type, target]);
}

function goesBefore(left: SourcedEdge, right: SourcedEdge): boolean {
  if ((left.namedAt === null) !== (right.namedAt === null)) return left.namedAt === null;
  return left.source < right.source;
}
