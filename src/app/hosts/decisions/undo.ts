import type { JsonValue, UndoOutcome, ValueChange } from '../../../ports/index.ts';
import { jsonMembers, jsonOfMembers, sameJson } from '../../kernel/json/json-text.ts';
import { archiveChange, archiving } from './archive.ts';
import { ownerChange, type Remembered, sectionChange } from './host-changes.ts';
import type { ChangedBy, DraftHost, HostDraft } from './host-draft.ts';
import type { HostState } from './host-state.ts';
import { ownLabels, setOwnLabels, showLabels } from './label-layers.ts';
import type { NamedChange } from './named-change.ts';

type Archive = NonNullable<HostState['archive']>;

export interface UndoMessage extends ChangedBy {
  /** The account whose run it was. */
  readonly accountId: string;
  /** When the run ended, milliseconds. */
  readonly ended: number;
}

/** What one moment of a run did to a host, as the history tells it. */
export type UndoneMoment = readonly Remembered[];

/** What takes one change back; `changed` where something else stands there by now, `undefined` where it was so already. */
type Step = Taking | 'changed' | undefined;
type Taking = (draft: HostDraft, host: DraftHost, by: ChangedBy) => void;

/** What takes back all of a moment, or what keeps it from that. Each step looks at another part of the host, so none depends on another. */
function stepsBack(draft: HostDraft, moment: UndoneMoment, message: UndoMessage): readonly Taking[] | UndoOutcome {
  const { host } = draft;
  if (host === undefined) return 'not_found';
  const steps = moment.map((change) => stepOf(draft, host, change, message));
  if (steps.includes('changed')) return 'changed';
  const taken = steps.filter((step) => typeof step === 'function');
  return taken.length === 0 ? 'unchanged' : taken;
}

function stepOf(draft: HostDraft, host: DraftHost, { kind, changes }: Remembered, message: UndoMessage): Step {
  switch (kind) {
    case 'created':
      return creation(host, message);
    case 'archived':
    case 'restored':
      return archiveState(host, changes);
    case 'account':
      return owner(host, changes);
    case 'labels':
      return host.archive === null ? labels(draft, host, changes, message) : 'changed';
    case 'inventory':
      return host.archive === null ? sections(draft, host, changes) : 'changed';
    case 'renamed':
      return 'changed';
  }
}

/** A host that nobody changed since the run made it goes into the archive, out of which its source can bring it back. */
function creation({ archive, accountId, lastUpdate, runId }: DraftHost, message: UndoMessage): Step {
  if (archive !== null) return undefined;
  // No import has written one without a run: somebody made it meanwhile.
  if (runId === null || accountId !== message.accountId || (lastUpdate ?? 0) > message.ended) return 'changed';
  return (draft, host, by) => putAway(draft, host, { at: by.at.getTime(), by: 'import' }, by);
}

function archiveState({ archive }: DraftHost, [change]: readonly ValueChange[]): Step {
  const before = archiveOf(change?.before);
  if (isSameArchive(archive, before)) return undefined;
  if (!isSameArchive(archive, archiveOf(change?.after))) return 'changed';
  if (before !== null) return (draft, host, by) => putAway(draft, host, before, by);
  return (draft, host, by) => {
    draft.remember(archiveChange(host.archive, null), by);
    draft.change({ archive: null, folder: null });
  };
}

function putAway(draft: HostDraft, host: DraftHost, archive: Archive, by: ChangedBy): void {
  const { seatBack } = archiving(host, { at: by.at, by: archive.by });
  if (seatBack !== null) draft.effects.push({ name: 'seat_given_back', subject: seatBack, ...by });
  draft.remember(archiveChange(null, archive), by);
  draft.change({ archive, folder: null });
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

function owner({ accountId }: DraftHost, [change]: readonly ValueChange[]): Step {
  const before = (change?.before ?? null) as string | null;
  const after = (change?.after ?? null) as string | null;
  if (accountId === before) return undefined;
  if (accountId !== after) return 'changed';
  return (draft, _host, by) => {
    draft.remember(ownerChange(after, before), by);
    draft.change({ accountId: before });
  };
}

/** The account gives labels as the owner, or lays them over those of the owner. */
function labels(draft: HostDraft, host: DraftHost, changes: readonly ValueChange[], { accountId }: UndoMessage): Step {
  const isOwner = host.accountId === accountId;
  const layer = isOwner ? undefined : host.layers.find((each) => each.accountId === accountId && !each.owner);
  const given = isOwner ? ownLabels(host) : layer?.labels;
  const back = given === undefined ? 'changed' : membersBack(given, changes, 'labels.');
  if (back === 'changed' || back === undefined) return back;
  if (!draft.mayBecome(given ?? '', back)) return 'changed';
  return (changed, current, by) => {
    if (layer === undefined) setOwnLabels(changed, current, back, by);
    else {
      const others = current.layers.filter((each) => each !== layer);
      const own = ownLabels(current);
      changed.change({ layers: [...others, { ...layer, labels: back }] });
      showLabels(changed, current, own, by);
    }
  };
}

function sections(draft: HostDraft, host: DraftHost, changes: readonly ValueChange[]): Step {
  const back = membersBack(host.inventory, changes, 'inventory.');
  if (back === 'changed' || back === undefined) return back;
  if (!draft.mayBecome(host.inventory, back)) return 'changed';
  return (changed, current, by) => {
    const [now, then] = [jsonMembers(current.inventory), jsonMembers(back)];
    const keys = changes.map(({ path }) => path.slice('inventory.'.length));
    const told = keys.map((key) => sectionChange(key, now.get(key), then.get(key)));
    changed.remember({ kind: 'inventory', changes: told }, by);
    changed.change({ inventory: back });
  };
}

/** The members of a JSON object with the values that they had before; `undefined` where they have them already. */
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
    const { host } = draft;
    if (typeof steps === 'string') return steps;
    if (host === undefined) return 'not_found';
    for (const take of steps) take(draft, host, message);
    draft.change({ lastUpdate: Math.max(message.at.getTime(), host.lastUpdate ?? 0) });
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
