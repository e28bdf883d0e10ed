import { setImmediate as turn } from 'node:timers/promises';
import { charactersOf } from '../../../app/hosts/decisions/host-size.ts';
import { inScope } from '../../../app/hosts/decisions/scope.ts';
import {
  type Clock,
  type HostDocumentWrite,
  type HostFilter,
  type HostRecord,
  type HostStore,
  type LabelEntry,
  PAGE_CHARACTERS,
  StoredJson,
} from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection } from './connection.ts';
import { readCount, readCounters, readOwnedCounts, readPage } from './host-query.ts';
import {
  CONTRIBUTION_COLUMNS,
  type ContributionRow,
  HOST_COLUMNS,
  type HostRow,
  toContribution,
  toHostRecord,
} from './rows.ts';
import type { SentDocument } from './write/documents.ts';
import { previewLabels } from './write/labels.ts';
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
  return {
    async get(hostname, scope) {
      const row = read().getRaw<HostRow>(`${FIND} AND h.archived_at IS NULL`, wellFormed(hostname));
      if (row === undefined || !inScope(row[1], scope)) return undefined;
      return toHostRecord(row);
    },

    async find(hostname) {
      const row = read().getRaw<HostRow>(FIND, wellFormed(hostname));
      return row === undefined ? undefined : toHostRecord(row);
    },

    async findEach(hostnames) {
      const names = hostnames.map(wellFormed);
      const records = read().allRaw<HostRow>(FIND_EACH, JSON.stringify(names)).map(toHostRecord);
      const byName = new Map(records.map((record) => [record.hostname, record]));
      return names.map((name) => byName.get(name));
    },

    async visible(hostnames, scope) {
      const rows = read().allRaw<[string, string | null]>(
        `SELECT hostname, account_id FROM hosts
         WHERE hostname IN (SELECT value FROM json_each(?)) AND archived_at IS NULL`,
        JSON.stringify(hostnames.map(wellFormed)),
      );
      return new Set(rows.filter((row) => inScope(row[1], scope)).map((row) => row[0]));
    },

    async saveLabels(write) {
      const { account, at, actor, runId = null, takeOver = false } = write;
      const { hostnames, labels, size } = columns(write.entries);
      const message = { account, hostnames, labels, at, actor, runId, takeOver, maxBytes };
      return writer().call('saveLabels', message, hostnames.length, size);
    },

    async previewLabels(write) {
      const { hostnames, labels } = columns(write.entries);
      const message = { account: write.account, hostnames, labels, takeOver: write.takeOver ?? false, maxBytes };
      return previewLabels(read(), message).map(({ outcome, before }) =>
        before === undefined ? { outcome } : { outcome, before: StoredJson.ofText(before) },
      );
    },

    async contributeLabels(write) {
      const { accountId, precedence, at, actor, runId } = write;
      const { hostnames, labels, size } = columns(write.entries);
      const message = { accountId, precedence, hostnames, labels, at, actor, runId, maxBytes };
      return writer().call('contributeLabels', message, hostnames.length, size);
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

    async saveInventory({ entries, scope, at, actor }) {
      const hostnames = entries.map((entry) => wellFormed(entry.hostname));
      const keys = entries.map((entry) => entry.key);
      const sections = entries.map((entry) => entry.section.text);
      const size = sections.reduce((sum, text) => sum + text.length, 0);
      const message = { hostnames, keys, sections, scope, at, actor, maxBytes };
      return writer().call('saveInventory', message, hostnames.length, size);
    },

    async archive({ hostnames, by, at, scope, actor }) {
      const message = { hostnames: hostnames.map(wellFormed), by, at, scope, actor };
      return writer().call('archive', message, hostnames.length);
    },

    async restore({ hostnames, at, scope, actor }) {
      const message = { hostnames: hostnames.map(wellFormed), at, scope, actor };
      return writer().call('restore', message, hostnames.length);
    },

    async archiveUnseen({ seenBefore, except, preview = false, ...sweep }) {
      return writer().call('archiveUnseen', {
        ...sweep,
        seenBefore: seenBefore.getTime(),
        except: except.map(wellFormed),
        preview,
      });
    },

    async archiveStale({ seenBefore, accountId = null, at, actor }) {
      return writer().call('archiveStale', { seenBefore: seenBefore.getTime(), accountId, at, actor });
    },

    purgeArchived: async (before) => writer().call('purgeArchived', before.getTime()),

    count: async (filter) => readCount(read(), filter),

    countOwned: async (accountId) => readCount(read(), { scope: [accountId], kind: 'all', state: 'active' }),

    countOwnedByAccount: async () => readOwnedCounts(read()),

    page: async ({ after, ...request }) =>
      readPage(read(), after === undefined ? request : { ...request, after: wellFormed(after) }),

    scan: (filter, batchSize, after) => scan(read, filter, batchSize, after),

    counters: async ({ scope, checkpoint }) => readCounters(read(), scope, checkpoint.getTime()),

    async putDocuments(writes, actor) {
      const documents = writes.map(sendDocument);
      const size = documents.reduce((sum, document) => sum + document.labels.length + document.inventory.length, 0);
      return writer().call('putDocuments', { documents, actor, at: clock.now() }, documents.length, size);
    },
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
    // Other work of this thread goes on between two batches.
    await turn();
  }
}

function columns(entries: readonly LabelEntry[]): { hostnames: string[]; labels: string[]; size: number } {
  const hostnames: string[] = [];
  const labels: string[] = [];
  let size = 0;
  for (const entry of entries) {
    const { text } = entry.labels;
    hostnames.push(wellFormed(entry.hostname));
    labels.push(text);
    size += text.length;
  }
  return { hostnames, labels, size };
}

function sendDocument({ record, mode, relations }: HostDocumentWrite): SentDocument {
  return {
    hostname: wellFormed(record.hostname),
    accountId: record.accountId,
    isObject: record.isObject,
    objectType: record.objectType,
    labels: record.labels.text,
    inventory: record.inventory.text,
    members: record.members.text,
    folder: record.folder,
    createdAt: record.createdAt.getTime(),
    lastSeen: record.lastSeen?.getTime() ?? null,
    lastUpdate: record.lastUpdate?.getTime() ?? null,
    archivedAt: record.archive?.at.getTime() ?? null,
    archivedBy: record.archive?.by ?? null,
    mode,
    relations: relations.map(({ type, target, source }) => ({ type, target: wellFormed(target), source })),
  };
}
