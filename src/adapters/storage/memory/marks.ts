import type { HostMark, MarkedBy, MarkStore } from '../../../ports/index.ts';
import { transferKey } from '../shared/transfer-key.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

/** What accounts did to hosts, in memory. */
export function memoryMarks(state: () => MemoryState): MarkStore {
  const keyOf = ({ accountId, kind, value }: MarkedBy, hostname: string): string =>
    transferKey(wellFormed(hostname), kind, value, accountId);
  const marked = ({ accountId, kind, value }: MarkedBy) =>
    [...state().marks.values()]
      .filter((mark) => mark.accountId === accountId && mark.kind === kind && mark.value === value)
      .sort((left, right) => compareUtf8(left.hostname, right.hostname));
  return {
    async put({ hostnames, at, accountId, kind, value }) {
      for (const given of hostnames) {
        const hostname = wellFormed(given);
        const key = keyOf({ accountId, kind, value }, hostname);
        const before = state().marks.get(key)?.at ?? at.getTime();
        state().marks.set(key, { hostname, kind, value, accountId, at: Math.max(before, at.getTime()) });
      }
    },

    count: async (mark) => marked(mark).length,

    async *unrenewed({ since, batchSize, ...mark }) {
      const old = marked(mark).filter(({ at }) => at < since.getTime());
      for (let start = 0; start < old.length; start += batchSize) {
        yield old.slice(start, start + batchSize).map(({ hostname }) => hostname);
      }
    },

    async of(hostnames) {
      const wanted = new Set(hostnames.map(wellFormed));
      const found = [...state().marks].filter(([, { hostname }]) => wanted.has(hostname));
      return found.sort(([left], [right]) => compareUtf8(left, right)).map(([, mark]) => toMark(mark));
    },

    async remove({ hostnames, since, ...mark }) {
      for (const hostname of hostnames) {
        const key = keyOf(mark, hostname);
        if ((state().marks.get(key)?.at ?? Number.POSITIVE_INFINITY) < since.getTime()) state().marks.delete(key);
      }
    },
  };
}

function toMark({ at, ...mark }: Omit<HostMark, 'at'> & { readonly at: number }): HostMark {
  return { ...mark, at: new Date(at) };
}
