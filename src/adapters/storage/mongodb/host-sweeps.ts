import type { Filter } from 'mongodb';
import { archiveStale, archiveUnseen } from '../../../app/hosts/decisions/archive.ts';
import { withdrawContributions } from '../../../app/hosts/decisions/contribution.ts';
import { sweepDecision } from '../../../app/hosts/decisions/sweep.ts';
import type { HostStore, SweepResult, UnseenSweep } from '../../../ports/index.ts';
import { named } from '../shared/host-writes.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { AN_ANSWER, DocumentReader } from './document-reader.ts';
import type { HostDoc } from './documents.ts';
import { changeHosts } from './host-writer.ts';
import type { Context } from './session.ts';

/** Changes of hosts that a query finds. Each is decided when it is written, since others may have changed the host. */

type Request<Name extends 'withdrawContributions' | 'archiveStale'> = Parameters<HostStore[Name]>[0];

export async function withdraw(context: Context, request: Request<'withdrawContributions'>): Promise<number> {
  const { accountId, runId = null, seenBefore, except, at, actor } = request;
  const message = { accountId, runId, seenBefore: seenBefore?.getTime() ?? null, at, actor };
  const names = await namesOf(context, { 'contributions.account': accountId }, except);
  const withdrawn = await changeHosts(context, withdrawContributions, { message, ...named(names) });
  return withdrawn.filter(Boolean).length;
}

export async function sweepUnseen(context: Context, sweep: UnseenSweep): Promise<SweepResult> {
  const { accountId, runId, seenBefore, except, at, actor } = sweep;
  const filter = unseenOf(sweep);
  const candidates = await namesOf(context, filter, except);
  const result = sweepDecision({ ...sweep, candidates });
  if (result.archived === 0) return result;
  const message = { accountId, runId, seenBefore: seenBefore.getTime(), at, actor };
  const archived = await changeHosts(context, archiveUnseen, { message, ...named(candidates) });
  return { ...result, archived: archived.filter(Boolean).length };
}

/**
 * Hosts and objects that an import did not see. Both values are named, though that means all: the index has them between the
 * account and the name, and gives names in order only if all fields before them are known.
 */
export function unseenOf(
  sweep: Pick<UnseenSweep, 'accountId' | 'runId' | 'seenBefore' | 'objectType'>,
): Filter<HostDoc> {
  const { accountId, runId, seenBefore, objectType } = sweep;
  return {
    account: accountId,
    archived: false,
    isObject: { $in: [false, true] },
    run: { $ne: runId },
    $or: [{ lastSeen: null }, { lastSeen: { $lt: seenBefore } }],
    ...(objectType === undefined ? {} : { objectType }),
  };
}

export async function sweepStale(context: Context, request: Request<'archiveStale'>): Promise<string[]> {
  const { seenBefore, accountId = null, at, actor } = request;
  const owned = accountId === null ? {} : { account: accountId };
  const filter = { ...owned, archived: false, isObject: false, sight: { $lt: seenBefore } };
  const names = await namesOf(context, filter, []);
  const message = { accountId, seenBefore: seenBefore.getTime(), at, actor };
  const archived = await changeHosts(context, archiveStale, { message, ...named(names) });
  return names.filter((_, index) => archived[index]);
}

async function namesOf(context: Context, filter: Filter<HostDoc>, except: readonly string[]): Promise<string[]> {
  const left = new Set(except.map(wellFormed));
  const options = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
  const docs = new DocumentReader<Pick<HostDoc, '_id'>>((last) => {
    const behind = last === undefined ? {} : { _id: { $gt: last._id } };
    return context.database.hosts.find<Pick<HostDoc, '_id'>>({ ...filter, ...behind }, options);
  });
  const names: string[] = [];
  for await (const batch of docs.batches(AN_ANSWER)) {
    for (const { _id } of batch) if (!left.has(_id)) names.push(_id);
  }
  return names;
}
