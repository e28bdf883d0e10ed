import type { ObjectId } from 'mongodb';
import type { RuleEffect } from '../../../app/hosts/decisions/folder-seats.ts';
import type {
  AccountHosts,
  Actor,
  ArchiveReason,
  HostChange,
  LogEntry,
  MarkKind,
  PlaybookRun,
  PlaybookRunChoices,
  PlaybookRunEnd,
  PublishedContent,
  RuleVersion,
  SessionSignIn,
} from '../../../ports/index.ts';
import type { StoredActiveRun } from '../shared/active-run.ts';
import type { FeedNote } from '../shared/feed-notes.ts';
import type { StoredOutboxMessage } from '../shared/outbox.ts';
import type { StoredPlan, StoredPlanEntry } from '../shared/stored-plan.ts';
import type { StoredWork } from '../shared/work.ts';

/**
 * The stored documents; `stored-records.ts` converts between them and the records of the ports.
 *
 * Labels, inventory and rule documents are JSON text, not fields: any key survives, as do their order and `__proto__`, no
 * document meets the limits on field names or nesting, and a page is sent as it is stored, unparsed. Additional pairs `{k, v}`
 * with an index would serve a look-up by label; no port needs one, and they would triple the cost of a write.
 */
export interface HostDoc {
  /** The hostname. Strings are compared byte by byte unless a collation is given, and we give none. */
  _id: string;
  /** One more with each write; a write names the version that it has read and so never undoes another. */
  v: number;
  /** Token of the last write, by which a writer recognises its own. */
  w: ObjectId;
  account: string | null;
  isObject: boolean;
  objectType: string;
  labels: string;
  inventory: string;
  members: string;
  /** The templates that the members name, by name or id. */
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
  /** By account; absent while no other account contributes. Otherwise includes the owner's own labels. */
  contributions?: ContributionDoc[];
  /** Effects of changes of the host on rules that are still outstanding. See `pending-effects.ts`. */
  debts?: PendingEffectDoc[];
}

export interface ContributionDoc {
  readonly account: string;
  readonly precedence: number;
  readonly owner: boolean;
  readonly labels: string;
  readonly at: Date;
  readonly run: string | null;
}

export interface PendingEffectDoc {
  readonly id: ObjectId;
  /** Absent where an older version noted it: seats were all that it knew. */
  readonly effect?: RuleEffect['name'];
  /** The subject of the effect. */
  readonly folder: string;
  readonly at: Date;
  readonly actor: Actor;
}

/**
 * A change, written before the host is. The host names its newest change and each change the one before, so a change whose writer
 * lost a race or died is not on that chain: it is invisible, and `check` removes it.
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

/** Entries of the change feed for one moment. See `feed-rows.ts`. */
export interface FeedRowDoc {
  /** Its place among all rows. */
  _id: number;
  at: Date;
  actor: Actor;
  /** Changes are named by the id of their `HistoryDoc`. */
  notes: FeedNote<string>[];
  /** `open` while its writer is at work, `judged` by a reader who held the writer for dead. */
  state: 'open' | 'done' | 'judged';
  /** Milliseconds of the server's clock; of the node's in the first row of all, and where an older version wrote it. */
  openedAt: number;
}

/** A host whose record goes, until its history and relations are gone too. */
export interface PurgeDoc {
  /** The hostname. */
  _id: string;
}

/** A host that gets another name, until everything stored under its old name has followed. */
export interface RenameDoc {
  /** The name before. */
  _id: string;
  to: string;
  /** `w` of the document that is stored under the new name. */
  token: ObjectId;
  /** Version of the document under the old name. */
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
  /** If several callers add an edge by hand at once, the first succeeds. */
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
  /** Copy of the name if no other document of the type may have it. */
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
  wording?: LogEntry['wording'];
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

/** An active session of the admin interface. */
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
  /** For people who are known to another system. */
  signIn?: SessionSignIn;
}

/** When another system last vouched for a user, by user. */
export interface SignInDoc {
  _id: string;
  at: Date;
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
  /** End of the lease in milliseconds of the server's clock; 0 if there is no holder. */
  leaseUntil: number;
}

/** A message for a receiver. */
export interface OutboxDoc extends Omit<StoredOutboxMessage, 'id'> {
  _id: string;
}

/** Progress of a process that fills the outbox (`text`), or the last place that was given (`place`). */
export interface OutboxMarkDoc {
  _id: string;
  text?: string;
  place?: number;
}

/** Current runs of an account. All of them are in one document, so that one write decides which may begin. */
export interface ActiveRunsDoc {
  /** Id of the account. */
  _id: string;
  /** Grows with each write. */
  n: number;
  /** Leases end in milliseconds of the server's clock. */
  runs: StoredActiveRun[];
}

/** Work that a node offers. */
export interface WorkDoc {
  _id: string;
  /** Grows with each write. */
  n: number;
  /** `null` for a moment: it is being offered. Leases end in milliseconds of the server's clock. */
  work: StoredWork | null;
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
  /** `running` until an end is stored. */
  status: 'running' | PlaybookRunEnd['status'];
  exitCode: number | null;
  message: string;
  output: string;
  choices?: PlaybookRunChoices;
  /** End of the lease in milliseconds of the server's clock. */
  leaseUntil: number;
  cancelRequested: boolean;
}

/** A comment of a person on a host. */
export interface CommentDoc {
  /** Identifies the place of the document; comments have ids of their own. */
  _id: ObjectId;
  hostname: string;
  id: string;
  at: Date;
  author: string;
  text: string;
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

/** Planned changes in a remote system. */
export interface PlanDoc extends Omit<StoredPlan, 'id' | 'holds' | PlanTimes> {
  /** Absent while it holds no account. */
  holds?: string;
  /** Whether names of its entries are noted; absent where an older version made it. */
  hasNames?: true;
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

/** Names of entries that were appended together, in which a text is looked for: there are far fewer of these than entries. */
export interface PlanNamesDoc {
  readonly plan: string;
  /** Numbers of the entries. */
  readonly first: number;
  readonly last: number;
  /** JSON: a list of lists of the number, the key, the previous key and the hostname of an entry. */
  readonly names: string;
}

/** The files that an account publishes, as one document, so that they are replaced atomically. */
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

/** How many hosts there were on a day. */
export interface HostCountsDoc {
  /** The day. */
  _id: string;
  at: Date;
  accounts: readonly AccountHosts[];
}
