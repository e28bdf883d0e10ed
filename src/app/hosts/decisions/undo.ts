import { jsonMembers, jsonOfMembers, sameJson } from '../../../kit/json/json-text.ts';
import type { JsonValue, UndoOutcome, ValueChange } from '../../../ports/index.ts';
import { putAway, takeOut } from './archive.ts';
import { inventoryChanges, ownerChange, type Remembered } from './host-changes.ts';
import type { ChangedBy, DraftHost, HostDraft } from './host-draft.ts';
import type { HostState } from './host-state.ts';
import { type HostLayer, layeredLabels, ownLabels, setOwnLabels, showLabels } from './label-layers.ts';
import type { NamedChange } from './named-change.ts';

type Archive = NonNullable<HostState['archive']>;

export interface UndoMessage extends ChangedBy {
  /** The account whose run it was. */
  readonly accountId: string;
  /** When the run began, milliseconds; absent if that is not known. */
  readonly began?: number;
  /** When it ended, milliseconds. */
  readonly ended: number;
}

/** The changes a run made to a host at one moment, as recorded in the history. */
export type UndoneMoment = readonly Remembered[];

/** Undoes one change; `changed` if the value is a different one by now, `undefined` if it already was the old one. */
type Step = (() => void) | 'changed' | undefined;

/** The steps that undo a moment, or the outcome that prevents it. Each looks at another part, so none depends on another. */
function stepsBack(
  draft: HostDraft,
  moment: UndoneMoment,
  message: UndoMessage,
): readonly (() => void)[] | UndoOutcome {
  const { host } = draft;
  if (host === undefined) return 'not_found';
  const steps = moment.map((change) => stepOf(draft, host, change, message));
  if (steps.includes('changed')) return 'changed';
  const taken = steps.filter((step) => typeof step === 'function');
  return taken.length === 0 ? 'unchanged' : taken;
}

function stepOf(draft: HostDraft, host: DraftHost, { kind, changes }: Remembered, message: UndoMessage): Step {
  if ((kind === 'labels' || kind === 'inventory') && isArchivedAgain(host, message)) return undefined;
  switch (kind) {
    case 'created':
      return creation(draft, host, message);
    case 'archived':
    case 'restored':
      return archiveState(draft, host, changes, message);
    case 'account':
      return owner(draft, host, changes, message);
    case 'labels':
      return host.archive === null ? labels(draft, host, changes, message) : 'changed';
    case 'inventory':
      return host.archive === null ? sections(draft, host, changes, message) : 'changed';
    case 'renamed':
      return 'changed';
  }
}

/** Whether the run made the host, and undoing it has archived the host as a whole. */
function isArchivedAgain({ archive, accountId, createdAt }: DraftHost, message: UndoMessage): boolean {
  const { began, ended } = message;
  if (began === undefined || archive?.by !== 'import' || accountId !== message.accountId) return false;
  return createdAt >= began && createdAt <= ended;
}

/** Archives a host that has not changed since the run made it; its source can restore it from the archive. */
function creation(draft: HostDraft, host: DraftHost, message: UndoMessage): Step {
  const { archive, accountId, lastUpdate, runId } = host;
  if (archive !== null) return undefined;
  // No import writes a host without a run: another caller has made it meanwhile.
  if (runId === null || accountId !== message.accountId || (lastUpdate ?? 0) > message.ended) return 'changed';
  return () => putAway(draft, host, 'import', message);
}

function archiveState(draft: HostDraft, host: DraftHost, [change]: readonly ValueChange[], by: ChangedBy): Step {
  const before = archiveOf(change?.before);
  if (isSameArchive(host.archive, before)) return undefined;
  if (!isSameArchive(host.archive, archiveOf(change?.after))) return 'changed';
  if (before === null) return () => takeOut(draft, host, by);
  return () => putAway(draft, host, before.by, by, new Date(before.at));
}

/** As `archiveChange` shows it. */
function archiveOf(value: JsonValue | undefined): Archive | null {
  if (value === undefined || value === null) return null;
  const { at, by } = value as { readonly at: string; readonly by: Archive['by'] };
  return { at: Date.parse(at), by };
}

function isSameArchive(left: Archive | null, right: Archive | null): boolean {
  return left?.at === right?.at && left?.by === right?.by;
}

function owner(draft: HostDraft, { accountId }: DraftHost, [change]: readonly ValueChange[], by: ChangedBy): Step {
  const before = (change?.before ?? null) as string | null;
  const after = (change?.after ?? null) as string | null;
  if (accountId === before) return undefined;
  if (accountId !== after) return 'changed';
  return () => {
    draft.remember(ownerChange(after, before), by);
    draft.change({ accountId: before });
  };
}

/** The account gives labels as the owner, or lays them over those of the owner. */
function labels(draft: HostDraft, host: DraftHost, changes: readonly ValueChange[], message: UndoMessage): Step {
  const { accountId } = message;
  const isOwner = host.accountId === accountId;
  const layer = isOwner ? undefined : host.layers.find((each) => each.accountId === accountId && !each.owner);
  const given = isOwner ? ownLabels(host) : layer?.labels;
  if (given === undefined) return 'changed';
  const members = membersBack(given, changes, 'labels.');
  if (members === 'changed' || members === undefined) return members;
  const back = layer === undefined ? members : withoutShown(members, host.layers, layer, changes);
  if (!draft.mayBecome(given, back)) return 'changed';
  return () => {
    if (layer === undefined) {
      setOwnLabels(draft, host, back, message);
      return;
    }
    const own = ownLabels(host);
    draft.change({ layers: host.layers.map((each) => (each === layer ? { ...layer, labels: back } : each)) });
    showLabels(draft, host, own, message);
  };
}

/** Leaves out of a contribution what others show without it: it would hide what they give later. */
function withoutShown(
  text: string,
  layers: readonly HostLayer[],
  layer: HostLayer,
  changes: readonly ValueChange[],
): string {
  const members = jsonMembers(text);
  const shown = layeredLabels(layers.filter((each) => each !== layer));
  for (const { path, before } of changes) {
    const key = path.slice('labels.'.length);
    if (before !== undefined && isValue(shown.get(key), before)) members.delete(key);
  }
  return jsonOfMembers(members);
}

function sections(draft: HostDraft, host: DraftHost, changes: readonly ValueChange[], by: ChangedBy): Step {
  const { inventory } = host;
  const back = membersBack(inventory, changes, 'inventory.');
  if (back === 'changed' || back === undefined) return back;
  if (!draft.mayBecome(inventory, back)) return 'changed';
  return () => {
    draft.remember({ kind: 'inventory', changes: inventoryChanges(inventory, back) }, by);
    draft.change({ inventory: back });
  };
}

/** Returns the members of a JSON object with their earlier values; `undefined` if they have them already. */
function membersBack(text: string, changes: readonly ValueChange[], prefix: string): string | 'changed' | undefined {
  const members = jsonMembers(text);
  let isSame = true;
  for (const { path, before, after } of changes) {
    const key = path.slice(prefix.length);
    const now = members.get(key);
    if (isValue(now, before)) continue;
    if (!isValue(now, after)) return 'changed';
    isSame = false;
    if (before === undefined) members.delete(key);
    else members.set(key, JSON.stringify(before));
  }
  return isSame ? undefined : jsonOfMembers(members);
}

function isValue(text: string | undefined, value: JsonValue | undefined): boolean {
  if (text === undefined || value === undefined) return text === undefined && value === undefined;
  return sameJson(text, JSON.stringify(value));
}

/** `HostStore.undo`; an entry is what happened to the host at one moment. */
export const undo: NamedChange<UndoMessage, UndoneMoment, UndoOutcome> = {
  name: 'undo',
  reads: ['labels', 'inventory', 'members', 'layers'],
  deciding: (message) => (draft, moment) => {
    const steps = stepsBack(draft, moment, message);
    if (typeof steps === 'string') return steps;
    for (const take of steps) take();
    draft.change({ lastUpdate: Math.max(message.at.getTime(), draft.host?.lastUpdate ?? 0) });
    draft.visible = true;
    return 'undone';
  },
};

/** `HostStore.undo` that only answers. */
export const previewUndo: NamedChange<UndoMessage, UndoneMoment, UndoOutcome> = {
  ...undo,
  name: 'previewUndo',
  isQuestion: true,
  deciding: (message) => (draft, moment) => {
    const steps = stepsBack(draft, moment, message);
    return typeof steps === 'string' ? steps : 'undone';
  },
};
