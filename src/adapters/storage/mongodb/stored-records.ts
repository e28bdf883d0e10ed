import type { DraftHost } from '../../../app/hosts/decisions/host-draft.ts';
import type { HostLayer } from '../../../app/hosts/decisions/label-layers.ts';
import { shownEdges } from '../../../app/hosts/decisions/shown-edges.ts';
import { templatesOf } from '../../../kit/document/templates.ts';
import {
  type AuditEntry,
  type ConfirmedBy,
  type HostRecord,
  type KeptAuditEntry,
  type KeptChange,
  type LogEntry,
  type LogHead,
  type RelationRecord,
  type RuleRecord,
  type RuleVersion,
  StoredJson,
} from '../../../ports/index.ts';
import { keptChange } from '../shared/kept-change.ts';
import type {
  AuditDoc,
  ContributionDoc,
  HistoryDoc,
  HostDoc,
  LogDoc,
  RelationDoc,
  RuleDoc,
  RuleVersionDoc,
} from './documents.ts';

/** Converts a contribution of an account to the form used by the decisions. */
export function layerOf({ account, at, run, ...layer }: ContributionDoc): HostLayer {
  return { ...layer, accountId: account, at: at.getTime(), runId: run };
}

/** The way back. */
export function layerDoc({ accountId, at, runId, ...layer }: HostLayer): ContributionDoc {
  return { account: accountId, ...layer, at: new Date(at), run: runId };
}

/** Converts a host to the form used by the decisions. Parts that were not read are absent, and are not accessed. */
export function draftOf(doc: HostDoc): DraftHost {
  return {
    accountId: doc.account,
    isObject: doc.isObject,
    objectType: doc.objectType,
    archive: archiveOf(doc),
    folder: doc.folder,
    createdAt: doc.createdAt.getTime(),
    lastSeen: doc.lastSeen?.getTime() ?? null,
    lastUpdate: doc.lastUpdate?.getTime() ?? null,
    runId: doc.run,
    labels: doc.labels,
    inventory: doc.inventory,
    members: doc.members,
    layers: (doc.contributions ?? []).map(layerOf),
  };
}

export function archiveOf({
  archivedAt,
  archivedBy,
}: Pick<HostDoc, 'archivedAt' | 'archivedBy'>): DraftHost['archive'] {
  return archivedAt === null || archivedBy === null ? null : { at: archivedAt.getTime(), by: archivedBy };
}

/** The way back, but for the layers. */
export function hostFields(
  host: DraftHost,
): Omit<HostDoc, '_id' | 'v' | 'w' | 'createdBy' | 'change' | 'contributions' | 'debts'> {
  const { archive, lastSeen, lastUpdate, createdAt } = host;
  return {
    account: host.accountId,
    isObject: host.isObject,
    objectType: host.objectType,
    labels: host.labels,
    inventory: host.inventory,
    members: host.members,
    // Members that were not read are absent, and stay what they are.
    ...(host.members !== undefined && { templates: templatesOf(host.members) }),
    folder: host.folder,
    createdAt: new Date(createdAt),
    lastSeen: lastSeen === null ? null : new Date(lastSeen),
    lastUpdate: lastUpdate === null ? null : new Date(lastUpdate),
    sight: new Date(lastSeen ?? createdAt),
    archived: archive !== null,
    archivedAt: archive === null ? null : new Date(archive.at),
    archivedBy: archive?.by ?? null,
    run: host.runId,
  };
}

export function toHostRecord(doc: HostDoc): HostRecord {
  return {
    hostname: doc._id,
    accountId: doc.account,
    isObject: doc.isObject,
    objectType: doc.objectType,
    labels: StoredJson.ofText(doc.labels),
    inventory: StoredJson.ofText(doc.inventory),
    members: StoredJson.ofText(doc.members),
    folder: doc.folder,
    createdAt: doc.createdAt,
    lastSeen: doc.lastSeen,
    lastUpdate: doc.lastUpdate,
    archive: doc.archivedAt === null || doc.archivedBy === null ? null : { at: doc.archivedAt, by: doc.archivedBy },
  };
}

export function toHostChange({ hostname, at, actor, kind, changes }: HistoryDoc): KeptChange {
  return keptChange({ hostname, at, actor, kind }, changes);
}

/** Each edge once, however many sources named it. */
export function toRelationRecords(docs: readonly RelationDoc[]): RelationRecord[] {
  const edges = docs.map(({ hostname, type, target, source, namedAt }) => {
    return { hostname, type, target, source, namedAt: namedAt?.getTime() ?? null };
  });
  return shownEdges(edges).map(({ hostname, type, target, source }) => ({ hostname, type, target, source }));
}

export function toRuleRecord(doc: RuleDoc): RuleRecord {
  const { type, id, name, version, changedAt } = doc;
  const confirmedBy = confirmedByOf(doc);
  return { type, id, name, document: StoredJson.ofText(doc.document), version, changedAt, confirmedBy };
}

export function confirmedByOf({ confirmedBy = 'operator' }: Pick<RuleDoc, 'confirmedBy'>): ConfirmedBy {
  return confirmedBy === 'nobody' ? null : confirmedBy;
}

export function toRuleVersion(doc: RuleVersionDoc): RuleVersion {
  const { type, id, name, version, at, actor, change } = doc;
  return { type, id, name, version, at, actor, change, document: StoredJson.ofText(doc.document) };
}

export function toLogEntry(doc: LogDoc): LogEntry {
  const { details } = doc;
  return { ...toLogHead(doc), details };
}

export function toLogHead(doc: Omit<LogDoc, 'details'>): LogHead {
  const { _id: id, at, message, wording, source, hasError } = doc;
  return { id, at, message, ...(wording === undefined ? {} : { wording }), source, hasError };
}

export function toAuditEntry(doc: AuditDoc): AuditEntry {
  const { _id: id, seq: _seq, mark: _mark, details = '', ...rest } = doc;
  return { id, ...rest, details };
}

export function toKeptAuditEntry(doc: AuditDoc): KeptAuditEntry {
  const { seq, mark = '' } = doc;
  return { ...toAuditEntry(doc), link: seq === undefined ? null : { seq, mark } };
}

export function ruleKey(type: string, id: string): string {
  return `${type}/${id}`;
}
