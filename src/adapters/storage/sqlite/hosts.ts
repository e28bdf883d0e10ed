import { setImmediate as turn } from 'node:timers/promises';
import { charactersOf } from '../../../app/hosts/decisions/host-size.ts';
import type { NamedChange } from '../../../app/hosts/decisions/named-change.ts';
import { scopeTest } from '../../../app/hosts/decisions/scope.ts';
import {
  type Clock,
  type HostFilter,
  type HostRecord,
  type HostSearch,
  type HostSearchStep,
  type HostStore,
  PAGE_CHARACTERS,
} from '../../../ports/index.ts';
import { type ChangeHosts, hostWrites } from '../shared/host-writes.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection } from './connection.ts';
import { readCount, readCounters, readCountsByAccount, readPage, searchStep } from './host-query.ts';
import {
  CONTRIBUTION_COLUMNS,
  type ContributionRow,
  HOST_COLUMNS,
  type HostRow,
  toContribution,
  toHostRecord,
} from './rows.ts';
import { askAboutHosts } from './write/change-hosts.ts';
import type { WriterClient } from './writer-client.ts';

const FIND = `SELECT ${HOST_COLUMNS} FROM hosts h CROSS JOIN host_marks m ON m.id = h.id WHERE h.hostname = ?`;
const FIND_EACH = `SELECT ${HOST_COLUMNS} FROM (SELECT DISTINCT value FROM json_each(?)) n
  CROSS JOIN hosts h ON h.hostname = n.value CROSS JOIN host_marks m ON m.id = h.id`;

/** Hosts in SQLite: reads on the calling thread, writes through the writer. */
export function sqliteHosts(
  read: () => Connection,
  writer: () => WriterClient,
  clock: Clock,
  maxBytes: number,
): HostStore {
  const change: ChangeHosts = async (named, { texts, ...request }) => {
    if (named.isQuestion) return askAboutHosts(read(), named, request, maxBytes);
    const message = { change: named.name, ...request, maxBytes };
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    return answersOf(named, await writer().call('changeHosts', message, request.entries.length, size));
  };
  return {
    ...hostWrites(change, clock),

    async get(hostname, scope) {
      const row = read().getRaw<HostRow>(`${FIND} AND h.archived_at IS NULL`, wellFormed(hostname));
      if (row === undefined || !scopeTest(scope)({ accountId: row[1], members: row[6] })) return undefined;
      return toHostRecord(row);
    },

    async find(hostname) {
      const row = read().getRaw<HostRow>(FIND, wellFormed(hostname));
      return row === undefined ? undefined : toHostRecord(row);
    },

    async findEach(hostnames) {
      const names = hostnames.map(wellFormed);
      const byName = new Map<string, HostRecord>();
      for (let rest = names, isCut = true; isCut; rest = rest.filter((name) => !byName.has(name))) {
        let characters = 0;
        read().takeRaw<HostRow>(FIND_EACH, [JSON.stringify(rest)], (row) => {
          const record = toHostRecord(row);
          byName.set(record.hostname, record);
          characters += charactersOf([record]);
          return characters >= PAGE_CHARACTERS;
        });
        isCut = characters >= PAGE_CHARACTERS;
        // Records may be large, so other work of this thread gets a turn between them.
        if (isCut) await turn();
      }
      return names.map((name) => byName.get(name));
    },

    async visible(hostnames, scope) {
      const rows = read().allRaw<[string, string | null, string]>(
        `SELECT hostname, account_id, members FROM hosts
         WHERE hostname IN (SELECT value FROM json_each(?)) AND archived_at IS NULL`,
        JSON.stringify(hostnames.map(wellFormed)),
      );
      const reaches = scopeTest(scope);
      return new Set(rows.filter(([, accountId, members]) => reaches({ accountId, members })).map(([name]) => name));
    },

    async withdrawContributions({ accountId, runId = null, seenBefore, except, at, actor }) {
      const limit = seenBefore?.getTime() ?? null;
      const message = { accountId, runId, seenBefore: limit, except: except.map(wellFormed), at, actor };
      return writer().call('withdrawContributions', message);
    },

    async contributions(hostname) {
      return read()
        .all<ContributionRow>(
          `SELECT ${CONTRIBUTION_COLUMNS} FROM contributions WHERE host_id = (SELECT id FROM hosts WHERE hostname = ?)
           ORDER BY precedence DESC, account_id DESC`,
          wellFormed(hostname),
        )
        .map(toContribution);
    },

    async rename({ hosts, at, actor }) {
      if (hosts.length === 0) return [];
      const wanted = hosts.map(({ from, to }) => ({ from: wellFormed(from), to: wellFormed(to) }));
      return writer().call('renameHosts', { hosts: wanted, at, actor }, hosts.length);
    },

    async archiveUnseen({ seenBefore, except, preview = false, objectType = null, ...sweep }) {
      return writer().call('archiveUnseen', {
        ...sweep,
        objectType,
        seenBefore: seenBefore.getTime(),
        except: except.map(wellFormed),
        preview,
      });
    },

    async archiveStale({ seenBefore, accountId = null, at, actor }) {
      return writer().call('archiveStale', { seenBefore: seenBefore.getTime(), accountId, at, actor });
    },

    purgeArchived: async (before, { at, actor }) =>
      writer().call('purgeArchived', { before: before.getTime(), at, actor }),

    async purge({ hostnames, scope, at, actor }) {
      if (hostnames.length === 0) return [];
      return writer().call('purgeNamed', { hostnames: hostnames.map(wellFormed), scope, at, actor }, hostnames.length);
    },

    count: async (filter) => readCount(read(), filter),

    countByAccount: async () => readCountsByAccount(read()),

    page: async ({ after, ...request }) =>
      readPage(read(), after === undefined ? request : { ...request, after: wellFormed(after) }),

    scan: (filter, batchSize, after) => scan(read, filter, batchSize, after),

    search: ({ after, ...request }) =>
      search(read, after === undefined ? request : { ...request, after: wellFormed(after) }),

    counters: async ({ scope, checkpoint }) => readCounters(read(), scope, checkpoint.getTime()),
  };
}

async function* scan(
  read: () => Connection,
  filter: HostFilter,
  batchSize: number,
  start: string | undefined,
): AsyncGenerator<readonly HostRecord[]> {
  let after = start === undefined ? undefined : wellFormed(start);
  for (;;) {
    const batch = readPage(read(), { filter, offset: 0, limit: batchSize, after });
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    if (batch.length < batchSize && charactersOf(batch) < PAGE_CHARACTERS) return;
    after = last.hostname;
    // Other work of this thread gets a turn between two batches.
    await turn();
  }
}

async function* search(read: () => Connection, request: HostSearch): AsyncGenerator<HostSearchStep> {
  let step = searchStep(read(), request);
  while (step !== undefined) {
    yield step;
    // Other work of this thread gets a turn between two steps.
    await turn();
    step = searchStep(read(), { ...request, after: step.last });
  }
}

/** Converts the answers of the writer thread to the outcomes of the requested change. */
function answersOf<Message, Entry, Outcome>(
  _change: NamedChange<Message, Entry, Outcome>,
  answers: readonly unknown[],
): readonly Outcome[] {
  return answers as readonly Outcome[];
}
