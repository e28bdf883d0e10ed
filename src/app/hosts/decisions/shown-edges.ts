import type { RelationRecord } from '../../../ports/index.ts';

/** An edge as one of its sources gave it. */
export interface SourcedEdge extends RelationRecord {
  /** When the source named it last, milliseconds; `null` for one that was added by hand. */
  readonly namedAt: number | null;
}

/**
 * Each edge once, where several sources may have named it: as that of whom it was added by hand, else of the first source by name.
 * They stand in the order of the first of each.
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

/** What an edge is known by. */
export function edgeKey({ hostname, type, target }: Omit<RelationRecord, 'source'>): string {
  return JSON.stringify([hostname, type, target]);
}

function goesBefore(left: SourcedEdge, right: SourcedEdge): boolean {
  if ((left.namedAt === null) !== (right.namedAt === null)) return left.namedAt === null;
  return left.source < right.source;
}
