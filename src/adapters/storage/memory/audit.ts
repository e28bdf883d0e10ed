import type { AuditEntry, AuditStore, KeptAuditEntry } from '../../../ports/index.ts';
import { isBefore, newestFirst } from './journals.ts';
import { type MemoryState, removeWhere } from './state.ts';

export function memoryAudit(state: () => MemoryState): AuditStore {
  const inChain = (): KeptAuditEntry[] =>
    state()
      .audit.filter(({ link }) => link !== null)
      .sort((a, b) => seqOf(a) - seqOf(b));
  return {
    async append(entries, step) {
      const kept = state();
      if (step !== undefined && kept.auditChain !== step.from) return { chain: kept.auditChain };
      const newest = kept.audit.findLast(({ link }) => link !== null)?.link?.seq ?? 0;
      for (const entry of entries) {
        const isTaken = entry.link !== null && entry.link.seq <= newest && hasPlace(kept.audit, entry.link.seq);
        kept.audit.push(structuredClone(isTaken ? { ...entry, link: null } : entry));
      }
      if (step !== undefined) kept.auditChain = step.to;
      return undefined;
    },
    chain: async () => state().auditChain,
    async *linked({ after, batchSize }) {
      const entries = inChain().filter((entry) => seqOf(entry) > after);
      for (let from = 0; from < entries.length; from += batchSize) yield entries.slice(from, from + batchSize);
    },
    async lastLinkedBefore(before) {
      const entries = inChain();
      const first = entries.findIndex(({ at }) => at >= before);
      return entries[(first < 0 ? entries.length : first) - 1]?.link ?? undefined;
    },
    async unlinked({ since, before, limit }) {
      const found = state()
        .audit.filter(({ link, at }) => {
          return link === null && (since === undefined || at >= since) && (before === undefined || at < before);
        })
        .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
      return { count: found.length, first: found.slice(0, limit) };
    },
    async latest(request) {
      return newestFirst(state().audit, request.limit, (entry) => {
        if (request.actor !== undefined && entry.actor !== request.actor) return false;
        if (request.operation !== undefined && entry.operation !== request.operation) return false;
        return isBefore(entry, request.before);
      }).map(withoutLink);
    },
    async pruneUnlinked(before) {
      return removeWhere(state().audit, ({ link, at }) => link === null && at < before);
    },
    async pruneLinked(through, step) {
      const kept = state();
      if (kept.auditChain !== step.from) return undefined;
      kept.auditChain = step.to;
      return removeWhere(kept.audit, (entry) => entry.link !== null && seqOf(entry) <= through);
    },
    forwarded: async () => new Map(state().forwarded),
    async noteForwarded(target, { from, to }) {
      const { forwarded } = state();
      const noted = forwarded.get(target);
      if (noted?.seq !== from?.seq || noted?.mark !== from?.mark) return false;
      forwarded.set(target, to);
      return true;
    },
  };
}

function hasPlace(entries: readonly KeptAuditEntry[], seq: number): boolean {
  return entries.some(({ link }) => link?.seq === seq);
}

function seqOf(entry: KeptAuditEntry): number {
  return entry.link?.seq ?? 0;
}

function withoutLink({ link: _, ...entry }: KeptAuditEntry): AuditEntry {
  return entry;
}
