import { ObjectId } from 'mongodb';
import { archiveChange, archiving, isStale } from '../../../app/hosts/decisions/archive.ts';
import type { HostState } from '../../../app/hosts/decisions/host-state.ts';
import { isActive, isArchived, scopeTest } from '../../../app/hosts/decisions/scope.ts';
import { isUnseen, sweepDecision } from '../../../app/hosts/decisions/sweep.ts';
import type {
  AccountScope,
  Actor,
  ArchiveOutcome,
  ArchiveReason,
  ArchiveRequest,
  HostStore,
  RestoreOutcome,
  SweepResult,
  UnseenSweep,
} from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { HOSTS_A_BATCH } from './batches.ts';
import { archiveOf, stateOf } from './documents.ts';
import { bringBack, grouped, inOrder } from './host-labels.ts';
import { changeHosts, type HostSlot } from './host-writer.ts';
import { settleSeats } from './seats.ts';
import type { Context } from './session.ts';

interface Archiving {
  readonly hostnames: readonly string[];
  readonly at: Date;
  readonly actor: Actor;
  readonly by: ArchiveReason;
  /** Asked at the moment of writing, because the host may have changed since it was found. */
  readonly may: (host: HostState) => boolean;
}

export async function archive(context: Context, request: ArchiveRequest): Promise<ArchiveOutcome[]> {
  const reaches = scopeTest(request.scope);
  const { names, entriesOf } = grouped(request.hostnames);
  const gone = await archiveHosts(context, {
    ...request,
    hostnames: names,
    may: (host) => isActive(host, reaches),
  });
  return firstOnly(request.hostnames.length, entriesOf, gone, 'archived');
}

/** A name that is given twice is gone, or back, when its second turn comes. */
function firstOnly<T extends string>(
  count: number,
  entriesOf: ReadonlyMap<string, readonly number[]>,
  done: ReadonlySet<string>,
  outcome: T,
): (T | 'not_found')[] {
  const answers = [...entriesOf].map(([hostname, entries]) => {
    const outcomes = entries.map((_, index) => (index === 0 && done.has(hostname) ? outcome : 'not_found'));
    return [hostname, outcomes] as const;
  });
  return inOrder(count, entriesOf, new Map(answers));
}

/** Archives what may be, and gives seats back. Answers the names. */
async function archiveHosts(context: Context, request: Archiving): Promise<ReadonlySet<string>> {
  let owesSeats = false;
  const answers = await changeHosts(context, {
    hostnames: request.hostnames,
    read: [],
    at: request.at,
    actor: request.actor,
    decide(slot) {
      const done = archiveOne(slot, request);
      if (done && slot.host?.debts !== undefined) owesSeats = true;
      return done;
    },
  });
  if (owesSeats) await settleSeats(context);
  return new Set([...answers].filter(([, done]) => done).map(([hostname]) => hostname));
}

function archiveOne(slot: HostSlot, { at, actor, by, may }: Archiving): boolean {
  const { host } = slot;
  if (host === undefined || !may(stateOf(host))) return false;
  const { seatBack, remembered } = archiving(host, { at, by });
  host.archived = true;
  host.archivedAt = at;
  host.archivedBy = by;
  host.folder = null;
  if (seatBack !== null) {
    const debt = { id: new ObjectId(), folder: seatBack, at, actor: { kind: actor.kind, name: actor.name } };
    host.debts = [...(host.debts ?? []), debt];
  }
  slot.visible = true;
  slot.remember(remembered);
  return true;
}

export async function restore(
  context: Context,
  request: {
    readonly hostnames: readonly string[];
    readonly at: Date;
    readonly scope: AccountScope;
    readonly actor: Actor;
  },
): Promise<RestoreOutcome[]> {
  const reaches = scopeTest(request.scope);
  const { names, entriesOf } = grouped(request.hostnames);
  const answers = await changeHosts(context, {
    hostnames: names,
    read: [],
    at: request.at,
    actor: request.actor,
    decide(slot) {
      const { host } = slot;
      if (host === undefined || !isArchived(stateOf(host), reaches)) return false;
      slot.remember(archiveChange(archiveOf(host), null));
      bringBack(host);
      host.folder = null;
      slot.visible = true;
      return true;
    },
  });
  const back = new Set([...answers].filter(([, done]) => done).map(([hostname]) => hostname));
  return firstOnly(request.hostnames.length, entriesOf, back, 'restored');
}

export async function archiveUnseen(context: Context, sweep: UnseenSweep): Promise<SweepResult> {
  const except = new Set(sweep.except.map(wellFormed));
  const filter = {
    account: sweep.accountId,
    archived: false,
    run: { $ne: sweep.runId },
    $or: [{ lastSeen: null }, { lastSeen: { $lt: sweep.seenBefore } }],
  };
  const candidates = (await namesOf(context, filter)).filter((name) => !except.has(name));
  const result = sweepDecision({ ...sweep, candidates });
  if (result.archived === 0) return result;
  const request = { ...sweep, seenBefore: sweep.seenBefore.getTime() };
  const gone = await archiveHosts(context, {
    hostnames: candidates,
    at: sweep.at,
    actor: sweep.actor,
    by: 'import',
    may: (host) => isUnseen(host, request),
  });
  return { ...result, archived: gone.size };
}

export async function archiveStale(
  context: Context,
  { seenBefore, accountId, at, actor }: Parameters<HostStore['archiveStale']>[0],
): Promise<string[]> {
  const owned = accountId === undefined ? {} : { account: accountId };
  const names = await namesOf(context, { ...owned, archived: false, isObject: false, sight: { $lt: seenBefore } });
  const limits = { seenBefore: seenBefore.getTime(), accountId: accountId ?? null };
  const may = (host: HostState): boolean => isStale(host, limits);
  const gone = await archiveHosts(context, { hostnames: names, at, actor, by: 'stale', may });
  return names.filter((name) => gone.has(name));
}

async function namesOf(context: Context, filter: Record<string, unknown>): Promise<string[]> {
  const options = { projection: { _id: 1 }, sort: { _id: 1 }, batchSize: 10 * HOSTS_A_BATCH } as const;
  const docs = await context.database.hosts.find(filter, options).toArray();
  return docs.map((doc) => doc._id);
}
