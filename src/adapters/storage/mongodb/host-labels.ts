import { ObjectId } from 'mongodb';
import { archiveChange } from '../../../app/hosts/decisions/archive.ts';
import { labelChanges, ownerChange } from '../../../app/hosts/decisions/host-changes.ts';
import { bytesOf, growsBeyond } from '../../../app/hosts/decisions/host-size.ts';
import { layeredLabels } from '../../../app/hosts/decisions/label-layers.ts';
import { jsonOfMembers, sameJson } from '../../../app/kernel/json/json-text.ts';
import {
  type LabelOutcome,
  type LabelPreview,
  type LabelWrite,
  StoredJson,
  type WritingAccount,
} from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { readByKeys } from './batches.ts';
import { type HostDoc, stateOf } from './documents.ts';
import { changeHosts, type HostSlot, readSizes } from './host-writer.ts';
import type { Context } from './session.ts';

/** Precedence of the owner's own labels. */
export const OWNER_PRECEDENCE = 0;

type Judged = Pick<HostDoc, 'account' | 'archived' | 'archivedBy' | 'labels' | 'contributions'>;
const JUDGED = { account: 1, archived: 1, archivedBy: 1, labels: 1, contributions: 1 } as const;

export async function saveLabels(context: Context, write: LabelWrite): Promise<LabelOutcome[]> {
  return decideEntries(context, write, (slot, labels) => saveOne(slot, write, labels));
}

/** Decides label entries host by host, those of one host in order; one answer an entry, in the order of the entries. */
export async function decideEntries<T>(
  context: Context,
  write: Pick<LabelWrite, 'entries' | 'at' | 'actor'>,
  decide: (slot: HostSlot, labels: string) => T,
): Promise<T[]> {
  const texts = write.entries.map((entry) => entry.labels.text);
  for (const text of texts) JSON.parse(text);
  const { names, entriesOf } = grouped(write.entries.map((entry) => entry.hostname));
  const answers = await changeHosts(context, {
    hostnames: names,
    read: ['labels', 'contributions'],
    at: write.at,
    actor: write.actor,
    decide: (slot) => (entriesOf.get(slot.hostname) ?? []).map((index) => decide(slot, texts[index] ?? '{}')),
  });
  return inOrder(write.entries.length, entriesOf, answers);
}

/** Which entries speak of which host, so that the entries of one host are applied in order by one write. */
export function grouped(hostnames: readonly string[]): {
  readonly names: readonly string[];
  readonly entriesOf: ReadonlyMap<string, readonly number[]>;
} {
  const entriesOf = new Map<string, number[]>();
  hostnames.forEach((given, index) => {
    const hostname = wellFormed(given);
    const entries = entriesOf.get(hostname);
    if (entries === undefined) entriesOf.set(hostname, [index]);
    else entries.push(index);
  });
  return { names: [...entriesOf.keys()], entriesOf };
}

export function inOrder<T>(
  count: number,
  entriesOf: ReadonlyMap<string, readonly number[]>,
  answers: ReadonlyMap<string, readonly T[]>,
): T[] {
  const ordered = new Array<T>(count);
  for (const [hostname, entries] of entriesOf) {
    const given = answers.get(hostname) ?? [];
    entries.forEach((entry, index) => {
      const answer = given[index];
      if (answer !== undefined) ordered[entry] = answer;
    });
  }
  return ordered;
}

function saveOne(slot: HostSlot, given: LabelWrite, labels: string): LabelOutcome {
  const { host } = slot;
  const write = notBefore(host?.lastSeen ?? null, given);
  if (host !== undefined && write.runId !== undefined && host.run === write.runId) return 'duplicate';
  const outcome = decideLabels(host, write, labels, (before) => slot.mayBecome(before, labels));
  if (outcome === 'account_conflict' || outcome === 'archived' || outcome === 'too_large') return outcome;
  if (outcome !== 'unchanged') slot.visible = true;
  if (host === undefined) {
    slot.host = newHost(slot.hostname, write, labels);
    return outcome;
  }
  host.lastSeen = write.at;
  if (write.runId !== undefined) host.run = write.runId;
  if (outcome === 'updated') update(slot, host, write, labels);
  return outcome;
}

/** A write may wait for others that were begun later; sights never move back. */
function notBefore(lastSeen: Date | null, write: LabelWrite): LabelWrite {
  return lastSeen === null || lastSeen <= write.at ? write : { ...write, at: lastSeen };
}

/** What would become of labels for a host that may not exist yet. */
function decideLabels(
  host: Judged | undefined,
  write: Pick<LabelWrite, 'account' | 'takeOver'>,
  labels: string,
  mayReplace: (before: string) => boolean,
): LabelPreview['outcome'] {
  if (host === undefined) return mayReplace('') ? 'created' : 'too_large';
  const foreign = host.account !== null && host.account !== write.account.id;
  if (foreign && !(write.takeOver === true && !host.archived)) return 'account_conflict';
  if (host.archivedBy === 'operator') return 'archived';
  const own = ownLabels(host);
  if (!mayReplace(own)) return 'too_large';
  if (host.account !== write.account.id || host.archived) return 'updated';
  return sameJson(own, labels) ? 'unchanged' : 'updated';
}

/** The owner's labels without what others contribute. */
export function ownLabels(host: Pick<HostDoc, 'labels' | 'contributions'>): string {
  return host.contributions?.find((item) => item.owner)?.labels ?? host.labels;
}

function newHost(hostname: string, write: LabelWrite, labels: string): HostDoc {
  return {
    _id: hostname,
    v: 0,
    w: new ObjectId(),
    account: write.account.id,
    isObject: write.account.isObject,
    objectType: write.account.objectType,
    labels,
    inventory: '{}',
    members: '{}',
    folder: null,
    createdAt: write.at,
    createdBy: { kind: write.actor.kind, name: write.actor.name },
    lastSeen: write.at,
    lastUpdate: write.at,
    sight: write.at,
    archived: false,
    archivedAt: null,
    archivedBy: null,
    run: write.runId ?? null,
    change: null,
  };
}

function update(slot: HostSlot, host: HostDoc, write: LabelWrite, labels: string): void {
  host.lastUpdate = write.at;
  if (host.archived) bringBack(slot, host);
  if (host.account !== write.account.id) handOver(slot, host, write.account);
  setOwnLabels(slot, host, labels, write.at);
}

/** Takes a host out of the archive. */
export function bringBack(slot: HostSlot, host: HostDoc): void {
  slot.remember(archiveChange(stateOf(host).archive, null));
  host.archived = false;
  host.archivedAt = null;
  host.archivedBy = null;
}

function handOver(slot: HostSlot, host: HostDoc, account: WritingAccount): void {
  slot.remember(ownerChange(host.account, account.id));
  host.account = account.id;
  host.isObject = account.isObject;
  host.objectType = account.objectType;
  setContributions(
    host,
    (host.contributions ?? []).filter((item) => item.account !== account.id),
  );
}

/** Replaces the owner's own labels. True when the visible ones differ then. */
export function setOwnLabels(slot: HostSlot, host: HostDoc, labels: string, at: Date): boolean {
  const others = (host.contributions ?? []).filter((item) => !item.owner);
  const account = host.account ?? '';
  const own = { account, precedence: OWNER_PRECEDENCE, owner: true, labels, at, run: null };
  setContributions(host, others.length === 0 ? [] : [...others, own]);
  return showLabels(slot, host, labels);
}

export function setContributions(host: HostDoc, contributions: NonNullable<HostDoc['contributions']>): void {
  if (contributions.length > 0) host.contributions = contributions;
  else delete host.contributions;
}

/** Lays all contributions over the owner's labels anew; `own` stands alone when there are none. True when it shows. */
export function showLabels(slot: HostSlot, host: HostDoc, own: string): boolean {
  const layers = (host.contributions ?? []).map(({ account, precedence, labels }) => ({
    accountId: account,
    precedence,
    labels,
  }));
  const visible = layers.length === 0 ? own : jsonOfMembers(layeredLabels(layers));
  const before = host.labels;
  if (sameJson(before, visible)) return false;
  host.labels = visible;
  slot.remember({ kind: 'labels', changes: labelChanges(before, visible) });
  return true;
}

export async function previewLabels(
  context: Context,
  write: Omit<LabelWrite, 'at' | 'actor' | 'runId'>,
): Promise<LabelPreview[]> {
  const { names } = grouped(write.entries.map((entry) => entry.hostname));
  const docs = await readByKeys(names, (keys) =>
    context.database.hosts.find({ _id: { $in: keys } }, { projection: JUDGED }).toArray(),
  );
  const present = new Map(docs.map((doc) => [doc._id, doc]));
  const sizes = await readSizes(context, [...present.keys()]);
  return write.entries.map((entry) => {
    const host = present.get(wellFormed(entry.hostname));
    const labels = entry.labels.text;
    const size = host === undefined ? 0 : (sizes.get(host._id) ?? 0);
    const outcome = decideLabels(
      host,
      write,
      labels,
      (before) => !growsBeyond(context.maxHostBytes, size, bytesOf(before), bytesOf(labels)),
    );
    return host === undefined ? { outcome } : { outcome, before: StoredJson.ofText(ownLabels(host)) };
  });
}
