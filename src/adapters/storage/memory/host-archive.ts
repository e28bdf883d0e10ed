import { isUnseen, sweepDecision } from '../../../app/hosts/decisions/sweep.ts';
import type {
  AccountScope,
  Actor,
  ArchiveOutcome,
  ArchiveReason,
  ArchiveRequest,
  RestoreOutcome,
  SweepResult,
  UnseenSweep,
} from '../../../ports/index.ts';
import { FOLDER_POOL_TYPE, folderOfPool, poolWithSeatsBack } from '../shared/rule-text.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { activeHost, inScope } from './host-reads.ts';
import { putRule } from './rules.ts';
import { type MemoryState, removeWhere, type StoredHost } from './state.ts';

interface Archiving {
  readonly at: Date;
  readonly actor: Actor;
  readonly by: ArchiveReason;
}

export function archive(state: MemoryState, request: ArchiveRequest): ArchiveOutcome[] {
  const gone: StoredHost[] = [];
  const seen = new Set<string>();
  const outcomes = request.hostnames.map((hostname): ArchiveOutcome => {
    const host = activeHost(state, hostname, request.scope);
    if (host === undefined || seen.has(host.hostname)) return 'not_found';
    seen.add(host.hostname);
    gone.push(host);
    return 'archived';
  });
  archiveHosts(state, gone, request);
  return outcomes;
}

function archiveHosts(state: MemoryState, hosts: readonly StoredHost[], request: Archiving): void {
  const seats = new Map<string, number>();
  for (const host of hosts) {
    host.archive = { at: request.at.getTime(), by: request.by };
    if (host.folder !== null) seats.set(host.folder, (seats.get(host.folder) ?? 0) + 1);
    host.folder = null;
    const after = { at: request.at.toISOString(), by: request.by };
    const base = { hostname: host.hostname, at: request.at, actor: request.actor };
    state.remember({ ...base, kind: 'archived', changes: [{ path: 'archive', after }] });
  }
  giveSeatsBack(state, seats, request);
  if (hosts.length > 0) state.bump('hosts');
}

function giveSeatsBack(state: MemoryState, seats: ReadonlyMap<string, number>, change: Archiving): void {
  if (seats.size === 0) return;
  for (const pool of [...(state.rules.get(FOLDER_POOL_TYPE)?.values() ?? [])]) {
    const count = seats.get(folderOfPool(pool.document) ?? '');
    const document = count === undefined ? undefined : poolWithSeatsBack(pool.document, count);
    if (document === undefined) continue;
    putRule(state, { ...pool, document }, pool, change);
  }
}

export function restore(
  state: MemoryState,
  request: {
    readonly hostnames: readonly string[];
    readonly at: Date;
    readonly scope: AccountScope;
    readonly actor: Actor;
  },
): RestoreOutcome[] {
  let moved = false;
  const outcomes = request.hostnames.map((hostname): RestoreOutcome => {
    const host = state.hosts.get(wellFormed(hostname));
    if (host === undefined || host.archive === null || !inScope(host, request.scope)) return 'not_found';
    const before = { at: new Date(host.archive.at).toISOString(), by: host.archive.by };
    host.archive = null;
    host.folder = null;
    moved = true;
    const base = { hostname: host.hostname, at: request.at, actor: request.actor };
    state.remember({ ...base, kind: 'restored', changes: [{ path: 'archive', before }] });
    return 'restored';
  });
  if (moved) state.bump('hosts');
  return outcomes;
}

export function archiveUnseen(state: MemoryState, sweep: UnseenSweep): SweepResult {
  const except = new Set(sweep.except.map(wellFormed));
  const request = { ...sweep, seenBefore: sweep.seenBefore.getTime() };
  const unseen = hostsByName(state).filter((host) => !except.has(host.hostname) && isUnseen(host, request));
  const result = sweepDecision({ ...sweep, candidates: unseen.map((host) => host.hostname) });
  if (result.archived > 0) archiveHosts(state, unseen, { at: sweep.at, actor: sweep.actor, by: 'import' });
  return result;
}

function hostsByName(state: MemoryState): StoredHost[] {
  return state.names().flatMap((name) => state.hosts.get(name) ?? []);
}

export function archiveStale(
  state: MemoryState,
  request: { readonly seenBefore: Date; readonly accountId?: string; readonly at: Date; readonly actor: Actor },
): string[] {
  const stale: StoredHost[] = [];
  for (const name of state.names()) {
    const host = state.hosts.get(name);
    if (host === undefined || host.archive !== null || host.isObject) continue;
    if (request.accountId !== undefined && host.accountId !== request.accountId) continue;
    if ((host.lastSeen ?? host.createdAt) < request.seenBefore.getTime()) stale.push(host);
  }
  archiveHosts(state, stale, { at: request.at, actor: request.actor, by: 'stale' });
  return stale.map((host) => host.hostname);
}

export function purgeArchived(state: MemoryState, before: Date): number {
  let count = 0;
  for (const host of [...state.hosts.values()]) {
    if (host.archive === null || host.archive.at >= before.getTime()) continue;
    state.removeHost(host.hostname);
    state.history.delete(host.hostname);
    removeWhere(state.relations, (edge) => edge.hostname === host.hostname || edge.target === host.hostname);
    count++;
  }
  return count;
}
