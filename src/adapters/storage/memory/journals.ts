import {
  type AccessStore,
  type ChangePlace,
  HISTORY_CHARACTERS,
  type HistoryStore,
  type HostChange,
  type KeptChange,
  type LogEntry,
  type LogPlace,
  type LogStore,
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

export function memoryLogs(state: () => MemoryState): LogStore {
  return {
    async append(entry) {
      state().logs.push(structuredClone(entry));
    },
    async latest(request) {
      return newestFirst(state().logs, request.limit, (entry) => {
        return (request.source === undefined || entry.source === request.source) && isBefore(entry, request.before);
      });
    },
    async newestBySource() {
      const newest = new Map<string, LogEntry>();
      for (const entry of newestFirst(state().logs, Number.POSITIVE_INFINITY, () => true)) {
        if (!newest.has(entry.source)) newest.set(entry.source, entry);
      }
      return [...newest.values()]
        .map(({ details: _, ...head }) => head)
        .sort((a, b) => compareUtf8(a.source, b.source));
    },
    async prune(before) {
      const newest = new Map<string, string>();
      for (const entry of newestFirst(state().logs, Number.POSITIVE_INFINITY, () => true).reverse()) {
        newest.set(entry.source, entry.id);
      }
      return removeWhere(state().logs, (entry) => entry.at < before && newest.get(entry.source) !== entry.id);
    },
  };
}

export function memoryAccess(state: () => MemoryState): AccessStore {
  return {
    async recordTokenUse(uses) {
      for (const use of uses) {
        const known = state().tokenUses.get(use.tokenId);
        if (known === undefined || known < use.at) state().tokenUses.set(use.tokenId, new Date(use.at));
      }
    },
    async tokenUses(tokenIds) {
      const found = new Map<string, Date>();
      for (const id of tokenIds) {
        const at = state().tokenUses.get(id);
        if (at !== undefined) found.set(id, new Date(at));
      }
      return found;
    },
    async useOnce({ key, now, until }) {
      const { usedOnce } = state();
      for (const [known, end] of usedOnce) if (end < now.getTime()) usedOnce.delete(known);
      if (usedOnce.has(key)) return false;
      usedOnce.set(key, until.getTime());
      return true;
    },
  };
}

/** True for what stands before the place, where there is one. */
export function isBefore(entry: LogPlace, place: LogPlace | undefined): boolean {
  if (place === undefined) return true;
  const distance = entry.at.getTime() - place.at.getTime();
  return distance < 0 || (distance === 0 && entry.id < place.id);
}

export function newestFirst<T extends LogPlace>(
  entries: readonly T[],
  limit: number,
  matches: (entry: T) => boolean,
): T[] {
  return entries
    .filter(matches)
    .sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
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
