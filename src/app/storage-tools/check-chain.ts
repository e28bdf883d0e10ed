import type { KeyObject } from 'node:crypto';
import { counted } from '../../kit/words/amounts.ts';
import { plainSecondsOf } from '../../kit/words/moment.ts';
import {
  AppError,
  type AuditLink,
  type AuditStore,
  type KeptAuditEntry,
  type StorageProblem,
} from '../../ports/index.ts';
import type { AuditChain } from '../journal/audit/audit-chain.ts';
import { entryMark, type OpenChain } from '../journal/audit/chain-state.ts';
import { goesThrough, PUT_BACK } from '../journal/audit/put-back.ts';

const BATCH_SIZE = 1_000;
/** More of one kind are counted and not named. */
const MOST_NAMED = 20;
const SUBJECT = 'audit log';
/** Behind this place are all entries, those at places that no entry of ours has too. */
const EVERYTHING = Number.NEGATIVE_INFINITY;

/**
 * Walks the chain of the audit log and yields entries that were removed, changed, inserted or moved. Entries that are appended
 * meanwhile are left to the next check.
 */
export async function* auditProblems(
  store: AuditStore,
  chain: Pick<AuditChain, 'read' | 'look'>,
  signal: AbortSignal,
): AsyncGenerator<StorageProblem> {
  // First, because entries that come meanwhile may be forwarded meanwhile.
  const forwarded = await store.forwarded();
  let open: OpenChain | undefined;
  try {
    await chain.look();
    open = await chain.read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield problem(
      `${error.message}: use the instance key that wrote it, or restore a backup; where the key is gone for good, begin a new chain with "muster storage begin-audit-chain"; nothing was verified`,
    );
    return;
  }
  if (open === undefined) {
    for await (const [first] of store.linked({ after: EVERYTHING, batchSize: 1 })) {
      if (first === undefined) break;
      yield problem(
        'the record of its chain is gone, so nothing could be verified; restore a backup, or begin a new chain with "muster storage begin-audit-chain"',
      );
      break;
    }
    for (const [target, { seq }] of forwarded) yield putBack(target, seq);
    return;
  }
  for (const [target, place] of forwarded) {
    if (!(await goesThrough(store, open.state, place))) yield putBack(target, place.seq);
  }
  yield* named(linkProblems(store, open, chain, signal));
  yield* outsideProblems(store, open);
}

async function* linkProblems(
  store: AuditStore,
  { state, key }: OpenChain,
  chain: Pick<AuditChain, 'read'>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let last: AuditLink | undefined = state.start;
  let place = state.start.seq;
  for await (const batch of store.linked({ after: EVERYTHING, batchSize: BATCH_SIZE })) {
    signal.throwIfAborted();
    for (const entry of batch) {
      const link = entry.link as AuditLink;
      if (link.seq > state.end.seq) break;
      if (link.seq <= state.start.seq) {
        if (link.seq > 0 && link.seq <= state.lostThrough) continue;
        yield `entry ${link.seq} was inserted before the beginning: ${describe(entry)}`;
        continue;
      }
      if (link.seq > place + 1) {
        const start = await startOf(chain);
        // Pruned since the check began.
        if (start.seq >= link.seq - 1) last = start.seq === link.seq - 1 ? start : undefined;
        else {
          yield* missing(Math.max(place, start.seq) + 1, link.seq - 1);
          last = undefined;
        }
      }
      // Behind a gap the mark before is not known; the entry there is verified by those behind it.
      if (last !== undefined && !fits(key, entry, link, last.mark)) {
        yield `entry ${link.seq} was changed, inserted or moved: ${describe(entry)}`;
      }
      if (entry.operation === PUT_BACK) {
        yield `entry ${link.seq} records that the log was set back to an earlier state before ${plainSecondsOf(entry.at)}, by someone or by a backup: ${entry.details}`;
      }
      last = link;
      place = link.seq;
    }
  }
  if (place < state.end.seq) yield* missing(place + 1, state.end.seq);
  else if (last !== undefined && last.mark !== state.end.mark)
    yield `entry ${state.end.seq} is another than the last one`;
  const behind = await firstBehind(store, state.end.seq, chain);
  if (behind !== undefined) yield `entry ${behind.link?.seq} was inserted after the end: ${describe(behind)}`;
}

function fits(key: KeyObject, entry: KeptAuditEntry, link: AuditLink, before: string): boolean {
  return entryMark(key, entry, link.seq, before) === link.mark;
}

async function startOf(chain: Pick<AuditChain, 'read'>): Promise<AuditLink> {
  return (await chain.read())?.state.start ?? { seq: 0, mark: '' };
}

/** An entry that is behind the end, also behind where the end is by now. */
async function firstBehind(
  store: AuditStore,
  end: number,
  chain: Pick<AuditChain, 'read'>,
): Promise<KeptAuditEntry | undefined> {
  for await (const [first] of store.linked({ after: end, batchSize: 1 })) {
    if (first === undefined) return undefined;
    const now = (await chain.read())?.state.end.seq ?? 0;
    if ((first.link?.seq ?? 0) <= now) return undefined;
    return first;
  }
  return undefined;
}

/** Entries without a place: there are no more of them than when the chain began, and none is younger. */
async function* outsideProblems(store: AuditStore, { state }: OpenChain): AsyncGenerator<StorageProblem> {
  const young = await store.unlinked({ since: state.begunAt, limit: MOST_NAMED });
  for (const entry of young.first) {
    yield problem(`an entry was inserted, or written by a process without the instance key: ${describe(entry)}`);
  }
  if (young.count > young.first.length)
    yield problem(`${counted(young.count - young.first.length, 'more entry', 'more entries')} like these`);
  const old = await store.unlinked({ before: state.begunAt, limit: 0 });
  if (old.count > state.outside) {
    const more = old.count - state.outside;
    yield problem(
      `${counted(more, 'entry', 'entries')} from before ${plainSecondsOf(state.begunAt)} ${more === 1 ? 'was' : 'were'} inserted later`,
    );
  }
}

async function* named(messages: AsyncIterable<string>): AsyncGenerator<StorageProblem> {
  let count = 0;
  for await (const message of messages) if (++count <= MOST_NAMED) yield problem(message);
  if (count > MOST_NAMED)
    yield problem(`${counted(count - MOST_NAMED, 'more entry is', 'more entries are')} missing or changed`);
}

function* missing(first: number, last: number): Generator<string> {
  if (first > last) return;
  yield first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`;
}

function putBack(target: string, seq: number): StorageProblem {
  return problem(
    `it was forwarded to ${target} up to entry ${seq}, which is no longer in the log unchanged: the log was set back to an earlier state, and the copy at ${target} shows what is missing`,
  );
}

function describe({ at, actor, operation, subject }: KeptAuditEntry): string {
  return `${plainSecondsOf(at)} ${actor} ${operation}${subject === '' ? '' : ` ${subject}`}`;
}

function problem(message: string): StorageProblem {
  return { subject: SUBJECT, message, fixed: false };
}
