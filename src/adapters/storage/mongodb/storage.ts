import { maskedAddress } from '../../../kit/masking/masked-address.ts';
import { type Clock, DEFAULT_MAX_HOST_BYTES, type Logger, type Revisions, type Storage } from '../../../ports/index.ts';
import { mongodbActiveRuns } from './active-run-store.ts';
import { mongodbAudit } from './audit-store.ts';
import { checkDatabase } from './check.ts';
import { mongodbComments } from './comment-store.ts';
import { mongodbCron } from './cron-store.ts';
import { toAppError } from './errors.ts';
import { mongodbFeed } from './feed-store.ts';
import { mongodbHistory } from './history-store.ts';
import { mongodbHostCounts } from './host-count-store.ts';
import { mongodbHosts } from './host-store.ts';
import { mongodbAccess, mongodbLogs } from './journal-stores.ts';
import { mongodbMarks } from './mark-store.ts';
import { mongodbOutbox } from './outbox-store.ts';
import { mongodbOwnership } from './ownership-store.ts';
import { mongodbPlans } from './plan-store.ts';
import { mongodbPlaybooks } from './playbook-store.ts';
import { mongodbPublished } from './published-store.ts';
import { recover, recoverAtStart } from './recover.ts';
import { mongodbRelations } from './relation-store.ts';
import { mongodbRules } from './rule-store.ts';
import { updateSchema } from './schema.ts';
import { type Context, createSession } from './session.ts';
import { mongodbSessions } from './session-store.ts';
import { mongodbSignIns } from './sign-in-store.ts';
import { mongodbTransfer } from './transfer.ts';
import { mongodbWork } from './work-store.ts';

export interface MongodbStorageOptions {
  /** Connection string. Its database name counts (`muster` when it has none), and so do pool size, TLS and time limits. */
  readonly url: string;
  /** How large a host may be, bytes. Default 8 MiB; a document of MongoDB holds 16 MB. */
  readonly maxHostBytes?: number;
  /** True: a database without anything of ours is a `store_missing`, and stays as it is. */
  readonly mustExist?: boolean;
  /** False: a database of an older version is an error and not upgraded. */
  readonly mayUpgrade?: boolean;
  /** Told when it was made. */
  readonly made?: () => void;
  /** How long others wait for a node that died while it was writing. */
  readonly leaseMs?: number;
}

export interface MongodbStorageDeps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Above what a garbage collection or a slow disk takes; below what people take for broken. */
const LEASE_MS = 10_000;

/**
 * MongoDB 6 or newer, standalone or replica set, for one node or many. No stored data is kept in the process.
 *
 * It needs no transactions: one host is one document, written by compare-and-set on its version. Guarantees beyond that are
 * weaker than in one transaction, in these ways:
 *
 * - A call over many hosts is atomic for each host. An interrupted one has written some hosts and not others, and was not
 *   acknowledged; repeating it gives the same end. Others may see a part while it runs.
 * - A change in the history is written before its host and counts once the host names it (`documents.ts`).
 * - The change feed first records what is about to happen, and then what did (`feed-rows.ts`).
 * - A seat that a host gives back is noted on the host and booked on the pool a moment later (`seats.ts`).
 * - A bundle of rules is all or nothing, even after a crash, but others may see a part while it is carried out
 *   (`rule-journal.ts`).
 * - An interrupted purge leaves history and relations without a host for a while; they are invisible (`host-purge.ts`).
 * - During a rename, a host exists twice for a moment, or its edges and history are still at the old name; an interrupted rename
 *   is undone or finished (`host-renames.ts`).
 * - A revision moves after its change; if the writer dies in between, up to `leaseMs` later (`revisions.ts`).
 *
 * `start`, `check` and every call that meets such a remainder finish it.
 */
export function mongodbStorage(options: MongodbStorageOptions): (deps: MongodbStorageDeps) => Storage {
  const { url, leaseMs = LEASE_MS, maxHostBytes = DEFAULT_MAX_HOST_BYTES } = options;
  const { mustExist = false, mayUpgrade = true, made } = options;
  return ({ logger, clock = { now: () => new Date() } }) => {
    const session = createSession({ url, leaseMs, maxHostBytes, logger, clock });
    return {
      hosts: mongodbHosts(session, clock),
      relations: mongodbRelations(session),
      marks: mongodbMarks(session),
      history: mongodbHistory(session),
      feed: mongodbFeed(session),
      rules: mongodbRules(session),
      logs: mongodbLogs(session),
      audit: mongodbAudit(session),
      access: mongodbAccess(session),
      comments: mongodbComments(session),
      sessions: mongodbSessions(session),
      signIns: mongodbSignIns(session),
      cron: mongodbCron(session),
      activeRuns: mongodbActiveRuns(session),
      work: mongodbWork(session),
      outbox: mongodbOutbox(session),
      playbooks: mongodbPlaybooks(session),
      plans: mongodbPlans(session),
      ownership: mongodbOwnership(session),
      published: mongodbPublished(session),
      hostCounts: mongodbHostCounts(session),
      transfer: mongodbTransfer(session),
      start: () =>
        session.open(async (context) => {
          await updateSchema(context, { place: maskedAddress(url), mustExist, mayUpgrade, made });
          await recoverAtStart(context);
        }),
      stop: () => session.close(),
      revisions: () => session.run(readRevisions),
      async health() {
        try {
          return { ok: true, message: await session.describe() };
        } catch (error) {
          return { ok: false, message: toAppError(error).message };
        }
      },
      check: ({ fix, only }) => session.stream((context) => checkDatabase(context, fix, only)),
    };
  };
}

async function readRevisions(context: Context): Promise<Revisions> {
  const state = await context.revisions.read(context.database);
  if (state.abandoned.length === 0 && !state.unfinishedPlan) return state.revisions;
  context.logger.warn('Finishing what another writer left', { writers: state.abandoned.length });
  await recover(context);
  return (await context.revisions.read(context.database)).revisions;
}
