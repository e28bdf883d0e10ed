import type { ObjectId } from 'mongodb';
import type { RuleEffect } from '../../../app/hosts/decisions/folder-seats.ts';
import type { DraftHost } from '../../../app/hosts/decisions/host-draft.ts';
import type { HostLayer } from '../../../app/hosts/decisions/label-layers.ts';
import { shownEdges } from '../../../app/hosts/decisions/shown-edges.ts';
import { templatesOf } from '../../../app/hosts/decisions/templates.ts';
import {
  type Actor,
  type ArchiveReason,
  type AuditEntry,
  type ConfirmedBy,
  type HostChange,
  type HostRecord,
  type KeptAuditEntry,
  type LogEntry,
  type MarkKind,
  type PlaybookRun,
  type PlaybookRunEnd,
  type PublishedContent,
  type RelationRecord,
  type RuleRecord,
  type RuleVersion,
  StoredJson,
  type ValueChange,
} from '../../../ports/index.ts';
import type { StoredPlan, StoredPlanEntry } from '../shared/stored-plan.ts';

/**
 * The stored documents, and the way between them and the records of the ports.
 *
 * Labels, inventory and rule documents are JSON text, not fields: any key survives, their order and `__proto__` too, no
 * document meets the limits on field names or nesting, and a page goes out as it is stored, unparsed. Pairs `{k, v}` with
 * an index beside the text would serve a look-up by label; no port asks for one, and they would triple the cost of a write.
 */
export interface HostDoc {
  /** The hostname. Strings are compared byte by byte unless a collation is given, and we give none. */
  _id: string;
  /** One more with each write; a write names the version that it has read and so never undoes another. */
  v: number;
  /** Token of the last write, by which a writer tells whether it was its own. */
  w: ObjectId;
  account: string | null;
  isObject: boolean;
  objectType: string;
  labels: string;
  inventory: string;
  members: string;
  /** The templates that the members name, by name or id. Absent only until the start that brings the schema up to date. */
  templates?: readonly string[];
  folder: string | null;
  createdAt: Date;
  createdBy: Actor;
  lastSeen: Date | null;
  lastUpdate: Date | null;
  /** `lastSeen`, or `createdAt` while there is none: one indexed field for counters and staleness. */
  sight: Date;
  archived: boolean;
  archivedAt: Date | null;
  archivedBy: ArchiveReason | null;
  /** The last import run that wrote the owner's labels. */
  run: string | null;
  /** The newest change in the history. See `HistoryDoc`. */
  change: { id: ObjectId; seq: number } | null;
  /** By account; absent while nobody contributes. Holds the owner's own labels then. */
  contributions?: ContributionDoc[];
  /** What changes of the host do to rules and is not done yet. See `debts.ts`. */
  debts?: DebtDoc[];
}

export interface ContributionDoc {
  readonly account: string;
  readonly precedence: number;
  readonly owner: boolean;
  readonly labels: string;
  readonly at: Date;
  readonly run: string | null;
}

export interface DebtDoc {
  readonly id: ObjectId;
  /** Absent where an older version noted it: seats were all that it knew. */
  readonly effect?: RuleEffect['name'];
  /** The subject of the effect. */
  readonly folder: string;
  readonly at: Date;
  readonly actor: Actor;
}

/**
 * A change, written before the host is. The host names its newest change and each change the one before, so a change
 * whose writer lost a race or died is not on that chain: nobody sees it, and `check` removes it.
 */
export interface HistoryDoc {
  _id: ObjectId;
  hostname: string;
  seq: number;
  prev: ObjectId | null;
  at: Date;
  actor: Actor;
  kind: HostChange['kind'];
  changes: string;
}

/** A host whose record goes, until its history and relations are gone too. */
export interface PurgeDoc {
  /** The hostname. */
  _id: string;
}

/** A host that gets another name, until everything that stands by its name has followed. */
export interface RenameDoc {
  /** The name before. */
  _id: string;
  to: string;
  /** `w` of the document that is stored under the new name. */
  token: ObjectId;
  /** Of the document under the old name. */
  v: number;
  createdAt: Date;
}

export interface RelationDoc {
  _id: ObjectId;
  hostname: string;
  type: string;
  target: string;
  source: string;
  /** When the source named it last; absent for one that was added by hand. */
  namedAt?: Date;
  /** Of many who add an edge by hand at once, the first succeeds. */
  byHand?: true;
}

export interface MarkDoc {
  _id: ObjectId;
  hostname: string;
  kind: MarkKind;
  value: string;
  accountId: string;
  at: Date;
}

export interface RuleDoc {
  /** `<type>/<id>` */
  _id: string;
  type: string;
  id: string;
  name: string;
  /** The name again where no other document of the type may have it. */
  uniqueName?: string;
  uniqueValue?: string;
  document: string;
  version: number;
  changedAt: Date;
  /** Absent in documents of before this was kept, which count as confirmed by the operator. */
  confirmedBy?: 'operator' | 'administrator' | 'nobody';
  /** `_id` of the version that describes this state. */
  latest: number;
}

export interface RuleVersionDoc {
  /** Grows with each version of any document. */
  _id: number;
  type: string;
  id: string;
  name: string;
  version: number;
  at: Date;
  actor: string;
  change: RuleVersion['change'];
  document: string;
}

export interface LogDoc {
  _id: string;
  at: Date;
  message: string;
  source: string;
  details: LogEntry['details'];
  hasError: boolean;
}

export interface AuditDoc {
  _id: string;
  at: Date;
  actor: string;
  entrance: string;
  address: string;
  operation: string;
  subject: string;
  outcome: string;
  requestId: string;
  /** Older entries have none. */
  details?: string;
  /** Place and mark in the chain; absent outside of it. */
  seq?: number;
  mark?: string;
}

/** The state of the audit log's chain, and entries that are not copied to their collection yet. */
export interface AuditChainDoc {
  _id: string;
  state: string;
  waiting: AuditDoc[];
  /** The last state whose entries are all in their collection, and the place of the last of them: what a copy takes. */
  settled?: { state: string; seq: number };
}

export interface AuditForwardedDoc {
  /** The target. */
  _id: string;
  seq: number;
  /** Absent where an older version noted it. */
  mark?: string;
}

/** A session of the admin interface that goes on. */
export interface SessionDoc {
  /** Hash of its secret. */
  _id: string;
  userId: string;
  credential: string;
  begunAt: Date;
  seenAt: Date;
  address: string;
  client: string;
  failures: number;
}

export interface TokenUseDoc {
  _id: string;
  at: Date;
}

/** Something that may be used once only. The server deletes it a while after its end. */
export interface UsedOnceDoc {
  _id: string;
  until: Date;
}

export interface CronStateDoc {
  /** Id of the group. */
  _id: string;
  lastStart: Date;
  lastEnd: Date | null;
  message: string;
  hasError: boolean;
  requested: boolean;
  attempts: number;
  holder: string | null;
  /** End of the lease in milliseconds of the server's clock; 0 when nobody has one. */
  leaseUntil: number;
}

/** A run of a playbook. */
export interface PlaybookRunDoc {
  _id: string;
  playbook: string;
  provider: string;
  hostname: string | null;
  checkMode: boolean;
  source: PlaybookRun['source'];
  startedBy: string;
  startedAt: Date;
  endedAt: Date | null;
  /** `running` until somebody says how it ended. */
  status: 'running' | PlaybookRunEnd['status'];
  exitCode: number | null;
  message: string;
  output: string;
  /** End of the lease in milliseconds of the server's clock. */
  leaseUntil: number;
  cancelRequested: boolean;
}

/** A rule that has fired a playbook for a host. */
export interface PlaybookMatchDoc {
  _id: ObjectId;
  hostname: string;
  ruleId: string;
  playbook: string;
  since: Date;
}

type PlanTimes = 'madeAt' | 'approvedAt' | 'appliedAt' | 'endedAt';

/** What would be changed in a remote system. */
export interface PlanDoc extends Omit<StoredPlan, 'id' | 'holds' | PlanTimes> {
  /** Absent while it holds no account. */
  holds?: string;
  _id: string;
  madeAt: Date;
  approvedAt: Date | null;
  appliedAt: Date | null;
  endedAt: Date | null;
}

export interface PlanEntryDoc extends Omit<StoredPlanEntry, 'planId'> {
  _id: ObjectId;
  plan: string;
}

/** What an account publishes, as one document, so that it takes its place at once. */
export interface PublishedDoc {
  /** The account. */
  _id: string;
  files: PublishedContent[];
}

/** An object of a remote system that is ours. */
export interface OwnershipDoc {
  _id: ObjectId;
  accountId: string;
  kind: string;
  key: string;
  remoteId: string | null;
  hostname: string;
  digest: string;
  secrets: string;
  writtenAt: Date;
  /** JSON of the names. */
  pending: string | null;
}

/** What an account gives, in the eyes of the decisions. */
export function layerOf({ account, at, run, ...layer }: ContributionDoc): HostLayer {
  return { ...layer, accountId: account, at: at.getTime(), runId: run };
}

/** The way back. */
export function layerDoc({ accountId, at, runId, ...layer }: HostLayer): ContributionDoc {
  return { account: accountId, ...layer, at: new Date(at), run: runId };
}

/** A host in the eyes of the decisions. Parts that were not read are absent, and nobody looks at them. */
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

export function toHostChange(doc: HistoryDoc): HostChange {
  const changes = JSON.parse(doc.changes) as ValueChange[];
  return { hostname: doc.hostname, at: doc.at, actor: doc.actor, kind: doc.kind, changes };
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
  const { _id: id, at, message, source, details, hasError } = doc;
  return { id, at, message, source, details, hasError };
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
