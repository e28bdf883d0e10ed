import type { Collection, CreateIndexesOptions, IndexDescription } from 'mongodb';
import { AppError, type Logger, type StorageProblem } from '../../../ports/index.ts';
import { noLongerUpgraded, storeMissing } from '../shared/store-faults.ts';
import type { Collections } from './bounded-collections.ts';
import type { ControlDoc } from './control-documents.ts';
import type {
  ActiveRunsDoc,
  AuditChainDoc,
  AuditDoc,
  AuditForwardedDoc,
  CommentDoc,
  CronStateDoc,
  FeedRowDoc,
  HistoryDoc,
  HostCountsDoc,
  HostDoc,
  LogDoc,
  MarkDoc,
  OutboxDoc,
  OutboxMarkDoc,
  OwnershipDoc,
  PlanDoc,
  PlanEntryDoc,
  PlanNamesDoc,
  PlaybookMatchDoc,
  PlaybookRunDoc,
  PublishedDoc,
  PurgeDoc,
  RelationDoc,
  RenameDoc,
  RuleDoc,
  RuleVersionDoc,
  SessionDoc,
  SignInDoc,
  TokenUseDoc,
  UsedOnceDoc,
  WorkDoc,
} from './documents.ts';
import { REPORT_EVERY_MS, withKeptLease } from './leases.ts';
import type { PlanPart } from './rule-plan-documents.ts';

/** The collections. */
export interface Database {
  readonly hosts: Collection<HostDoc>;
  readonly history: Collection<HistoryDoc>;
  readonly hostFeed: Collection<FeedRowDoc>;
  readonly relations: Collection<RelationDoc>;
  readonly accountMarks: Collection<MarkDoc>;
  readonly rules: Collection<RuleDoc>;
  readonly ruleVersions: Collection<RuleVersionDoc>;
  readonly rulePlans: Collection<PlanPart>;
  readonly logs: Collection<LogDoc>;
  readonly audit: Collection<AuditDoc>;
  readonly auditChain: Collection<AuditChainDoc>;
  readonly auditForwarded: Collection<AuditForwardedDoc>;
  readonly sessions: Collection<SessionDoc>;
  readonly signIns: Collection<SignInDoc>;
  readonly tokenUses: Collection<TokenUseDoc>;
  readonly usedOnce: Collection<UsedOnceDoc>;
  readonly cronStates: Collection<CronStateDoc>;
  readonly activeRuns: Collection<ActiveRunsDoc>;
  readonly work: Collection<WorkDoc>;
  readonly outbox: Collection<OutboxDoc>;
  readonly outboxMarks: Collection<OutboxMarkDoc>;
  readonly playbookRuns: Collection<PlaybookRunDoc>;
  readonly playbookMatches: Collection<PlaybookMatchDoc>;
  readonly hostComments: Collection<CommentDoc>;
  readonly plans: Collection<PlanDoc>;
  readonly planEntries: Collection<PlanEntryDoc>;
  readonly planNames: Collection<PlanNamesDoc>;
  readonly ownership: Collection<OwnershipDoc>;
  readonly published: Collection<PublishedDoc>;
  readonly hostCounts: Collection<HostCountsDoc>;
  readonly purges: Collection<PurgeDoc>;
  readonly renames: Collection<RenameDoc>;
  readonly control: Collection<ControlDoc>;
}

/** Databases of before this version are no longer upgraded. */
const FIRST_VERSION = 2;
/** Grows when stored documents change their shape. */
export const SCHEMA_VERSION = 2;
const SCHEMA = 'schema';
const MIGRATION = 'lease/schema';

interface Index {
  readonly collection: keyof Database;
  readonly description: IndexDescription & { readonly name: string };
}

/** Every index has a caller: the comment says which. */
const INDEXES: readonly Index[] = [
  // Listing, paging and counting of all hosts or all objects; purge of the archive.
  index('hosts', 'by_kind', { archived: 1, isObject: 1, _id: 1 }),
  // The same for scoped callers; what an account owns; what an import no longer found.
  index('hosts', 'by_account', { account: 1, archived: 1, isObject: 1, _id: 1 }),
  // The same for callers who are limited to templates.
  index('hosts', 'by_template', { templates: 1, archived: 1, isObject: 1, _id: 1 }),
  // Counters and staleness.
  index('hosts', 'by_sight', { archived: 1, isObject: 1, sight: 1 }),
  // Withdrawal of contributions.
  index('hosts', 'by_contributor', { 'contributions.account': 1 }, { sparse: true }),
  // Seats that are not booked yet.
  index('hosts', 'by_debt', { 'debts.id': 1 }, { sparse: true }),
  index('history', 'of_host', { hostname: 1, seq: -1 }),
  // Pruning; what changed anywhere.
  index('history', 'by_time', { at: -1, hostname: 1, seq: -1 }),
  // Pruning of the change feed.
  index('hostFeed', 'by_time', { at: 1, _id: -1 }),
  // Writers at work, where the change feed ends.
  index('hostFeed', 'open', { state: 1, _id: 1 }, { partialFilterExpression: { state: 'open' } }),
  index('relations', 'outgoing', { hostname: 1, type: 1, target: 1, source: 1 }, { unique: true }),
  index('relations', 'by_hand', { hostname: 1, type: 1, target: 1 }, unique('byHand')),
  // Edges that a source no longer names.
  index('relations', 'of_source', { source: 1, namedAt: 1 }),
  index('relations', 'inbound', { target: 1, type: 1, hostname: 1 }),
  index('accountMarks', 'of_host', { hostname: 1, kind: 1, value: 1, accountId: 1 }, { unique: true }),
  // Hosts or sections that an account no longer brings or fills.
  index('accountMarks', 'by_account', { accountId: 1, kind: 1, value: 1, hostname: 1 }),
  // Hosts by what they are known by.
  index(
    'accountMarks',
    'by_key',
    { value: 1, hostname: 1, accountId: 1 },
    { partialFilterExpression: { kind: 'key' } },
  ),
  index('rules', 'by_name', { type: 1, name: 1, id: 1 }),
  // Writers hold a lease and look first. These two stop one that outlived its lease.
  index('rules', 'unique_name', { type: 1, uniqueName: 1 }, unique('uniqueName')),
  index('rules', 'unique_value', { type: 1, uniqueValue: 1 }, unique('uniqueValue')),
  index('ruleVersions', 'of_rule', { type: 1, id: 1, _id: -1 }),
  index('ruleVersions', 'by_time', { at: 1 }),
  index('logs', 'by_time', { at: -1, _id: -1 }),
  index('logs', 'by_source', { source: 1, at: -1, _id: -1 }),
  index('audit', 'by_time', { at: -1, _id: -1 }),
  index('audit', 'by_actor', { actor: 1, at: -1, _id: -1 }),
  index('audit', 'by_operation', { operation: 1, at: -1, _id: -1 }),
  // The check of the chain, forwarding, pruning; no two entries get one place.
  index('audit', 'by_place', { seq: 1 }, unique('seq')),
  index('sessions', 'of_user', { userId: 1, seenAt: -1, _id: 1 }),
  // Logins that another system ends.
  index('sessions', 'of_login', { 'signIn.method': 1, 'signIn.subject': 1 }),
  index('playbookRuns', 'by_start', { startedAt: -1, _id: -1 }),
  // The walk over all matches; of many who remember one, the first succeeds.
  index('playbookMatches', 'by_host', { hostname: 1, ruleId: 1, playbook: 1 }, { unique: true }),
  index('hostComments', 'of_host', { hostname: 1, id: -1 }, { unique: true }),
  index('plans', 'by_time', { madeAt: -1, _id: -1 }),
  // One plan of an account is applied at a time.
  index('plans', 'by_hold', { holds: 1 }, unique('holds')),
  // For callers who are limited to accounts.
  index('plans', 'by_account', { accountId: 1, madeAt: -1, _id: -1 }),
  index('planEntries', 'of_plan', { plan: 1, number: 1 }, { unique: true }),
  // Pages of what a filter leaves, in their order.
  index('planEntries', 'by_action', { plan: 1, action: 1, number: 1 }),
  index('planEntries', 'by_kind', { plan: 1, kind: 1, number: 1 }),
  index('planEntries', 'by_outcome', { plan: 1, outcome: 1, number: 1 }),
  index('planNames', 'of_plan', { plan: 1, first: 1 }, { unique: true }),
  // The oldest that waits of each receiver; lists.
  index('outbox', 'by_state', { state: 1, receiver: 1, place: 1 }),
  index('outbox', 'by_place', { place: -1 }),
  index('outbox', 'by_topic', { topic: 1, place: -1 }),
  index('ownership', 'by_key', { accountId: 1, kind: 1, key: 1 }, { unique: true }),
  // By which the server deletes what ran out: an hour later, because its clock may be ahead of the callers'.
  index('usedOnce', 'by_end', { until: 1 }, { expireAfterSeconds: 3600 }),
];

function index(
  collection: keyof Database,
  name: string,
  key: Record<string, 1 | -1>,
  options: Partial<IndexDescription> = {},
): Index {
  return { collection, description: { name, key, ...options } };
}

function unique(field: string): Partial<IndexDescription> {
  return { unique: true, partialFilterExpression: { [field]: { $exists: true } } };
}

export function openDatabase(db: Collections): Database {
  return {
    hosts: db.collection('hosts'),
    history: db.collection('history'),
    hostFeed: db.collection('hostFeed'),
    relations: db.collection('relations'),
    accountMarks: db.collection('accountMarks'),
    rules: db.collection('rules'),
    ruleVersions: db.collection('ruleVersions'),
    rulePlans: db.collection('rulePlans'),
    logs: db.collection('logs'),
    audit: db.collection('audit'),
    auditChain: db.collection('auditChain'),
    auditForwarded: db.collection('auditForwarded'),
    sessions: db.collection('sessions'),
    signIns: db.collection('signIns'),
    tokenUses: db.collection('tokenUses'),
    usedOnce: db.collection('usedOnce'),
    cronStates: db.collection('cronStates'),
    activeRuns: db.collection('activeRuns'),
    work: db.collection('work'),
    outbox: db.collection('outbox'),
    outboxMarks: db.collection('outboxMarks'),
    playbookRuns: db.collection('playbookRuns'),
    playbookMatches: db.collection('playbookMatches'),
    hostComments: db.collection('hostComments'),
    plans: db.collection('plans'),
    planEntries: db.collection('planEntries'),
    planNames: db.collection('planNames'),
    ownership: db.collection('ownership'),
    published: db.collection('published'),
    hostCounts: db.collection('hostCounts'),
    purges: db.collection('purges'),
    renames: db.collection('renames'),
    control: db.collection('control'),
  };
}

interface SchemaUpdate {
  readonly database: Database;
  /** The same, without a limit to the time of an answer: a large index takes minutes. */
  readonly withoutTimeout: <T>(work: (database: Database) => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Reads the server's answer to `hello`. */
  readonly askServer: () => Promise<Readonly<Record<string, unknown>>>;
  readonly leaseMs: number;
  readonly logger: Logger;
}

interface SchemaRequest {
  /** How messages name the database. */
  readonly place: string;
  readonly mustExist: boolean;
  readonly mayUpgrade: boolean;
  readonly made: (() => void) | undefined;
}

/** Brings indexes and schema version up to date. Of many nodes that start at once, one does it and the others wait. */
export async function updateSchema(
  { database, withoutTimeout, askServer, leaseMs, logger }: SchemaUpdate,
  { place, mustExist, mayUpgrade, made }: SchemaRequest,
): Promise<void> {
  if ((await pending(database)) === undefined) return;
  const isNew = (await database.control.findOne({ _id: SCHEMA })) === null;
  if (isNew && mustExist) throw storeMissing(place);
  if (!isNew && !mayUpgrade) {
    throw new AppError(
      'failed',
      'it is of an older version; the next start of the service, or "muster storage upgrade", upgrades it',
    );
  }
  const waits = (): void =>
    logger.info('Another node brings the indexes of the database up to date; waiting until it is done');
  await withKeptLease(database.control, MIGRATION, { leaseMs, timeoutMs: Infinity, waits }, async ({ held, lost }) => {
    const missing = await pending(database);
    if (missing === undefined) return;
    const making = { logger, held, reportMs: reportMs(leaseMs), buildOptions: await buildOptionsOf(askServer) };
    if (missing.length > 0) await withoutTimeout((slow) => createIndexes(slow, missing, making), lost);
    await held();
    await database.control.updateOne(
      { _id: SCHEMA },
      { $set: { kind: 'schema', n: SCHEMA_VERSION } },
      { upsert: true },
    );
    if (isNew) made?.();
  });
}

/** The indexes that are missing; `undefined` when they are all there and the documents have this version's shape. */
async function pending(database: Database): Promise<readonly Index[] | undefined> {
  const [schema, missing] = await Promise.all([database.control.findOne({ _id: SCHEMA }), missingIndexes(database)]);
  if (schema?.n !== undefined && schema.n > SCHEMA_VERSION) {
    throw new AppError(
      'failed',
      'The database was written by a newer version of Muster. Start that version, or restore a backup of this one.',
    );
  }
  if (schema?.n !== undefined && schema.n < FIRST_VERSION) {
    throw new AppError('failed', `it ${noLongerUpgraded(schema.n)}`);
  }
  return schema?.n === SCHEMA_VERSION && missing.length === 0 ? undefined : missing;
}

async function missingIndexes(database: Database): Promise<readonly Index[]> {
  const names = [...new Set(INDEXES.map((item) => item.collection))];
  const present = new Map(
    await Promise.all(names.map(async (name) => [name, await indexesOf(database, name)] as const)),
  );
  return INDEXES.filter((item) => {
    const found = present.get(item.collection)?.get(item.description.name);
    return found === undefined || !sameIndex(found, item.description);
  });
}

async function indexesOf(database: Database, name: keyof Database): Promise<ReadonlyMap<string, IndexDescription>> {
  const list = await database[name].listIndexes().toArray().catch(emptyWhenUnknown);
  return new Map(list.map((item) => [String(item.name), item as IndexDescription]));
}

/** A collection that does not exist yet is an error to `listIndexes`. */
function emptyWhenUnknown(error: unknown): IndexDescription[] {
  if (error instanceof Error && 'code' in error && error.code === 26) return [];
  throw error;
}

function sameIndex(found: IndexDescription, wanted: IndexDescription): boolean {
  return (
    JSON.stringify(found.key) === JSON.stringify(wanted.key) &&
    (found.unique ?? false) === (wanted.unique ?? false) &&
    (found.sparse ?? false) === (wanted.sparse ?? false) &&
    found.expireAfterSeconds === wanted.expireAfterSeconds &&
    JSON.stringify(found.partialFilterExpression ?? null) === JSON.stringify(wanted.partialFilterExpression ?? null)
  );
}

interface Making {
  readonly logger: Logger;
  /** Throws if another node creates them by now. */
  readonly held?: () => Promise<void>;
  /** Interval between messages to the operator about what is being created, in ms. */
  readonly reportMs: number;
  readonly buildOptions: CreateIndexesOptions;
}

/**
 * Waits for most members of a replica set. The server's own default is all of them, so a single member that is down would stop
 * every build, and with it the start of a node. A standalone server refuses the option, and behind a router the shards keep their
 * default.
 */
async function buildOptionsOf(askServer: SchemaUpdate['askServer']): Promise<CreateIndexesOptions> {
  const { setName } = await askServer();
  return typeof setName === 'string' ? { commitQuorum: 'majority' } : {};
}

function reportMs(leaseMs: number): number {
  return Math.min(REPORT_EVERY_MS, leaseMs / 2);
}

/** An index of our name that is built otherwise gives way. */
async function createIndexes(
  database: Database,
  indexes: readonly Index[],
  { logger, held = async () => undefined, reportMs, buildOptions }: Making,
): Promise<void> {
  for (const collection of new Set(indexes.map((item) => item.collection))) {
    const wanted = indexes.filter((item) => item.collection === collection).map((item) => item.description);
    const names = wanted.map(({ name }) => name);
    logger.debug('Making indexes', { collection, indexes: names });
    const present = await indexesOf(database, collection);
    await held();
    for (const name of names) if (present.has(name)) await database[collection].dropIndex(name);
    await held();
    const begun = performance.now();
    const reporting = setInterval(() => {
      const seconds = Math.round((performance.now() - begun) / 1_000);
      logger.info('The database is making indexes, which takes longer the more is stored', {
        collection,
        indexes: names,
        seconds,
      });
    }, reportMs);
    try {
      await database[collection].createIndexes(wanted, buildOptions);
    } finally {
      clearInterval(reporting);
    }
  }
}

/** Finds indexes that were dropped or changed. */
export async function* checkIndexes(
  { database, withoutTimeout, askServer, leaseMs, logger }: SchemaUpdate,
  fix: boolean,
): AsyncIterable<StorageProblem> {
  const all = await missingIndexes(database);
  if (fix && all.length > 0) {
    const making = { logger, reportMs: reportMs(leaseMs), buildOptions: await buildOptionsOf(askServer) };
    await withoutTimeout((slow) => createIndexes(slow, all, making));
  }
  for (const missing of all) {
    const subject = `index ${missing.collection}.${missing.description.name}`;
    yield { subject, message: 'The index is missing or not as it should be.', fixed: fix };
  }
}
