import { labelChanges } from '../../../app/hosts/decisions/host-changes.ts';
import { layeredLabels } from '../../../app/hosts/decisions/label-layers.ts';
import {
  type LabelDecision,
  type LabelLookup,
  labelDecision,
  labelOutcome,
} from '../../../app/hosts/decisions/label-write.ts';
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

/** Answers what is asked about labels in the place of the owner's. */
function lookUp(state: MemoryState, host: StoredHost | undefined, labels: string): LabelLookup {
  const own = host === undefined ? '' : ownLabels(host);
  return {
    tooLarge: () => state.outgrows(host, own, labels),
    same: () => sameJson(own, labels),
  };
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
  const outcomes = entries.map(({ hostname, labels }): LabelOutcome => {
    const host = state.hosts.get(hostname);
    const { outcome, change } = labelDecision(host, write, lookUp(state, host, labels));
    if (change === undefined) return outcome;
    if (outcome !== 'unchanged') moved = true;
    if (host === undefined) createHost(state, write, hostname, labels);
    else updateHost(state, host, { outcome, change, write, labels });
    return outcome;
  });
  if (moved) state.bump('hosts');
  return outcomes;
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

function updateHost(
  state: MemoryState,
  host: StoredHost,
  { outcome, change, write, labels }: Required<LabelDecision> & { readonly write: LabelWrite; readonly labels: string },
): void {
  host.lastSeen = change.at;
  host.runId = change.runId;
  if (outcome === 'unchanged') return;
  const by = { at: new Date(change.at), actor: write.actor };
  host.lastUpdate = change.at;
  if (change.comesBack) host.archive = null;
  if (change.changesOwner) {
    host.accountId = write.account.id;
    host.isObject = write.account.isObject;
    host.objectType = write.account.objectType;
    host.contributions.delete(write.account.id);
  }
  for (const remembered of change.remembered) state.remember({ hostname: host.hostname, ...by, ...remembered });
  setOwnLabels(state, host, labels, by);
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
    const outcome = labelOutcome(host, write, lookUp(state, host, entry.labels.text));
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
