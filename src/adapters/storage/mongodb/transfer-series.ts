import type { Filter } from 'mongodb';
import type { TransferRecord } from '../../../ports/index.ts';
import { groupBy } from '../shared/group-by.ts';
import { keyParts } from '../shared/transfer-key.ts';
import { recordOf, type TransferItem } from '../shared/transfer-table.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { DocumentReader } from './document-reader.ts';
import type { HistoryDoc, RuleVersionDoc } from './documents.ts';
import { chainOf, newestChanges, readChains } from './history-chains.ts';
import { ruleKey } from './stored-records.ts';
import { behind, type Reading, type RecordReader, readOptions } from './transfer-reading.ts';

/**
 * Versions of rules and changes of hosts. Their indexes give the newest of each rule or host first, and their places count
 * from the oldest, so whole series are read: pages end where a series does.
 */

/** Changes read at once to be counted. */
const DOCS_A_COUNT = 1_000;

/** Versions in order of type and id, oldest first. */
export function readVersions(reading: Reading, after: string): RecordReader {
  const { ruleVersions } = reading.database;
  const [type, id] = keyParts(after);
  const start: Filter<RuleVersionDoc> = after === '' ? {} : { $or: [{ type, id }, behind({ type, id })] };
  const docs = new DocumentReader<RuleVersionDoc>((last) => {
    const older = (at: RuleVersionDoc) => ({ type: at.type, id: at.id, _id: { $lt: at._id } });
    const filter: Filter<RuleVersionDoc> =
      last === undefined ? start : { $or: [older(last), behind({ type: last.type, id: last.id })] };
    return ruleVersions.find(filter, { sort: { type: 1, id: 1, _id: -1 }, ...readOptions(reading) });
  });
  return seriesOf(
    docs,
    (doc) => ruleKey(doc.type, doc.id),
    async (series) => {
      const records = series.flatMap((group) =>
        group.toReversed().map((doc, place) => recordOf('rule_versions', { ...doc, at: doc.at.getTime(), place })),
      );
      return recordsBehind(records, after);
    },
  );
}

/** Changes of hosts in order of hostname and time. Those that did not happen are left out; see `HistoryDoc`. */
export function readChanges(reading: Reading, after: string): RecordReader {
  const { history } = reading.database;
  const [afterHost] = keyParts(after);
  const docs = new DocumentReader<HistoryDoc>((last) => {
    // Two writers may have used one number, so a series that was cut off is read again, and what is known of it dropped.
    const from = last?.hostname ?? afterHost;
    const filter: Filter<HistoryDoc> = from === '' ? {} : { hostname: { $gte: from } };
    return history.find(filter, { sort: { hostname: 1, seq: -1 }, ...readOptions(reading) });
  });
  return seriesOf(
    docs,
    (doc) => doc.hostname,
    async (series) => {
      const chains = await chainsOf(reading, series);
      const records = chains.flatMap((chain) => changeItems(chain).map((item) => recordOf('host_changes', item)));
      return recordsBehind(records, after);
    },
  );
}

/** The changes that happened of those that were read, host by host. */
async function chainsOf(
  reading: Reading,
  series: readonly (readonly HistoryDoc[])[],
): Promise<readonly (readonly HistoryDoc[])[]> {
  const { database } = reading;
  const options = readOptions(reading);
  const groups = new Map(series.map((group) => [group[0]?.hostname ?? '', group]));
  const newest = await newestChanges(database, [...groups.keys()], options);
  // A host that changed since its changes were read begins with one that is not among them.
  const changed = [...groups].flatMap(([hostname, group]) => {
    const head = newest.get(hostname);
    return head == null || group.some((doc) => doc._id.equals(head.id)) ? [] : hostname;
  });
  const again = await readChains<HistoryDoc>(database, changed, options);
  return [...groups].map(([hostname, group]) => again.get(hostname) ?? chainOf(group, newest.get(hostname)));
}

/** Reads whole series: documents of one key, which follow each other. */
function seriesOf<Doc extends { readonly _id: unknown }>(
  docs: DocumentReader<Doc>,
  keyOf: (doc: Doc) => string,
  toRecords: (series: readonly (readonly Doc[])[]) => Promise<readonly TransferRecord[]>,
): RecordReader {
  /** Documents read of the series that may continue, by id. */
  let open = new Map<string, Doc>();
  return {
    async next(limit) {
      const page = await docs.next(limit);
      for (const doc of page) open.set(String(doc._id), doc);
      const end = page.at(-1);
      const groups = new Map(groupBy([...open.values()], keyOf));
      const last = end === undefined ? [] : (groups.get(keyOf(end)) ?? []);
      if (end !== undefined) groups.delete(keyOf(end));
      open = new Map(last.map((doc) => [String(doc._id), doc]));
      return { records: await toRecords([...groups.values()]), done: end === undefined };
    },
    close: () => docs.close(),
  };
}

/** How many changes happened. */
export async function countChanges(reading: Reading): Promise<number> {
  const changes = readChanges(reading, '');
  try {
    for (let count = 0; ; ) {
      const { records, done } = await changes.next(DOCS_A_COUNT);
      count += records.length;
      if (done) return count;
    }
  } finally {
    await changes.close();
  }
}

/** Changes of one host in order of time, from its chain. */
export function changeItems(chain: readonly HistoryDoc[]): readonly TransferItem<'host_changes'>[] {
  const inOrder = chain.toReversed().sort((left, right) => left.at.getTime() - right.at.getTime());
  let last = Number.NaN;
  let next = 0;
  return inOrder.map(({ hostname, at, actor, kind, changes }) => {
    next = at.getTime() === last ? next + 1 : 0;
    last = at.getTime();
    return { hostname, at: last, place: next, actor, kind, changes };
  });
}

function recordsBehind(records: readonly TransferRecord[], after: string): readonly TransferRecord[] {
  return after === '' ? records : records.filter((record) => compareUtf8(record.key, after) > 0);
}
