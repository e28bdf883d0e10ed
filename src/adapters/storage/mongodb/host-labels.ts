import { ObjectId } from 'mongodb';
import { bytesOf, growsBeyond } from '../../../app/hosts/decisions/host-size.ts';
import { isCovered, labelsOf, ownerLayer, shownChange } from '../../../app/hosts/decisions/label-layers.ts';
import { type LabelChange, labelDecision, labelOutcome } from '../../../app/hosts/decisions/label-write.ts';
import { sameJson } from '../../../app/kernel/json/json-text.ts';
import {
  type LabelOutcome,
  type LabelPreview,
  type LabelWrite,
  StoredJson,
  type WritingAccount,
} from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { readByKeys } from './batches.ts';
import { archiveOf, type HostDoc, layerDoc, layerOf, stateOf } from './documents.ts';
import { changeHosts, type HostSlot, readSizes } from './host-writer.ts';
import type { Context } from './session.ts';

const JUDGED = { account: 1, archivedAt: 1, archivedBy: 1, labels: 1, contributions: 1 } as const;

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

function saveOne(slot: HostSlot, write: LabelWrite, labels: string): LabelOutcome {
  const { host } = slot;
  const own = host === undefined ? '' : ownLabels(host);
  const { outcome, change } = labelDecision(host && stateOf(host), write, {
    tooLarge: () => !slot.mayBecome(own, labels),
    same: () => sameJson(own, labels),
  });
  if (change === undefined) return outcome;
  if (outcome !== 'unchanged') slot.visible = true;
  if (host === undefined) {
    slot.host = newHost(slot.hostname, write, labels);
    return outcome;
  }
  host.lastSeen = new Date(change.at);
  host.run = change.runId;
  if (outcome === 'updated') update(slot, host, { change, account: write.account, labels });
  return outcome;
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

function update(
  slot: HostSlot,
  host: HostDoc,
  {
    change,
    account,
    labels,
  }: { readonly change: LabelChange; readonly account: WritingAccount; readonly labels: string },
): void {
  const at = new Date(change.at);
  host.lastUpdate = at;
  if (change.comesBack) bringBack(host);
  if (change.changesOwner) handOver(host, account);
  for (const remembered of change.remembered) slot.remember(remembered);
  setOwnLabels(slot, host, labels, at);
}

/** Takes a host out of the archive. */
export function bringBack(host: HostDoc): void {
  host.archived = false;
  host.archivedAt = null;
  host.archivedBy = null;
}

function handOver(host: HostDoc, account: WritingAccount): void {
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
  const own = layerDoc(ownerLayer(host.account, labels, at.getTime()));
  setContributions(host, others.length === 0 ? [] : [...others, own]);
  return showLabels(slot, host, labels);
}

export function setContributions(host: HostDoc, contributions: NonNullable<HostDoc['contributions']>): void {
  if (contributions.length > 0) host.contributions = contributions;
  else delete host.contributions;
}

/** Lays all contributions over what the owner gives anew. True when it shows. */
export function showLabels(slot: HostSlot, host: HostDoc, own: string): boolean {
  const layers = (host.contributions ?? []).map(layerOf);
  if (!isCovered(layers)) setContributions(host, []);
  const labels = labelsOf(layers, own);
  const remembered = shownChange(host.labels, labels);
  if (remembered === undefined) return false;
  host.labels = labels;
  slot.remember(remembered);
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
    const own = host === undefined ? '' : ownLabels(host);
    const size = host === undefined ? 0 : (sizes.get(host._id) ?? 0);
    const outcome = labelOutcome(host && { accountId: host.account, archive: archiveOf(host) }, write, {
      tooLarge: () => growsBeyond(context.maxHostBytes, size, bytesOf(own), bytesOf(labels)),
      same: () => sameJson(own, labels),
    });
    return host === undefined ? { outcome } : { outcome, before: StoredJson.ofText(own) };
  });
}
