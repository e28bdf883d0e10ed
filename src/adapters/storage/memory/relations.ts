import type { RelationRecord, RelationStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
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
        outgoing: relations
          .filter((edge) => edge.hostname === host.hostname && visible(edge.target))
          .sort((a, b) => compareUtf8(a.type, b.type) || compareUtf8(a.target, b.target)),
        inbound: relations
          .filter((edge) => edge.target === host.hostname && visible(edge.hostname))
          .sort((a, b) => compareUtf8(a.type, b.type) || compareUtf8(a.hostname, b.hostname)),
      };
    },

    async add(given, scope) {
      const edge = { ...given, hostname: wellFormed(given.hostname), target: wellFormed(given.target) };
      if (activeHost(state(), edge.hostname, scope) === undefined) return 'source_not_found';
      if (activeHost(state(), edge.target, scope) === undefined) return 'target_not_found';
      if (state().relations.some((other) => sameEdge(other, edge))) return 'unchanged';
      state().relations.push(edge);
      return 'added';
    },

    async remove(edge, scope) {
      if (activeHost(state(), edge.hostname, scope) === undefined) return 'source_not_found';
      if (activeHost(state(), edge.target, scope) === undefined) return 'target_not_found';
      const wanted = { ...edge, hostname: wellFormed(edge.hostname), target: wellFormed(edge.target) };
      const removed = removeWhere(state().relations, (other) => sameEdge(other, wanted));
      return removed > 0 ? 'removed' : 'unchanged';
    },

    async of(hostnames) {
      const wanted = new Set(hostnames.map(wellFormed));
      return state()
        .relations.filter((edge) => wanted.has(edge.hostname))
        .sort(
          (a, b) =>
            compareUtf8(a.hostname, b.hostname) || compareUtf8(a.type, b.type) || compareUtf8(a.target, b.target),
        );
    },
  };
}

function sameEdge(left: Omit<RelationRecord, 'source'>, right: Omit<RelationRecord, 'source'>): boolean {
  return left.hostname === right.hostname && left.type === right.type && left.target === right.target;
}
