import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { OutboxState } from '../../../ports/index.ts';

/**
 * The tables. `drizzle-kit generate` makes the migrations from this file; at run time only its types are used, because
 * loading drizzle-orm costs more than opening the database. Dates are integer milliseconds, JSON is text as it came in.
 */

/**
 * Hosts and objects. Values moved by a sighting are in `host_marks`, so that an unchanged host rewrites 30 bytes, not its labels.
 */
export const hosts = sqliteTable(
  'hosts',
  {
    id: integer('id').primaryKey(),
    hostname: text('hostname').notNull(),
    accountId: text('account_id'),
    isObject: integer('is_object').notNull(),
    archivedAt: integer('archived_at'),
    archivedBy: text('archived_by'),
    objectType: text('object_type').notNull(),
    folder: text('folder'),
    createdAt: integer('created_at').notNull(),
    createdKind: text('created_kind').notNull(),
    createdBy: text('created_by').notNull(),
    lastUpdate: integer('last_update'),
    /** 1 while other accounts contribute; the owner's own labels are then in `contributions`. */
    contributed: integer('contributed').notNull().default(0),
    members: text('members').notNull().default('{}'),
    labels: text('labels').notNull(),
    inventory: text('inventory').notNull().default('{}'),
  },
  (t) => [
    uniqueIndex('hosts_hostname').on(t.hostname),
    index('hosts_active').on(t.hostname).where(sql`archived_at IS NULL AND is_object = 0`),
    index('hosts_objects').on(t.hostname, t.archivedAt).where(sql`is_object = 1`),
    index('hosts_archived').on(t.hostname, t.isObject).where(sql`archived_at IS NOT NULL`),
    index('hosts_account').on(t.accountId, t.hostname, t.isObject, t.archivedAt),
    check('hosts_archive', sql`(archived_at IS NULL) = (archived_by IS NULL)`),
  ],
);

/** When a host was last seen and by which import run; one row a host, by its id. */
export const hostMarks = sqliteTable('host_marks', {
  id: integer('id').primaryKey(),
  lastSeen: integer('last_seen'),
  runId: text('run_id'),
});

/**
 * The templates that a host names in its members, by name or id. A trigger on updates of `hosts.members` keeps it, so a host
 * is inserted without members and then given them.
 */
export const hostTemplates = sqliteTable(
  'host_templates',
  {
    template: text('template').notNull(),
    hostId: integer('host_id')
      .notNull()
      .references(() => hosts.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.template, t.hostId] }), index('host_templates_host').on(t.hostId, t.template)],
);

export const contributions = sqliteTable(
  'contributions',
  {
    hostId: integer('host_id')
      .notNull()
      .references(() => hosts.id, { onDelete: 'cascade' }),
    accountId: text('account_id').notNull(),
    precedence: integer('precedence').notNull(),
    isOwner: integer('is_owner').notNull(),
    labels: text('labels').notNull(),
    at: integer('at').notNull(),
    runId: text('run_id'),
  },
  (t) => [primaryKey({ columns: [t.hostId, t.accountId] }), index('contributions_account').on(t.accountId)],
);

/** Records by account; `''` stands for none. Kept by the writer, so that counts cost nothing. */
export const accountCounters = sqliteTable('account_counters', {
  accountId: text('account_id').primaryKey(),
  hosts: integer('hosts').notNull().default(0),
  objects: integer('objects').notNull().default(0),
  archivedHosts: integer('archived_hosts').notNull().default(0),
  archivedObjects: integer('archived_objects').notNull().default(0),
});

/**
 * How many active hosts were last seen when: by hour (`unit` 1) and by millisecond (`unit` 0). An import's hosts share
 * their millisecond, so this is far smaller than an index over hosts and costs an import next to nothing.
 */
export const seenCounts = sqliteTable(
  'seen_counts',
  {
    accountId: text('account_id').notNull(),
    unit: integer('unit').notNull(),
    at: integer('at').notNull(),
    hosts: integer('hosts').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.unit, t.at] })],
);

/** Active hosts in ranges of hostnames, each from its first name up to the next range. Makes any offset a short walk. */
export const hostRanges = sqliteTable('host_ranges', {
  first: text('first').primaryKey(),
  hosts: integer('hosts').notNull(),
});

export const hostChanges = sqliteTable(
  'host_changes',
  {
    seq: integer('seq').primaryKey(),
    hostname: text('hostname').notNull(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorName: text('actor_name').notNull(),
    kind: text('kind').notNull(),
    changes: text('changes').notNull(),
  },
  (t) => [index('host_changes_hostname').on(t.hostname, t.at), index('host_changes_at').on(t.at)],
);

/**
 * Changes of hosts in their order: a row has the changes of a transaction that share a moment and an actor, because a row for
 * each host would cost an import more than this. The changed values are in `host_changes`.
 */
export const hostFeed = sqliteTable(
  'host_feed',
  {
    place: integer('place').primaryKey(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorName: text('actor_name').notNull(),
    /** JSON. */
    notes: text('notes').notNull(),
  },
  (t) => [index('host_feed_at').on(t.at)],
);

/** One row. Numbers of `host_changes` and places are never given again, whatever was deleted. */
export const hostFeedState = sqliteTable('host_feed_state', {
  id: integer('id').primaryKey(),
  /** Another one once what cursors mean is no longer true. */
  feed: text('feed').notNull(),
  /** Rows up to this place are gone. */
  pruned: integer('pruned').notNull(),
  lastPlace: integer('last_place').notNull(),
  lastChange: integer('last_change').notNull(),
});

export const relations = sqliteTable(
  'relations',
  {
    hostname: text('hostname').notNull(),
    type: text('type').notNull(),
    target: text('target').notNull(),
    source: text('source').notNull(),
    /** When the source named it last; NULL for one that was added by hand. */
    namedAt: integer('named_at'),
  },
  (t) => [
    primaryKey({ columns: [t.hostname, t.type, t.target, t.source] }),
    index('relations_target').on(t.target, t.type, t.hostname),
    index('relations_named').on(t.source, t.namedAt).where(sql`named_at IS NOT NULL`),
  ],
);

/** Marks of what accounts did to hosts. */
export const accountMarks = sqliteTable(
  'account_marks',
  {
    hostname: text('hostname').notNull(),
    kind: text('kind').notNull(),
    value: text('value').notNull(),
    accountId: text('account_id').notNull(),
    at: integer('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.hostname, t.kind, t.value, t.accountId] }),
    index('account_marks_by_account').on(t.accountId, t.kind, t.value, t.hostname),
    index('account_marks_key').on(t.value, t.hostname, t.accountId).where(sql`kind = 'key'`),
  ],
);

export const rules = sqliteTable(
  'rules',
  {
    type: text('type').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    uniqueValue: text('unique_value'),
    version: integer('version').notNull(),
    changedAt: integer('changed_at').notNull(),
    document: text('document').notNull(),
    /** Documents older than this column count as confirmed; NULL: no party vouches for it. */
    confirmedBy: text('confirmed_by').default('operator'),
  },
  (t) => [
    primaryKey({ columns: [t.type, t.id] }),
    index('rules_name').on(t.type, t.name, t.id),
    uniqueIndex('rules_unique_value').on(t.type, t.uniqueValue).where(sql`unique_value IS NOT NULL`),
  ],
);

export const ruleVersions = sqliteTable(
  'rule_versions',
  {
    seq: integer('seq').primaryKey(),
    type: text('type').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    at: integer('at').notNull(),
    actor: text('actor').notNull(),
    change: text('change').notNull(),
    document: text('document').notNull(),
  },
  (t) => [index('rule_versions_rule').on(t.type, t.id), index('rule_versions_at').on(t.at)],
);

export const logEntries = sqliteTable(
  'log_entries',
  {
    id: text('id').primaryKey(),
    at: integer('at').notNull(),
    source: text('source').notNull(),
    hasError: integer('has_error').notNull(),
    message: text('message').notNull(),
    details: text('details').notNull(),
    wording: text('wording'),
  },
  (t) => [index('log_entries_at').on(t.at, t.id), index('log_entries_source').on(t.source, t.at, t.id)],
);

export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: text('id').primaryKey(),
    at: integer('at').notNull(),
    actor: text('actor').notNull(),
    entrance: text('entrance').notNull(),
    address: text('address').notNull(),
    operation: text('operation').notNull(),
    subject: text('subject').notNull(),
    outcome: text('outcome').notNull(),
    requestId: text('request_id').notNull(),
    details: text('details').notNull().default(''),
    /** Place and mark in the chain; null for what is older than the chain. */
    seq: integer('seq'),
    mark: text('mark'),
  },
  (t) => [
    uniqueIndex('audit_entries_seq').on(t.seq).where(sql`seq IS NOT NULL`),
    index('audit_entries_unlinked').on(t.at, t.id).where(sql`seq IS NULL`),
    index('audit_entries_at').on(t.at, t.id),
    index('audit_entries_actor').on(t.actor, t.at, t.id),
    index('audit_entries_operation').on(t.operation, t.at, t.id),
  ],
);

/** The state of the audit log's chain: no row, or the one with id 1. */
export const auditChain = sqliteTable('audit_chain', {
  id: integer('id').primaryKey(),
  state: text('state').notNull(),
});

/** The last entry of the audit log that was forwarded, by target. */
export const auditForwarded = sqliteTable('audit_forwarded', {
  target: text('target').primaryKey(),
  seq: integer('seq').notNull(),
  /** Empty where an older version noted it. */
  mark: text('mark').notNull().default(''),
});

/** Sessions of the admin interface that go on, by the hash of their secret. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    credential: text('credential').notNull(),
    begunAt: integer('begun_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    address: text('address').notNull(),
    client: text('client').notNull(),
    failures: integer('failures').notNull().default(0),
    /** For people who are known to another system; all of these are null for others. */
    method: text('method'),
    subject: text('subject'),
    providerSession: text('provider_session'),
    kept: text('kept'),
    vouchedAt: integer('vouched_at'),
    askedAt: integer('asked_at'),
  },
  (t) => [index('sessions_user').on(t.userId, t.seenAt), index('sessions_login').on(t.method, t.subject)],
);

/** When other systems last vouched for users who are known there. */
export const signIns = sqliteTable('sign_ins', {
  userId: text('user_id').primaryKey(),
  at: integer('at').notNull(),
});

export const tokenUses = sqliteTable('token_uses', {
  tokenId: text('token_id').primaryKey(),
  at: integer('at').notNull(),
});

/** Things that may be used only once and were used, and until when that is remembered. */
export const usedOnce = sqliteTable(
  'used_once',
  {
    key: text('key').primaryKey(),
    until: integer('until').notNull(),
  },
  (t) => [index('used_once_until').on(t.until)],
);

/** The run states of cron groups. A group is held until `lease_until`; 0 if it has no holder. */
export const cronStates = sqliteTable('cron_states', {
  groupId: text('group_id').primaryKey(),
  lastStart: integer('last_start').notNull(),
  lastEnd: integer('last_end'),
  message: text('message').notNull().default(''),
  hasError: integer('has_error').notNull().default(0),
  requested: integer('requested').notNull(),
  attempts: integer('attempts').notNull(),
  holder: text('holder'),
  leaseUntil: integer('lease_until').notNull(),
});

/** Current runs of accounts, each until `lease_until`. */
export const activeRuns = sqliteTable(
  'active_runs',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    leaseUntil: integer('lease_until').notNull(),
    cancelRequested: integer('cancel_requested').notNull().default(0),
    /** JSON of the run without its progress. */
    run: text('run').notNull(),
    /** JSON. */
    progress: text('progress'),
  },
  (t) => [index('active_runs_account').on(t.accountId)],
);

/** Runs of playbooks. One that has no end runs until `lease_until`; what it printed comes last, so that a listing reads past it. */
export const playbookRuns = sqliteTable(
  'playbook_runs',
  {
    id: text('id').primaryKey(),
    playbook: text('playbook').notNull(),
    provider: text('provider').notNull(),
    hostname: text('hostname'),
    checkMode: integer('check_mode').notNull(),
    source: text('source').notNull(),
    startedBy: text('started_by').notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    status: text('status').notNull(),
    exitCode: integer('exit_code'),
    message: text('message').notNull().default(''),
    leaseUntil: integer('lease_until').notNull(),
    cancelRequested: integer('cancel_requested').notNull().default(0),
    output: text('output').notNull().default(''),
    /** JSON. */
    choices: text('choices'),
  },
  (t) => [index('playbook_runs_started').on(t.startedAt, t.id)],
);

/** Comments of people on hosts. */
export const hostComments = sqliteTable(
  'host_comments',
  {
    hostname: text('hostname').notNull(),
    id: text('id').notNull(),
    at: integer('at').notNull(),
    author: text('author').notNull(),
    text: text('text').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hostname, t.id] })],
);

/** Which rules have fired which playbooks for which hosts. */
export const playbookMatches = sqliteTable(
  'playbook_matches',
  {
    hostname: text('hostname').notNull(),
    ruleId: text('rule_id').notNull(),
    playbook: text('playbook').notNull(),
    since: integer('since').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hostname, t.ruleId, t.playbook] })],
);

/** Planned changes in remote systems. A plan is made or applied until `lease_until`. */
export const plans = sqliteTable(
  'plans',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    account: text('account').notNull(),
    madeBy: text('made_by').notNull(),
    madeAt: integer('made_at').notNull(),
    hostsRevision: integer('hosts_revision').notNull(),
    rulesRevision: text('rules_revision').notNull(),
    status: text('status').notNull(),
    leaseUntil: integer('lease_until').notNull(),
    holder: text('holder'),
    counts: text('counts').notNull(),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    needsApproval: integer('needs_approval').notNull().default(0),
    approvedBy: text('approved_by'),
    approvedAt: integer('approved_at'),
    appliedBy: text('applied_by'),
    appliedAt: integer('applied_at'),
    endedAt: integer('ended_at'),
    message: text('message').notNull().default(''),
    holds: text('holds'),
  },
  (t) => [
    uniqueIndex('plans_holds').on(t.holds).where(sql`holds IS NOT NULL`),
    index('plans_made').on(t.madeAt, t.id),
    index('plans_account').on(t.accountId, t.madeAt, t.id),
  ],
);

/** Entries of plans, one row each. The body comes last, so that filters read past it. */
export const planEntries = sqliteTable(
  'plan_entries',
  {
    planId: text('plan_id').notNull(),
    number: integer('number').notNull(),
    action: text('action').notNull(),
    kind: text('kind').notNull(),
    key: text('key').notNull(),
    previousKey: text('previous_key'),
    hostname: text('hostname'),
    outcome: text('outcome'),
    reason: text('reason').notNull(),
    body: text('body').notNull(),
  },
  (t) => [primaryKey({ columns: [t.planId, t.number] }), index('plan_entries_action').on(t.planId, t.action, t.number)],
);

/** Files that exports publish. */
export const published = sqliteTable(
  'published',
  {
    accountId: text('account_id').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    digest: text('digest').notNull(),
    size: integer('size').notNull(),
    publishedAt: integer('published_at').notNull(),
    body: text('body').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.name] })],
);

/** Messages for receivers. */
export const outbox = sqliteTable(
  'outbox',
  {
    place: integer('place').primaryKey(),
    id: text('id').notNull().unique(),
    receiver: text('receiver').notNull(),
    topic: text('topic').notNull(),
    at: integer('at').notNull(),
    state: text('state').$type<OutboxState>().notNull(),
    body: text('body').notNull(),
    attempts: integer('attempts').notNull(),
    dueAt: integer('due_at').notNull(),
    error: text('error').notNull(),
    settledAt: integer('settled_at'),
    holder: text('holder').notNull(),
    leaseUntil: integer('lease_until').notNull(),
  },
  (t) => [
    index('outbox_state').on(t.state, t.receiver, t.place),
    index('outbox_topic').on(t.topic, t.place),
    index('outbox_receiver').on(t.receiver, t.place),
  ],
);

/** Progress of the processes that fill the outbox, and the last place that was given. */
export const outboxMarks = sqliteTable('outbox_marks', {
  name: text('name').primaryKey(),
  text: text('text').notNull(),
});

/** Objects of remote systems that are ours. */
export const ownership = sqliteTable(
  'ownership',
  {
    accountId: text('account_id').notNull(),
    kind: text('kind').notNull(),
    key: text('key').notNull(),
    remoteId: text('remote_id'),
    hostname: text('hostname').notNull(),
    digest: text('digest').notNull(),
    secrets: text('secrets').notNull(),
    writtenAt: integer('written_at').notNull(),
    pending: text('pending'),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.kind, t.key] })],
);

/** How many hosts there were, day by day. */
export const hostCounts = sqliteTable('host_counts', {
  /** The day in UTC, as `2026-01-31`. */
  day: text('day').primaryKey(),
  at: integer('at').notNull(),
  /** JSON of what each account had. */
  accounts: text('accounts').notNull(),
});

/** How often each part changed. */
export const revisions = sqliteTable('revisions', {
  name: text('name').primaryKey(),
  value: integer('value').notNull(),
});
