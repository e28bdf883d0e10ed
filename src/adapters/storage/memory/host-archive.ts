import { archiveChange, archiving, isStale } from '../../../app/hosts/decisions/archive.ts';
import { seatsGivenBack } from '../../../app/hosts/decisions/folder-seats.ts';
import { isActive, isArchived, scopeTest } from '../../../app/hosts/decisions/scope.ts';
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
import { wellFormed } from '../shared/utf8-order.ts';
import { putRule } from './rules.ts';
import { type MemoryState, removeWhere, type StoredHost } from './state.ts';

interface ArchivedBy {
  readonly at: Date;
  readonly actor: Actor;
  readonly by: ArchiveReason;
}

export function archive(state: MemoryState, request: ArchiveRequest): ArchiveOutcome[] {
  const reaches = scopeTest(request.scope);
  const seats: string[] = [];
  const outcomes = request.hostnames.map((hostname): ArchiveOutcome => {
    const host = state.hosts.get(wellFormed(hostname));
    if (!isActive(host, reaches)) return 'not_found';
    archiveHost(state, host, request, seats);
    return 'archived';
  });
  giveSeatsBack(state, seats, request);
  if (outcomes.includes('archived')) state.bump('hosts');
  return outcomes;
}

function archiveAll(state: MemoryState, hosts: readonly StoredHost[], request: ArchivedBy): void {
  const seats: string[] = [];
  for (const host of hosts) archiveHost(state, host, request, seats);
  giveSeatsBack(state, seats, request);
  if (hosts.length > 0) state.bump('hosts');
}

function archiveHost(state: MemoryState, host: StoredHost, request: ArchivedBy, seats: string[]): void {
  const { archive, seatBack, remembered } = archiving(host, request);
  if (seatBack !== null) seats.push(seatBack);
  host.archive = archive;
  host.folder = null;
  state.remember({ hostname: host.hostname, at: request.at, actor: request.actor, ...remembered });
}

function giveSeatsBack(state: MemoryState, seats: readonly string[], change: ArchivedBy): void {
  if (seats.length === 0) return;
  const effect = seatsGivenBack(seats);
  for (const rule of [...(state.rules.get(effect.type)?.values() ?? [])]) {
    const document = effect.change(rule.document);
    if (document !== undefined) putRule(state, { ...rule, document }, rule, change);
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
  const reaches = scopeTest(request.scope);
  const outcomes = request.hostnames.map((hostname): RestoreOutcome => {
    const host = state.hosts.get(wellFormed(hostname));
    if (!isArchived(host, reaches)) return 'not_found';
    const remembered = archiveChange(host.archive, null);
    host.archive = null;
    host.folder = null;
    state.remember({ hostname: host.hostname, at: request.at, actor: request.actor, ...remembered });
    return 'restored';
  });
  if (outcomes.includes('restored')) state.bump('hosts');
  return outcomes;
}

export function archiveUnseen(state: MemoryState, sweep: UnseenSweep): SweepResult {
  const except = new Set(sweep.except.map(wellFormed));
  const request = { ...sweep, seenBefore: sweep.seenBefore.getTime() };
  const unseen = hostsByName(state).filter((host) => !except.has(host.hostname) && isUnseen(host, request));
  const result = sweepDecision({ ...sweep, candidates: unseen.map((host) => host.hostname) });
  if (result.archived > 0) archiveAll(state, unseen, { at: sweep.at, actor: sweep.actor, by: 'import' });
  return result;
}

function hostsByName(state: MemoryState): StoredHost[] {
  return state.names().flatMap((name) => state.hosts.get(name) ?? []);
}

export function archiveStale(
  state: MemoryState,
  request: { readonly seenBefore: Date; readonly accountId?: string; readonly at: Date; readonly actor: Actor },
): string[] {
  const { accountId = null, seenBefore, at, actor } = request;
  const limits = { accountId, seenBefore: seenBefore.getTime() };
  const stale = hostsByName(state).filter((host) => isStale(host, limits));
  archiveAll(state, stale, { at, actor, by: 'stale' });
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
