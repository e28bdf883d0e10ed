import { labelChanges } from '../../../app/hosts/decisions/host-changes.ts';
import { bytesOf } from '../../../app/hosts/decisions/host-size.ts';
import { layeredLabels } from '../../../app/hosts/decisions/label-layers.ts';
import { jsonOfMembers, sameJson } from '../../../app/kernel/json/json-text.ts';
import {
  type ContributionOutcome,
  type ContributionWrite,
  type LabelOutcome,
  type LabelPreview,
  type LabelWrite,
  StoredJson,
} from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState, StoredHost } from './state.ts';

type Change = Pick<LabelWrite, 'at' | 'actor'>;

/** What would become of labels for a host that may not exist yet. */
function decideLabels(
  state: MemoryState,
  host: StoredHost | undefined,
  write: Pick<LabelWrite, 'account' | 'takeOver'>,
  labels: string,
): LabelPreview['outcome'] {
  if (host === undefined) return bytesOf(labels) > state.maxHostBytes ? 'too_large' : 'created';
  const foreign = host.accountId !== null && host.accountId !== write.account.id;
  if (foreign && !(write.takeOver === true && host.archive === null)) return 'account_conflict';
  if (host.archive?.by === 'operator') return 'archived';
  const own = ownLabels(host);
  if (state.outgrows(host, own, labels)) return 'too_large';
  if (host.accountId !== write.account.id || host.archive !== null) return 'updated';
  return sameJson(own, labels) ? 'unchanged' : 'updated';
}

/** The owner's labels without what others contribute. */
function ownLabels(host: StoredHost): string {
  for (const item of host.contributions.values()) if (item.owner) return item.labels;
  return host.labels;
}

export function saveLabels(state: MemoryState, write: LabelWrite): LabelOutcome[] {
  const entries = write.entries.map((entry) => ({ hostname: wellFormed(entry.hostname), labels: entry.labels.text }));
  for (const entry of entries) JSON.parse(entry.labels);
  let moved = false;
  const outcomes = entries.map((entry): LabelOutcome => {
    const host = state.hosts.get(entry.hostname);
    if (host !== undefined && write.runId !== undefined && host.runId === write.runId) return 'duplicate';
    const outcome = decideLabels(state, host, write, entry.labels);
    const moment = notBefore(host, write);
    if (outcome === 'account_conflict' || outcome === 'archived' || outcome === 'too_large') return outcome;
    if (outcome !== 'unchanged') moved = true;
    if (host === undefined) createHost(state, write, entry.hostname, entry.labels);
    else {
      host.lastSeen = moment.at.getTime();
      if (write.runId !== undefined) host.runId = write.runId;
      if (outcome === 'updated') updateHost(state, host, moment, entry.labels);
    }
    return outcome;
  });
  if (moved) state.bump('hosts');
  return outcomes;
}

/** Sights never move back. */
function notBefore(host: StoredHost | undefined, write: LabelWrite): LabelWrite {
  const seen = host?.lastSeen ?? null;
  return seen === null || seen <= write.at.getTime() ? write : { ...write, at: new Date(seen) };
}

function createHost(state: MemoryState, write: LabelWrite, hostname: string, labels: string): void {
  const at = write.at.getTime();
  state.addHost({
    hostname,
    accountId: write.account.id,
    isObject: write.account.isObject,
    objectType: write.account.objectType,
    labels,
    inventory: '{}',
    members: '{}',
    folder: null,
    createdAt: at,
    createdBy: write.actor,
    lastSeen: at,
    lastUpdate: at,
    archive: null,
    runId: write.runId ?? null,
    contributions: new Map(),
  });
}

function updateHost(state: MemoryState, host: StoredHost, write: LabelWrite, labels: string): void {
  const base = { hostname: host.hostname, at: write.at, actor: write.actor };
  host.lastUpdate = write.at.getTime();
  if (host.archive !== null) {
    const before = { at: new Date(host.archive.at).toISOString(), by: host.archive.by };
    host.archive = null;
    state.remember({ ...base, kind: 'restored', changes: [{ path: 'archive', before }] });
  }
  if (host.accountId !== write.account.id) {
    const before = host.accountId;
    host.accountId = write.account.id;
    host.isObject = write.account.isObject;
    host.objectType = write.account.objectType;
    host.contributions.delete(write.account.id);
    state.remember({ ...base, kind: 'account', changes: [{ path: 'account', before, after: write.account.id }] });
  }
  setOwnLabels(state, host, labels, write);
}

function setOwnLabels(state: MemoryState, host: StoredHost, labels: string, change: Change): boolean {
  const others = [...host.contributions.values()].filter((item) => !item.owner);
  host.contributions.clear();
  for (const item of others) host.contributions.set(item.accountId, item);
  if (others.length > 0) {
    const accountId = host.accountId ?? '';
    const at = change.at.getTime();
    host.contributions.set(accountId, { accountId, precedence: 0, owner: true, labels, at, runId: null });
  }
  return show(state, host, labels, change);
}

/** Lays all contributions over the owner's labels anew; `own` stands alone when there are none. True when it shows. */
function show(state: MemoryState, host: StoredHost, own: string, change: Change): boolean {
  const layers = [...host.contributions.values()];
  const visible = layers.length === 0 ? own : jsonOfMembers(layeredLabels(layers));
  const before = host.labels;
  if (sameJson(before, visible)) return false;
  host.labels = visible;
  const changes = labelChanges(before, visible);
  state.remember({ hostname: host.hostname, at: change.at, actor: change.actor, kind: 'labels', changes });
  return true;
}

export function previewLabels(state: MemoryState, write: Omit<LabelWrite, 'at' | 'actor' | 'runId'>): LabelPreview[] {
  return write.entries.map((entry) => {
    const host = state.hosts.get(wellFormed(entry.hostname));
    const outcome = decideLabels(state, host, write, entry.labels.text);
    return host === undefined ? { outcome } : { outcome, before: StoredJson.ofText(ownLabels(host)) };
  });
}

export function contributeLabels(state: MemoryState, write: ContributionWrite): ContributionOutcome[] {
  const entries = write.entries.map((entry) => ({ hostname: wellFormed(entry.hostname), labels: entry.labels.text }));
  for (const entry of entries) JSON.parse(entry.labels);
  let moved = false;
  const outcomes = entries.map((entry): ContributionOutcome => {
    const host = state.hosts.get(entry.hostname);
    if (host === undefined || host.archive !== null) return 'not_found';
    if (host.accountId === write.accountId) {
      if (host.runId === write.runId) return 'duplicate';
      if (state.outgrows(host, ownLabels(host), entry.labels)) return 'too_large';
      host.runId = write.runId;
      if (sameJson(ownLabels(host), entry.labels)) return 'unchanged';
      if (setOwnLabels(state, host, entry.labels, write)) {
        host.lastUpdate = write.at.getTime();
        moved = true;
      }
      return 'updated';
    }
    const present = host.contributions.get(write.accountId);
    if (present?.runId === write.runId) return 'duplicate';
    if (present?.precedence === write.precedence && sameJson(present.labels, entry.labels)) {
      const at = Math.max(present.at, write.at.getTime());
      host.contributions.set(write.accountId, { ...present, at, runId: write.runId });
      return 'unchanged';
    }
    if (state.outgrows(host, present?.labels ?? '', entry.labels)) return 'too_large';
    if (host.contributions.size === 0) {
      const accountId = host.accountId ?? '';
      const at = host.lastUpdate ?? host.createdAt;
      host.contributions.set(accountId, {
        accountId,
        precedence: 0,
        owner: true,
        labels: host.labels,
        at,
        runId: null,
      });
    }
    host.contributions.set(write.accountId, {
      accountId: write.accountId,
      precedence: write.precedence,
      owner: false,
      labels: entry.labels,
      at: Math.max(present?.at ?? 0, write.at.getTime()),
      runId: write.runId,
    });
    if (show(state, host, host.labels, write)) {
      host.lastUpdate = write.at.getTime();
      moved = true;
    }
    return 'updated';
  });
  if (moved) state.bump('hosts');
  return outcomes;
}

export function withdrawContributions(
  state: MemoryState,
  request: Change & {
    readonly accountId: string;
    readonly runId?: string;
    readonly seenBefore?: Date;
    readonly except: readonly string[];
  },
): number {
  const except = new Set(request.except.map(wellFormed));
  let count = 0;
  let moved = false;
  for (const host of state.hosts.values()) {
    const present = host.contributions.get(request.accountId);
    if (present === undefined || present.owner || except.has(host.hostname)) continue;
    if (request.runId !== undefined && (present.runId === request.runId || host.archive !== null)) continue;
    if (request.seenBefore !== undefined && present.at >= request.seenBefore.getTime()) continue;
    count++;
    const own = ownLabels(host);
    host.contributions.delete(request.accountId);
    if (![...host.contributions.values()].some((item) => !item.owner)) host.contributions.clear();
    if (show(state, host, own, request)) {
      host.lastUpdate = request.at.getTime();
      if (host.archive === null) moved = true;
    }
  }
  if (moved) state.bump('hosts');
  return count;
}
