import { templatesOf } from '../../../kit/document/templates.ts';
import type { HostScope } from '../../../ports/index.ts';
import { archiveChange } from './archive.ts';
import { inventoryChanges, labelChanges, ownerChange, type Remembered } from './host-changes.ts';
import type { ChangedBy, DraftHost, DraftRelation, HostDraft } from './host-draft.ts';
import type { HostState } from './host-state.ts';
import type { NamedChange } from './named-change.ts';
import { scopeTest } from './scope.ts';

type Replaced = Pick<HostState, 'accountId' | 'archive'> & { readonly labels: string; readonly inventory: string };

/** Returns the history entries for a whole record that replaces another. */
export function replacementChanges(old: Replaced, now: Replaced): readonly Remembered[] {
  const remembered: Remembered[] = [];
  if (old.accountId !== now.accountId) remembered.push(ownerChange(old.accountId, now.accountId));
  const labels = labelChanges(old.labels, now.labels);
  if (labels.length > 0) remembered.push({ kind: 'labels', changes: labels });
  const inventory = inventoryChanges(old.inventory, now.inventory);
  if (inventory.length > 0) remembered.push({ kind: 'inventory', changes: inventory });
  if ((old.archive === null) !== (now.archive === null)) remembered.push(archiveChange(old.archive, now.archive));
  return remembered;
}

/** A whole record on its way into a store. */
export interface HostDocument {
  readonly host: DraftHost;
  readonly mode: 'skip' | 'replace';
  readonly relations: readonly DraftRelation[];
}

/** `HostStore.putDocuments`; the outcome says whether the record was written. */
export const putDocument: NamedChange<ChangedBy & { readonly scope: HostScope }, HostDocument, boolean> = {
  name: 'putDocument',
  reads: ['labels', 'inventory', 'members', 'layers'],
  deciding(message) {
    const reaches = scopeTest(message.scope);
    return (draft, document) => {
      const { host: present } = draft;
      if (present !== undefined && (document.mode === 'skip' || !reaches(present))) return false;
      if (document.host.archive === null || present?.archive === null) draft.visible = true;
      const changes = present === undefined ? [] : replacementChanges(present, document.host);
      for (const change of changes) draft.remember(change, message);
      if (present !== undefined) draft.reachBefore ??= reachBefore(present, document.host, message, changes.length > 0);
      draft.put({ ...document.host }, message);
      draft.relations = firstOfEach(document.relations);
      return true;
    };
  },
};

/** Members that no history entry reports, but rules may look at. */
const UNTOLD = ['objectType', 'members', 'lastUpdate'] as const;

/** The reach of the old record, if others reach its replacement, or if nothing else would report the change. */
function reachBefore(
  old: DraftHost,
  now: DraftHost,
  { at, actor }: ChangedBy,
  isTold: boolean,
): HostDraft['reachBefore'] {
  const templates = templatesOf(old.members);
  const isReachedAlike =
    old.accountId === now.accountId && JSON.stringify(templates) === JSON.stringify(templatesOf(now.members));
  const isSame = old.isObject === now.isObject && (isTold || UNTOLD.every((member) => old[member] === now[member]));
  return isReachedAlike && isSame ? undefined : { accountId: old.accountId, templates, at, actor };
}

/** The first of two for the same type and target counts. */
function firstOfEach(relations: readonly DraftRelation[]): readonly DraftRelation[] {
  const first = new Map<string, DraftRelation>();
  for (const relation of relations) {
    const key = JSON.stringify([relation.type, relation.target]);
    if (!first.has(key)) first.set(key, relation);
  }
  return [...first.values()];
}
