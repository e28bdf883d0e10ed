import {
  type ContributionDecision,
  contributionDecision,
  type Giver,
  isWithdrawn,
} from '../../../app/hosts/decisions/contribution.ts';
import {
  type HostLayer,
  isCovered,
  labelsOf,
  ownerLayer,
  shownChange,
} from '../../../app/hosts/decisions/label-layers.ts';
import {
  type LabelDecision,
  type LabelLookup,
  labelDecision,
  labelOutcome,
} from '../../../app/hosts/decisions/label-write.ts';
import { sameJson } from '../../../app/kernel/json/json-text.ts';
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
  for (const layer of host.contributions.values()) if (layer.owner) host.contributions.delete(layer.accountId);
  if (host.contributions.size > 0) setLayer(host, ownerLayer(host.accountId, labels, change.at.getTime()));
  return show(state, host, labels, change);
}

function setLayer(host: StoredHost, layer: HostLayer): void {
  host.contributions.set(layer.accountId, layer);
}

/** Lays all contributions over what the owner gives anew. True when it shows. */
function show(state: MemoryState, host: StoredHost, own: string, change: Change): boolean {
  const layers = [...host.contributions.values()];
  if (!isCovered(layers)) host.contributions.clear();
  const labels = labelsOf(layers, own);
  const remembered = shownChange(host.labels, labels);
  if (remembered === undefined) return false;
  host.labels = labels;
  state.remember({ hostname: host.hostname, at: change.at, actor: change.actor, ...remembered });
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
  const outcomes = entries.map(({ hostname, labels }): ContributionOutcome => {
    const host = state.hosts.get(hostname);
    if (host === undefined) return 'not_found';
    const { outcome, gives } = contributionDecision(host, write, labels, {
      given: () => host.contributions.get(write.accountId),
      own: () => ownLabels(host),
      tooLarge: (as) => state.outgrows(host, labelsGiven(host, write, as), labels),
    });
    if (gives === undefined) return outcome;
    if (contribute(state, host, { outcome, gives, write, labels })) {
      host.lastUpdate = write.at.getTime();
      moved = true;
    }
    return outcome;
  });
  if (moved) state.bump('hosts');
  return outcomes;
}

function labelsGiven(host: StoredHost, { accountId }: ContributionWrite, as: Giver): string {
  return as === 'owner' ? ownLabels(host) : (host.contributions.get(accountId)?.labels ?? '');
}

type Contributed = Required<ContributionDecision> & { readonly write: ContributionWrite; readonly labels: string };

/** True when what consumers see changes. */
function contribute(state: MemoryState, host: StoredHost, { outcome, gives, write, labels }: Contributed): boolean {
  const { accountId, precedence, runId } = write;
  if (gives.as === 'owner') {
    host.runId = runId;
    return outcome === 'updated' && setOwnLabels(state, host, labels, write);
  }
  const given = host.contributions.get(accountId);
  if (outcome === 'unchanged' && given !== undefined) {
    setLayer(host, { ...given, at: gives.at, runId });
    return false;
  }
  const own = ownLabels(host);
  if (host.contributions.size === 0) {
    setLayer(host, ownerLayer(host.accountId, own, host.lastUpdate ?? host.createdAt));
  }
  setLayer(host, { accountId, precedence, owner: false, labels, at: gives.at, runId });
  return show(state, host, own, write);
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
  const withdrawal = { runId: request.runId ?? null, seenBefore: request.seenBefore?.getTime() ?? null };
  let count = 0;
  let moved = false;
  for (const host of state.hosts.values()) {
    const present = host.contributions.get(request.accountId);
    if (except.has(host.hostname) || !isWithdrawn(host, present, withdrawal)) continue;
    count++;
    const own = ownLabels(host);
    host.contributions.delete(request.accountId);
    if (show(state, host, own, request)) {
      host.lastUpdate = request.at.getTime();
      if (host.archive === null) moved = true;
    }
  }
  if (moved) state.bump('hosts');
  return count;
}
