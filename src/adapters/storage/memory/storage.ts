import { counted } from '../../../kit/words/amounts.ts';
import {
  AppError,
  type Clock,
  DEFAULT_MAX_HOST_BYTES,
  type HostStore,
  type Logger,
  type RecordStore,
  type Storage,
} from '../../../ports/index.ts';
import { movesOfHost } from '../records/host-records.ts';
import { storageOf } from '../records/record-stores.ts';
import { hostWrites } from '../shared/host-writes.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { memoryFeed } from './change-feed.ts';
import { changeHosts, purgeArchived, purgeNamed, sweepStale, sweepUnseen, withdraw } from './host-changes.ts';
import {
  activeHost,
  contributionsOf,
  countersOf,
  countsByAccount,
  find,
  holds,
  matching,
  pageOf,
  toRecord,
} from './host-reads.ts';
import { renameHosts } from './host-renames.ts';
import { memoryHistory } from './journals.ts';
import { memoryMarks } from './marks.ts';
import { memoryRecords } from './records.ts';
import { memoryRelations } from './relations.ts';
import { memoryRules } from './rules.ts';
import { MemoryState } from './state.ts';
import { memoryTransfer } from './transfer.ts';

const SEARCHED_AT_ONCE = 500;

export interface MemoryStorageOptions {
  /** How large a host may be, bytes. Default 8 MiB. */
  readonly maxHostBytes?: number;
}

export interface MemoryStorageDeps {
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/**
 * Everything in the memory of this process, gone with it. Calls do their work without waiting, so that each is atomic by
 * itself. For tests and for trying things out.
 */
export function memoryStorage(options: MemoryStorageOptions = {}): (deps?: MemoryStorageDeps) => Storage {
  return (deps = {}) => {
    const kept = new MemoryState(options.maxHostBytes ?? DEFAULT_MAX_HOST_BYTES);
    let started = false;
    const state = (): MemoryState => {
      if (!started) throw new AppError('unavailable', 'The storage is not started.', { retryAfterSeconds: 1 });
      return kept;
    };
    const clock = deps.clock ?? { now: () => new Date() };
    const records = memoryRecords(() => state().records, clock);
    return storageOf({
      hosts: memoryHosts(state, clock, records),
      relations: memoryRelations(state),
      marks: memoryMarks(state),
      history: memoryHistory(state),
      feed: memoryFeed(state),
      rules: memoryRules(state),
      records,
      transfer: memoryTransfer(state, records),
      async start() {
        started = true;
      },
      async stop() {
        started = false;
      },
      async revisions() {
        return new Map(state().revisions);
      },
      async health() {
        return started ? { ok: true, message: 'memory' } : { ok: false, message: 'The storage is not started.' };
      },
      async *check({ only }) {
        if (only === 'damage') return;
        const accounts = state().rules.get('accounts');
        const unknown = new Map<string, number>();
        for (const host of state().hosts.values()) {
          if (host.accountId === null || accounts?.has(host.accountId)) continue;
          unknown.set(host.accountId, (unknown.get(host.accountId) ?? 0) + 1);
        }
        for (const [id, count] of unknown) {
          yield {
            subject: `account ${id}`,
            message: `${counted(count, 'host belongs', 'hosts belong')} to an account that does not exist`,
            fixed: false,
          };
        }
      },
    });
  };
}

function memoryHosts(state: () => MemoryState, clock: Clock, records: RecordStore): HostStore {
  return {
    ...hostWrites(async (change, request) => changeHosts(state(), change, request), clock),
    async get(hostname, scope) {
      const host = activeHost(state(), hostname, scope);
      return host === undefined ? undefined : toRecord(host);
    },
    find: async (hostname) => find(state(), hostname),
    findEach: async (hostnames) => hostnames.map((hostname) => find(state(), hostname)),
    async visible(hostnames, scope) {
      const found = new Set<string>();
      for (const hostname of hostnames) {
        const host = activeHost(state(), hostname, scope);
        if (host !== undefined) found.add(host.hostname);
      }
      return found;
    },
    withdrawContributions: async (request) => withdraw(state(), request),
    contributions: async (hostname) => contributionsOf(state(), hostname),
    async rename(request) {
      const outcomes = renameHosts(state(), request);
      for (const [index, { from, to }] of request.hosts.entries()) {
        if (outcomes[index] !== 'renamed') continue;
        await records.write(await movesOfHost(records, { from: wellFormed(from), to: wellFormed(to) }));
      }
      return outcomes;
    },
    archiveUnseen: async (sweep) => sweepUnseen(state(), sweep),
    archiveStale: async (request) => sweepStale(state(), request),
    purgeArchived: async (before, by) => purgeArchived(state(), before, by),
    purge: async (request) => purgeNamed(state(), request),
    async count(filter) {
      let count = 0;
      const matches = matching(filter);
      for (const host of state().hosts.values()) if (matches(host)) count++;
      return count;
    },
    countByAccount: async () => countsByAccount(state()),
    async page({ filter, offset, limit, after }) {
      return pageOf(state(), filter, offset, limit, after === undefined ? undefined : wellFormed(after));
    },
    async *scan(filter, batchSize, start) {
      let after = start === undefined ? undefined : wellFormed(start);
      for (;;) {
        const batch = pageOf(state(), filter, 0, batchSize, after);
        after = batch.at(-1)?.hostname;
        if (after === undefined) return;
        yield batch;
      }
    },
    async *search({ filter, holding, after: start }) {
      let after = start === undefined ? undefined : wellFormed(start);
      for (;;) {
        const looked = pageOf(state(), filter, 0, SEARCHED_AT_ONCE, after);
        after = looked.at(-1)?.hostname;
        if (after === undefined) return;
        yield { hosts: looked.filter(holds(holding)), looked: looked.length, last: after };
      }
    },
    counters: async (request) => countersOf(state(), request.scope, request.checkpoint),
  };
}
