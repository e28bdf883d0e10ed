import type { HostMark, MarkedBy, MarkStore } from '../../../ports/index.ts';
import { transferKey } from '../shared/transfer-key.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

/** Records what accounts did to hosts, in memory. */
export function memoryMarks(state: () => MemoryState): MarkStore {
  const keyOf = ({ accountId, kind, value }: MarkedBy, hostname: string): string =>
    transferKey(wellFormed(hostname), kind, value, accountId);
  const marked = ({ accountId, kind, value }: MarkedBy) =>
    [...state().marks.values()]
      .filter((mark) => mark.accountId === accountId && mark.kind === kind && mark.value === value)
      .sort((left, right) => compareUtf8(left.hostname, right.hostname));
  const put = ({ accountId, kind, value }: MarkedBy, given: string, at: Date): void => {
    const hostname = wellFormed(given);
    const key = keyOf({ accountId, kind, value }, hostname);
    const before = state().marks.get(key)?.at ?? at.getTime();
    state().marks.set(key, { hostname, kind, value, accountId, at: Math.max(before, at.getTime()) });
  };
  const remove = (mark: MarkedBy, hostname: string, since: Date): void => {
    const key = keyOf(mark, hostname);
    if ((state().marks.get(key)?.at ?? Number.POSITIVE_INFINITY) < since.getTime()) state().marks.delete(key);
  };
  const byKey = (accountId: string, value: string): MarkedBy => ({ accountId, kind: 'key', value: wellFormed(value) });
  return {
    async put({ hostnames, at, ...mark }) {
      for (const hostname of hostnames) put(mark, hostname, at);
    },

    count: async (mark) => marked(mark).length,

    async values({ accountId, kind }) {
      const own = [...state().marks.values()].filter((mark) => mark.accountId === accountId && mark.kind === kind);
      return [...new Set(own.map(({ value }) => value))].sort(compareUtf8);
    },

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
      for (const hostname of hostnames) remove(mark, hostname, since);
    },

    async putKeys({ accountId, keys, at }) {
      for (const { hostname, value } of keys) put(byKey(accountId, value), hostname, at);
    },

    async holders(values) {
      const wanted = new Set(values.map(wellFormed));
      const found = [...state().marks.values()].filter(({ kind, value }) => kind === 'key' && wanted.has(value));
      return found.sort(byValue).map(toMark);
    },

    async *unrenewedKeys({ accountId, since, batchSize }) {
      const old = [...state().marks.values()]
        .filter((mark) => mark.accountId === accountId && mark.kind === 'key' && mark.at < since.getTime())
        .sort(byValue);
      for (let start = 0; start < old.length; start += batchSize) {
        yield old.slice(start, start + batchSize).map(({ hostname, value }) => ({ hostname, value }));
      }
    },

    async removeKeys({ accountId, keys, since }) {
      for (const { hostname, value } of keys) remove(byKey(accountId, value), hostname, since);
    },

    async clear(accountId) {
      const own = [...state().marks].filter(([, mark]) => mark.accountId === accountId);
      for (const [key] of own) state().marks.delete(key);
      return own.length;
    },
  };
}

function byValue(left: HostMarkItem, right: HostMarkItem): number {
  return (
    compareUtf8(left.value, right.value) ||
    compareUtf8(left.hostname, right.hostname) ||
    compareUtf8(left.accountId, right.accountId)
  );
}

type HostMarkItem = Omit<HostMark, 'at'>;

function toMark({ at, ...mark }: Omit<HostMark, 'at'> & { readonly at: number }): HostMark {
  return { ...mark, at: new Date(at) };
}
