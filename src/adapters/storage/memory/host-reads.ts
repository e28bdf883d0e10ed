import { compareLayers } from '../../../app/hosts/decisions/label-layers.ts';
import { isActive, scopeTest } from '../../../app/hosts/decisions/scope.ts';
import {
  type AccountHosts,
  type Contribution,
  type HostCounters,
  type HostFilter,
  type HostRecord,
  type HostScope,
  type HostSearch,
  PAGE_CHARACTERS,
  StoredJson,
} from '../../../ports/index.ts';
import { accountHostsOf } from '../shared/host-counts.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState, StoredHost } from './state.ts';

export function toRecord(host: StoredHost): HostRecord {
  return {
    hostname: host.hostname,
    accountId: host.accountId,
    isObject: host.isObject,
    objectType: host.objectType,
    labels: StoredJson.ofText(host.labels),
    inventory: StoredJson.ofText(host.inventory),
    members: StoredJson.ofText(host.members),
    folder: host.folder,
    createdAt: new Date(host.createdAt),
    lastSeen: host.lastSeen === null ? null : new Date(host.lastSeen),
    lastUpdate: host.lastUpdate === null ? null : new Date(host.lastUpdate),
    archive: host.archive === null ? null : { at: new Date(host.archive.at), by: host.archive.by },
  };
}

/** The active host of that name in scope. */
export function activeHost(state: MemoryState, hostname: string, scope: HostScope): StoredHost | undefined {
  const host = state.hosts.get(wellFormed(hostname));
  return isActive(host, scopeTest(scope)) ? host : undefined;
}

/** The host of that name in whatever state. */
export function find(state: MemoryState, hostname: string): HostRecord | undefined {
  const host = state.hosts.get(wellFormed(hostname));
  return host === undefined ? undefined : toRecord(host);
}

/** Whether a host is one that the filter means. */
export function matching({ kind, state, scope }: HostFilter): (host: StoredHost) => boolean {
  const reaches = scopeTest(scope);
  return (host) => {
    if (kind !== 'all' && host.isObject !== (kind === 'objects')) return false;
    if (state !== 'any' && (host.archive === null) !== (state === 'active')) return false;
    return reaches(host);
  };
}

export function pageOf(
  state: MemoryState,
  filter: HostFilter,
  offset: number,
  limit: number,
  after: string | undefined,
): HostRecord[] {
  const page: HostRecord[] = [];
  const matches = matching(filter);
  let skip = offset;
  let characters = 0;
  for (const name of state.names()) {
    if (page.length >= limit || characters >= PAGE_CHARACTERS) break;
    if (after !== undefined && compareUtf8(name, after) <= 0) continue;
    const host = state.hosts.get(name);
    if (host === undefined || !matches(host)) continue;
    if (skip-- > 0) continue;
    page.push(toRecord(host));
    characters += host.labels.length + host.inventory.length;
  }
  return page;
}

/** Whether a record holds a text of each list, in whatever case. */
export function holds(lists: HostSearch['holding']): (host: HostRecord) => boolean {
  const wanted = lists.map((texts) => texts.map((text) => text.toLowerCase()));
  return ({ hostname, labels, inventory }) => {
    const held = [hostname, labels.text, inventory.text].map((text) => text.toLowerCase());
    return wanted.every((texts) => texts.some((text) => held.some((where) => where.includes(text))));
  };
}

export function countersOf(state: MemoryState, scope: HostScope, checkpoint: Date): HostCounters {
  let hosts = 0;
  let objects = 0;
  let notSeenSince = 0;
  const reaches = scopeTest(scope);
  for (const host of state.hosts.values()) {
    if (!isActive(host, reaches)) continue;
    if (host.isObject) objects++;
    else {
      hosts++;
      if ((host.lastSeen ?? host.createdAt) < checkpoint.getTime()) notSeenSince++;
    }
  }
  return { hosts, objects, notSeenSince };
}

export function countsByAccount(state: MemoryState): AccountHosts[] {
  return accountHostsOf(
    [...state.hosts.values()].map(({ accountId, archive, isObject }) => {
      return { account: accountId, isArchived: archive !== null, isObject, count: 1 };
    }),
  );
}

export function contributionsOf(state: MemoryState, hostname: string): Contribution[] {
  const host = state.hosts.get(wellFormed(hostname));
  if (host === undefined) return [];
  return [...host.contributions.values()].sort(compareLayers).map((item) => ({
    accountId: item.accountId,
    precedence: item.precedence,
    owner: item.owner,
    labels: StoredJson.ofText(item.labels),
    at: new Date(item.at),
  }));
}
