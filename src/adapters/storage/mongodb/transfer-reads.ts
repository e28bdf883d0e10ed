import type { Filter, FindCursor, FindOptions } from 'mongodb';
import type { TransferPart, TransferRecord } from '../../../ports/index.ts';
import { keyParts } from '../shared/transfer-key.ts';
import {
  auditChainRecord,
  auditRecord,
  contributionRecord,
  cronStateRecord,
  hostRecord,
  logRecord,
  playbookMatchRecord,
  playbookRunRecord,
  relationRecord,
  ruleRecord,
  tokenUseRecord,
} from '../shared/transfer-records.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { DocumentReader } from './document-reader.ts';
import {
  type AuditDoc,
  type CronStateDoc,
  confirmedByOf,
  type HostDoc,
  type PlaybookMatchDoc,
  type PlaybookRunDoc,
  type RelationDoc,
  type RuleDoc,
  ruleKey,
} from './documents.ts';
import { behind, type Reading, type RecordReader, readOptions } from './transfer-reading.ts';
import { readChanges, readVersions } from './transfer-series.ts';

/** Reads a part in order of its keys, from behind `after` on. */
export function readPart(reading: Reading, part: TransferPart, after: string | undefined): RecordReader {
  return READERS[part](reading, after ?? '');
}

const READERS: Readonly<Record<TransferPart, (reading: Reading, after: string) => RecordReader>> = {
  rules: readRules,
  rule_versions: readVersions,
  hosts: (reading, after) =>
    byId(reading, after, (filter, options) => reading.database.hosts.find(filter, options), toHost),
  contributions: readContributions,
  relations: readRelations,
  host_changes: readChanges,
  logs: (reading, after) =>
    byId(
      reading,
      after,
      (filter, options) => reading.database.logs.find(filter, options),
      ({ _id, ...entry }) => logRecord({ ...entry, id: _id, at: entry.at.getTime() }),
    ),
  audit: (reading, after) =>
    byId(
      reading,
      after,
      (filter, options) => reading.database.audit.find({ ...filter, ...upTo(reading.audit?.seq) }, options),
      ({ _id, details = '', seq = null, mark = null, ...entry }) =>
        auditRecord({ ...entry, id: _id, at: entry.at.getTime(), details, seq, mark }),
    ),
  audit_chain: readAuditChain,
  token_uses: (reading, after) =>
    byId(
      reading,
      after,
      (filter, options) => reading.database.tokenUses.find(filter, options),
      ({ _id, at }) => tokenUseRecord({ tokenId: _id, at: at.getTime() }),
    ),
  cron_states: (reading, after) =>
    byId(reading, after, (filter, options) => reading.database.cronStates.find(filter, options), toCronState),
  playbook_runs: (reading, after) =>
    byId(reading, after, (filter, options) => reading.database.playbookRuns.find(filter, options), toPlaybookRun),
  playbook_matches: readPlaybookMatches,
};

/** What nodes append while a copy is read stands behind the state of the chain that the copy takes. */
function upTo(seq: number | undefined): Filter<AuditDoc> {
  return seq === undefined ? {} : { $or: [{ seq: { $exists: false } }, { seq: { $lte: seq } }] };
}

function readAuditChain(reading: Reading, after: string): RecordReader {
  let isRead = after !== '';
  return {
    async next() {
      const settled = isRead ? undefined : (reading.audit ?? (await settledAudit(reading)));
      isRead = true;
      return { records: settled === undefined ? [] : [auditChainRecord(settled.state)], done: true };
    },
    close: async () => undefined,
  };
}

/** The chain of the audit log as far as all of its entries are in their collection. */
export async function settledAudit(reading: Reading): Promise<Reading['audit']> {
  const found = await reading.database.auditChain.findOne({}, readOptions(reading));
  return found?.settled;
}

type Find<Doc> = (filter: Filter<{ _id: string }>, options: FindOptions) => FindCursor<Doc>;

/** A collection whose `_id` is the key. */
function byId<Doc extends { readonly _id: string }>(
  reading: Reading,
  after: string,
  find: Find<Doc>,
  toRecord: (doc: Doc) => TransferRecord,
): RecordReader {
  const docs = new DocumentReader<Doc>((last) =>
    find(idBehind(last?._id ?? after), { sort: { _id: 1 }, ...readOptions(reading) }),
  );
  return recordsOf(docs, (page) => page.map(toRecord));
}

/** Nothing is smaller than the empty text, so everything is behind it. */
function idBehind(last: string): Filter<{ _id: string }> {
  return last === '' ? {} : { _id: { $gt: last } };
}

function recordsOf<Doc extends object>(
  docs: DocumentReader<Doc>,
  toRecords: (page: readonly Doc[]) => readonly TransferRecord[],
): RecordReader {
  return {
    async next(limit) {
      const page = await docs.next(limit);
      return { records: toRecords(page), done: page.length === 0 };
    },
    close: () => docs.close(),
  };
}

function toHost(host: HostDoc): TransferRecord {
  const { archivedAt, archivedBy } = host;
  return hostRecord({
    hostname: host._id,
    accountId: host.account,
    isObject: host.isObject,
    objectType: host.objectType,
    labels: host.labels,
    inventory: host.inventory,
    members: host.members,
    folder: host.folder,
    createdAt: host.createdAt.getTime(),
    createdBy: host.createdBy,
    lastSeen: host.lastSeen?.getTime() ?? null,
    lastUpdate: host.lastUpdate?.getTime() ?? null,
    archive: archivedAt === null || archivedBy === null ? null : { at: archivedAt.getTime(), by: archivedBy },
    runId: host.run,
  });
}

function toCronState({ _id, lastStart, lastEnd, ...state }: CronStateDoc): TransferRecord {
  return cronStateRecord({
    ...state,
    groupId: _id,
    lastStart: lastStart.getTime(),
    lastEnd: lastEnd?.getTime() ?? null,
  });
}

function toPlaybookRun({ _id, startedAt, endedAt, ...run }: PlaybookRunDoc): TransferRecord {
  const times = { startedAt: startedAt.getTime(), endedAt: endedAt?.getTime() ?? null };
  return playbookRunRecord({ ...run, ...times, id: _id });
}

function readPlaybookMatches(reading: Reading, after: string): RecordReader {
  const [hostname, ruleId, playbook] = keyParts(after);
  const start = after === '' ? undefined : { hostname, ruleId, playbook };
  const docs = new DocumentReader<PlaybookMatchDoc>((last) => {
    const match = last ?? start;
    const filter: Filter<PlaybookMatchDoc> =
      match === undefined ? {} : behind({ hostname: match.hostname, ruleId: match.ruleId, playbook: match.playbook });
    const sort = { hostname: 1, ruleId: 1, playbook: 1 } as const;
    return reading.database.playbookMatches.find(filter, { sort, ...readOptions(reading) });
  });
  return recordsOf(docs, (page) =>
    page.map(({ since, ...match }) => playbookMatchRecord({ ...match, since: since.getTime() })),
  );
}

/** One type after the other, because `_id` (`<type>/<id>`) would put a type whose name goes on with `-` before its prefix. */
function readRules(reading: Reading, after: string): RecordReader {
  const { rules } = reading.database;
  const [afterType, afterId] = keyParts(after);
  let types: string[] | undefined;
  let docs: DocumentReader<RuleDoc> | undefined;

  function ofType(type: string): DocumentReader<RuleDoc> {
    const first = ruleKey(type, type === afterType ? afterId : '');
    return new DocumentReader<RuleDoc>((last) =>
      rules.find({ type, _id: { $gt: last?._id ?? first } }, { sort: { _id: 1 }, ...readOptions(reading) }),
    );
  }

  return {
    async next(limit) {
      types ??= (await rules.distinct('type', {}, readOptions(reading)))
        .filter((type) => compareUtf8(type, afterType) >= 0)
        .sort(compareUtf8);
      const [type] = types;
      if (type === undefined) return { records: [], done: true };
      docs ??= ofType(type);
      const page = await docs.next(limit);
      if (page.length === 0) {
        types.shift();
        docs = undefined;
      }
      return { records: page.map(toRule), done: types.length === 0 };
    },
    close: async () => docs?.close(),
  };
}

function toRule(doc: RuleDoc): TransferRecord {
  const { type, id, name, uniqueValue, version, changedAt, document } = doc;
  return ruleRecord({
    type,
    id,
    name,
    uniqueValue: uniqueValue ?? null,
    version,
    changedAt: changedAt.getTime(),
    document,
    confirmedBy: confirmedByOf(doc),
  });
}

type Contributed = Pick<HostDoc, '_id' | 'contributions'>;

function readContributions(reading: Reading, after: string): RecordReader {
  const [afterHost, afterAccount] = keyParts(after);
  const { hosts } = reading.database;
  const options = { projection: { contributions: 1 }, sort: { _id: 1 }, ...readOptions(reading) } as const;
  const docs = new DocumentReader<Contributed>((last) => {
    const from: Filter<HostDoc> = { _id: last === undefined ? { $gte: afterHost } : { $gt: last._id } };
    return hosts.find({ ...from, 'contributions.account': { $exists: true } }, options);
  });
  return recordsOf(docs, (page) =>
    page.flatMap(({ _id, contributions = [] }) =>
      contributions
        .filter((item) => _id !== afterHost || compareUtf8(item.account, afterAccount) > 0)
        .sort((left, right) => compareUtf8(left.account, right.account))
        .map(({ account, at, run, ...item }) =>
          contributionRecord({ ...item, hostname: _id, accountId: account, at: at.getTime(), runId: run }),
        ),
    ),
  );
}

function readRelations(reading: Reading, after: string): RecordReader {
  const [hostname, type, target] = keyParts(after);
  const start = after === '' ? undefined : { hostname, type, target };
  const docs = new DocumentReader<RelationDoc>((last) => {
    const edge = last ?? start;
    const filter: Filter<RelationDoc> =
      edge === undefined ? {} : behind({ hostname: edge.hostname, type: edge.type, target: edge.target });
    const sort = { hostname: 1, type: 1, target: 1 } as const;
    return reading.database.relations.find(filter, { sort, ...readOptions(reading) });
  });
  return recordsOf(docs, (page) => page.map(relationRecord));
}

/** How many contributions there are. */
export async function countContributions({ database }: Reading): Promise<number> {
  const [sum] = await database.hosts
    .aggregate<{ readonly count: number }>([
      { $match: { 'contributions.account': { $exists: true } } },
      { $project: { count: { $size: '$contributions' } } },
      { $group: { _id: null, count: { $sum: '$count' } } },
    ])
    .toArray();
  return sum?.count ?? 0;
}
