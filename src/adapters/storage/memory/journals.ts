import {
  type ChangePlace,
  HISTORY_CHARACTERS,
  type HistoryStore,
  type HostChange,
  type KeptChange,
} from '../../../ports/index.ts';
import { keptChange } from '../shared/kept-change.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import { type MemoryState, removeWhere } from './state.ts';

export function memoryHistory(state: () => MemoryState): HistoryStore {
  return {
    async ofHost(hostname, limit) {
      const host = state().hosts.get(wellFormed(hostname));
      if (host === undefined) return [];
      const { createdBy: actor, createdAt } = host;
      const created: HostChange = {
        hostname: host.hostname,
        at: new Date(createdAt),
        actor,
        kind: 'created',
        changes: [],
      };
      const changes = [...(state().history.get(host.hostname) ?? [])].reverse().sort((a, b) => +b.at - +a.at);
      return fitting([...changes, created].slice(0, limit));
    },

    async latest({ limit, from, before }) {
      const changes = [...state().history.values()]
        .flatMap((own) => [...own].reverse())
        .filter(({ at, hostname }) => (from === undefined || at >= from) && isBehind(at, hostname, before))
        .sort((a, b) => +b.at - +a.at || compareUtf8(a.hostname, b.hostname));
      return fitting(wholeMoments(changes, limit));
    },

    async moves(hostnames) {
      return hostnames
        .flatMap((hostname) => [...(state().history.get(wellFormed(hostname)) ?? [])].reverse())
        .filter(({ kind }) => kind === 'account')
        .sort((a, b) => +b.at - +a.at);
    },

    async prune(before) {
      let count = 0;
      const { history, changes: numbered, feedRows } = state();
      for (const changes of history.values()) count += removeWhere(changes, (change) => change.at < before);
      for (const [number, change] of numbered) if (change.at < before) numbered.delete(number);
      const last = feedRows.findLast(({ at }) => at < before);
      if (last !== undefined) {
        state().feedPruned = last.place;
        removeWhere(feedRows, ({ place }) => place <= last.place);
      }
      return count;
    },
  };
}

function isBehind(at: Date, hostname: string, before: ChangePlace | undefined): boolean {
  if (before === undefined || at < before.at) return true;
  return +at === +before.at && compareUtf8(hostname, wellFormed(before.hostname)) > 0;
}

/** With the rest of what happened to the last host at that moment. */
function wholeMoments(changes: readonly HostChange[], limit: number): readonly HostChange[] {
  const last = changes[limit - 1];
  let end = limit;
  while (last !== undefined && changes[end]?.hostname === last.hostname && +(changes[end]?.at ?? 0) === +last.at) end++;
  return changes.slice(0, end);
}

/** The first ones that hold `HISTORY_CHARACTERS` together. */
function fitting(changes: readonly HostChange[]): readonly KeptChange[] {
  const kept: KeptChange[] = [];
  let room = HISTORY_CHARACTERS;
  for (const { changes: values, ...change } of changes) {
    if (room <= 0) break;
    const next = keptChange(change, JSON.stringify(values));
    kept.push(next);
    room -= next.characters;
  }
  return kept;
}
