import { archive, restore } from '../../../app/hosts/decisions/archive.ts';
import { contributeLabels } from '../../../app/hosts/decisions/contribution.ts';
import { previewLabels, saveLabels } from '../../../app/hosts/decisions/label-write.ts';
import type { ChangeRequest, NamedChange } from '../../../app/hosts/decisions/named-change.ts';
import { type HostDocument, putDocument } from '../../../app/hosts/decisions/replacement.ts';
import { saveSection } from '../../../app/hosts/decisions/section.ts';
import { previewUndo, undo } from '../../../app/hosts/decisions/undo.ts';
import {
  type Clock,
  type HostDocumentWrite,
  type HostStore,
  type LabelEntry,
  StoredJson,
} from '../../../ports/index.ts';
import { wellFormed } from './utf8-order.ts';

/** A change with all that goes with it, as a store gets it. */
export interface HostsRequest<Message, Entry> extends ChangeRequest<Message, Entry> {
  /** The JSON texts among the entries. */
  readonly texts: readonly string[];
}

/** Lets a change decide on each named host and writes what became different, in one unit; one outcome an entry, in order. */
export type ChangeHosts = <Message, Entry, Outcome>(
  change: NamedChange<Message, Entry, Outcome>,
  request: HostsRequest<Message, Entry>,
) => Promise<readonly Outcome[]>;

type HostWrites = Pick<
  HostStore,
  | 'saveLabels'
  | 'previewLabels'
  | 'contributeLabels'
  | 'saveInventory'
  | 'archive'
  | 'restore'
  | 'undo'
  | 'putDocuments'
>;

/** The writes of the port that name their hosts, as changes. */
export function hostWrites(change: ChangeHosts, clock: Clock): HostWrites {
  return {
    saveLabels: ({ entries, account, at, actor, runId = null, takeOver = false, before }) =>
      change(saveLabels, {
        message: { account, at, actor, runId, takeOver, before: before == null ? before : before.text },
        ...labelled(entries),
      }),

    async previewLabels({ entries, account, takeOver = false }) {
      const answers = await change(previewLabels, { message: { account, takeOver }, ...labelled(entries) });
      return answers.map(({ outcome, before }) =>
        before === undefined ? { outcome } : { outcome, before: StoredJson.ofText(before) },
      );
    },

    contributeLabels: ({ entries, accountId, precedence, at, actor, runId }) =>
      change(contributeLabels, { message: { accountId, precedence, at, actor, runId }, ...labelled(entries) }),

    saveInventory({ entries, scope, at, actor }) {
      const sections = entries.map(({ key, section }) => ({ key, section: section.text }));
      return change(saveSection, {
        message: { scope, at, actor },
        hostnames: entries.map((entry) => wellFormed(entry.hostname)),
        entries: sections,
        texts: sections.map(({ section }) => section),
      });
    },

    archive: ({ hostnames, by, at, scope, actor }) =>
      change(archive, { message: { by, at, scope, actor }, ...named(hostnames.map(wellFormed)) }),

    restore: ({ hostnames, at, scope, actor }) =>
      change(restore, { message: { at, scope, actor }, ...named(hostnames.map(wellFormed)) }),

    undo: ({ entries, accountId, began, ended, at, actor, preview = false }) =>
      change(preview ? previewUndo : undo, {
        message: { accountId, ...(began && { began: began.getTime() }), ended: ended.getTime(), at, actor },
        hostnames: entries.map((entry) => wellFormed(entry.hostname)),
        entries: entries.map(({ changes }) => changes),
        texts: [],
      }),

    putDocuments(writes, actor, scope = null) {
      const documents = writes.map(documentOf);
      return change(putDocument, {
        message: { at: clock.now(), actor, scope },
        hostnames: writes.map(({ record }) => wellFormed(record.hostname)),
        entries: documents,
        texts: documents.flatMap(({ host }) => [host.labels, host.inventory, host.members]),
      });
    },
  };
}

/** Hosts of which nothing is said but their names, which are well formed. */
export function named(hostnames: readonly string[]): Omit<HostsRequest<never, null>, 'message'> {
  return { hostnames, entries: hostnames.map(() => null), texts: [] };
}

function labelled(entries: readonly LabelEntry[]): Omit<HostsRequest<never, string>, 'message'> {
  const texts = entries.map((entry) => entry.labels.text);
  return { hostnames: entries.map((entry) => wellFormed(entry.hostname)), entries: texts, texts };
}

function documentOf({ record, mode, relations }: HostDocumentWrite): HostDocument {
  const host = {
    accountId: record.accountId,
    isObject: record.isObject,
    objectType: record.objectType,
    labels: record.labels.text,
    inventory: record.inventory.text,
    members: record.members.text,
    folder: record.folder,
    createdAt: record.createdAt.getTime(),
    lastSeen: record.lastSeen?.getTime() ?? null,
    lastUpdate: record.lastUpdate?.getTime() ?? null,
    archive: record.archive === null ? null : { at: record.archive.at.getTime(), by: record.archive.by },
    runId: null,
    layers: [],
  };
  const edges = relations.map(({ type, target, source }) => ({ type, target: wellFormed(target), source }));
  return { host, mode, relations: edges };
}
