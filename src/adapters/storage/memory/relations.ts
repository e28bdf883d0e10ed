import { edgeKey, type SourcedEdge, shownEdges } from '../../../app/hosts/decisions/shown-edges.ts';
import type { RelationRecord, RelationStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import { wellFormedEdge } from '../shared/well-formed-edge.ts';
import { activeHost } from './host-reads.ts';
import { type MemoryState, removeWhere } from './state.ts';

/** Edges between hosts in memory. */
export function memoryRelations(state: () => MemoryState): RelationStore {
  return {
    async list(hostname, scope) {
      const host = activeHost(state(), hostname, scope);
      if (host === undefined) return undefined;
      const visible = (name: string) => activeHost(state(), name, scope) !== undefined;
      const { relations } = state();
      return {
        outgoing: recordsOf(relations.filter((edge) => edge.hostname === host.hostname && visible(edge.target))).sort(
          (a, b) => compareUtf8(a.type, b.type) || compareUtf8(a.target, b.target),
        ),
        inbound: recordsOf(relations.filter((edge) => edge.target === host.hostname && visible(edge.hostname))).sort(
          (a, b) => compareUtf8(a.type, b.type) || compareUtf8(a.hostname, b.hostname),
        ),
      };
    },

    async add(given, scope) {
      const edge = { ...wellFormedEdge(given), source: given.source, namedAt: null };
      if (activeHost(state(), edge.hostname, scope) === undefined) return 'source_not_found';
      if (activeHost(state(), edge.target, scope) === undefined) return 'target_not_found';
      if (state().relations.some((other) => sameEdge(other, edge))) return 'unchanged';
      state().relations.push(edge);
      return 'added';
    },

    async remove(edge, scope) {
      if (activeHost(state(), edge.hostname, scope) === undefined) return 'source_not_found';
      if (activeHost(state(), edge.target, scope) === undefined) return 'target_not_found';
      const wanted = wellFormedEdge(edge);
      const removed = removeWhere(state().relations, (other) => sameEdge(other, wanted));
      return removed > 0 ? 'removed' : 'unchanged';
    },

    async name({ source, edges, at }) {
      const { relations } = state();
      const places = new Map<string, number[]>();
      for (const [place, edge] of relations.entries()) {
        const key = edgeKey(edge);
        places.set(key, [...(places.get(key) ?? []), place]);
      }
      return edges.map((given) => {
        const edge = wellFormedEdge(given);
        const known = places.get(edgeKey(edge)) ?? [];
        const own = known.find((place) => relations[place]?.source === source);
        if (own === undefined) {
          places.set(edgeKey(edge), [...known, relations.length]);
          relations.push({ ...edge, source, namedAt: at.getTime() });
        } else {
          const before = relations[own] as SourcedEdge;
          if (before.namedAt !== null) relations[own] = { ...before, namedAt: Math.max(before.namedAt, at.getTime()) };
        }
        return known.length === 0 ? 'added' : 'unchanged';
      });
    },

    async prune({ source, unnamedSince, except }) {
      const spared = new Set(except.map(wellFormed));
      return removeWhere(
        state().relations,
        (edge) =>
          edge.source === source &&
          edge.namedAt !== null &&
          edge.namedAt < unnamedSince.getTime() &&
          !spared.has(edge.hostname),
      );
    },

    async of(hostnames) {
      const wanted = new Set(hostnames.map(wellFormed));
      return recordsOf(state().relations.filter((edge) => wanted.has(edge.hostname))).sort(compareEdges);
    },
    async around(hostnames, limit) {
      const wanted = new Set(hostnames.map(wellFormed));
      const edges = state().relations.filter((edge) => wanted.has(edge.hostname) || wanted.has(edge.target));
      return recordsOf(edges).sort(compareEdges).slice(0, limit);
    },
  };
}

function compareEdges(a: RelationRecord, b: RelationRecord): number {
  return compareUtf8(a.hostname, b.hostname) || compareUtf8(a.type, b.type) || compareUtf8(a.target, b.target);
}

function recordsOf(edges: readonly SourcedEdge[]): RelationRecord[] {
  return shownEdges(edges).map(({ hostname, type, target, source }) => ({ hostname, type, target, source }));
}

function sameEdge(left: Omit<RelationRecord, 'source'>, right: Omit<RelationRecord, 'source'>): boolean {
  return left.hostname === right.hostname && left.type === right.type && left.target === right.target;
}
