import { archiveStale, archiveUnseen, isStale } from '../../../app/hosts/decisions/archive.ts';
import { withdrawContributions } from '../../../app/hosts/decisions/contribution.ts';
import { type RuleEffect, ruleChangesOf } from '../../../app/hosts/decisions/folder-seats.ts';
import { type DraftHost, HostDraft, sizeOfParts } from '../../../app/hosts/decisions/host-draft.ts';
import type { NamedChange } from '../../../app/hosts/decisions/named-change.ts';
import { isProtected } from '../../../app/hosts/decisions/protection.ts';
import { isArchived, scopeTest } from '../../../app/hosts/decisions/scope.ts';
import { isUnseen, sweepDecision } from '../../../app/hosts/decisions/sweep.ts';
import { templatesOf } from '../../../kit/document/templates.ts';
import type { Actor, HostStore, PurgeOutcome, SweepResult, UnseenSweep } from '../../../ports/index.ts';
import { removalsOfHost } from '../records/host-records.ts';
import { notesOfDraft, reachNote } from '../shared/feed-notes.ts';
import { type HostsRequest, named } from '../shared/host-writes.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { putRule } from './rules.ts';
import { type MemoryState, removeWhere, type StoredHost } from './state.ts';

/** Lets a change decide on each host and stores what it made of it. */
export function changeHosts<Message, Entry, Outcome>(
  state: MemoryState,
  change: NamedChange<Message, Entry, Outcome>,
  { message, hostnames, entries, texts }: HostsRequest<Message, Entry>,
): readonly Outcome[] {
  for (const text of texts) JSON.parse(text);
  const decide = change.deciding(message);
  const effects: RuleEffect[] = [];
  let visible = false;
  const outcomes = entries.map((entry, index) => {
    const draft = draftOf(state, hostnames[index] ?? '');
    const outcome = decide(draft, entry);
    store(state, draft);
    effects.push(...draft.effects);
    visible ||= draft.visible;
    return outcome;
  });
  applyEffects(state, effects);
  if (visible) state.bump('hosts');
  return outcomes;
}

function draftOf(state: MemoryState, hostname: string): HostDraft {
  const stored = state.hosts.get(hostname);
  const host = stored && { ...stored, layers: [...stored.contributions.values()] };
  return new HostDraft(hostname, host, { limit: state.maxHostBytes, weigh: sizeOfParts });
}

function store(state: MemoryState, draft: HostDraft): void {
  const { hostname, host, createdBy, changes, history, relations } = draft;
  const stored = state.hosts.get(hostname);
  if (stored !== undefined) Object.assign(stored, keptOf(changes));
  else if (host !== undefined && createdBy !== undefined) {
    state.addHost({ ...host, hostname, createdBy: createdBy.actor, contributions: byAccount(host) });
  }
  const references = history.map((entry) => state.remember({ hostname, ...entry }));
  state.addToFeed(notesOfDraft(draft, references, () => templatesOf(host?.members ?? '{}')));
  if (relations === undefined) return;
  removeWhere(state.relations, (edge) => edge.hostname === hostname);
  for (const relation of relations) state.relations.push({ ...relation, hostname, namedAt: null });
}

function keptOf({ layers, ...changes }: Partial<DraftHost>): Partial<StoredHost> {
  return layers === undefined ? changes : { ...changes, contributions: byAccount({ layers }) };
}

function byAccount({ layers }: Pick<DraftHost, 'layers'>): StoredHost['contributions'] {
  return new Map(layers.map((layer) => [layer.accountId, layer]));
}

function applyEffects(state: MemoryState, effects: readonly RuleEffect[]): void {
  const by = effects.at(-1);
  if (by === undefined) return;
  for (const { type, change } of ruleChangesOf(effects)) {
    for (const rule of [...(state.rules.get(type)?.values() ?? [])]) {
      const document = change(rule.document);
      if (document !== undefined) putRule(state, { ...rule, document }, rule, by);
    }
  }
}

type Request<Name extends 'withdrawContributions' | 'archiveStale' | 'purge'> = Parameters<HostStore[Name]>[0];

export function withdraw(state: MemoryState, request: Request<'withdrawContributions'>): number {
  const { accountId, runId = null, at, actor } = request;
  const message = { accountId, runId, seenBefore: request.seenBefore?.getTime() ?? null, at, actor };
  const except = new Set(request.except.map(wellFormed));
  const names = namesOf(state, (host) => host.contributions.has(accountId) && !except.has(host.hostname));
  return changeHosts(state, withdrawContributions, { message, ...named(names) }).filter(Boolean).length;
}

export function sweepUnseen(state: MemoryState, sweep: UnseenSweep): SweepResult {
  const { accountId, runId, at, actor } = sweep;
  const message = { accountId, runId, seenBefore: sweep.seenBefore.getTime(), at, actor };
  const except = new Set(sweep.except.map(wellFormed));
  const { objectType } = sweep;
  const candidates = namesOf(state, (host) => {
    const isMeant = objectType === undefined || host.objectType === objectType;
    return isMeant && isUnseen(host, message) && !except.has(host.hostname);
  });
  const result = sweepDecision({ ...sweep, candidates });
  if (result.archived > 0) changeHosts(state, archiveUnseen, { message, ...named(candidates) });
  return result;
}

export function sweepStale(state: MemoryState, request: Request<'archiveStale'>): readonly string[] {
  const { accountId = null, at, actor } = request;
  const message = { accountId, seenBefore: request.seenBefore.getTime(), at, actor };
  const names = namesOf(state, (host) => isStale(host, message));
  const archived = changeHosts(state, archiveStale, { message, ...named(names) });
  return names.filter((_, index) => archived[index]);
}

function namesOf(state: MemoryState, isMeant: (host: StoredHost) => boolean): readonly string[] {
  return state.names().filter((name) => {
    const host = state.hosts.get(name);
    return host !== undefined && isMeant(host);
  });
}

export function purgeArchived(state: MemoryState, before: Date, by: PurgedBy): number {
  let count = 0;
  for (const host of [...state.hosts.values()]) {
    if (host.archive === null || host.archive.at >= before.getTime() || isProtected(host.members)) continue;
    removeForGood(state, host.hostname, by);
    count++;
  }
  return count;
}

export function purgeNamed(
  state: MemoryState,
  { hostnames, scope, at, actor }: Request<'purge'>,
): readonly PurgeOutcome[] {
  const reaches = scopeTest(scope);
  return hostnames.map(wellFormed).map((hostname) => {
    if (!isArchived(state.hosts.get(hostname), reaches)) return 'not_found';
    removeForGood(state, hostname, { at, actor });
    return 'purged';
  });
}

interface PurgedBy {
  readonly at: Date;
  readonly actor: Actor;
}

function removeForGood(state: MemoryState, name: string, { at, actor }: PurgedBy): void {
  const { accountId = null, members = '{}' } = state.hosts.get(name) ?? {};
  const note = {
    kind: 'deleted',
    hostname: name,
    ...reachNote({ accountId, templates: templatesOf(members) }),
  } as const;
  state.addToFeed([{ at, actor, note }]);
  state.removeHost(name);
  state.history.delete(name);
  for (const [number, { hostname }] of state.changes) if (hostname === name) state.changes.delete(number);
  removeWhere(state.relations, (edge) => edge.hostname === name || edge.target === name);
  for (const [key, { hostname }] of state.marks) if (hostname === name) state.marks.delete(key);
  for (const removal of removalsOfHost(name)) state.records.remove(removal);
}
