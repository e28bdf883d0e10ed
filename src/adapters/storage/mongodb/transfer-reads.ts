import type { Document, Filter } from 'mongodb';
import type { TransferPart } from '../../../ports/index.ts';
import { keyParts } from '../shared/transfer-key.ts';
import { recordOf, type TransferItem } from '../shared/transfer-table.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { DocumentReader } from './document-reader.ts';
import type { HostDoc, RuleDoc } from './documents.ts';
import { archiveOf, confirmedByOf, layerOf, ruleKey } from './stored-records.ts';
import { type CollectionPart, collectionOf, itemOfDocument, keyMembers } from './transfer-documents.ts';
import { behind, type Reading, type RecordReader, readOptions, recordsOf } from './transfer-reading.ts';
import { readChanges, readVersions } from './transfer-series.ts';

/** Reads a part in order of its keys, from behind `after` on. */
export function readPart(reading: Reading, part: TransferPart, after = ''): RecordReader {
  switch (part) {
    case 'rules':
      return readRules(reading, after);
    case 'rule_versions':
      return readVersions(reading, after);
    case 'hosts':
      return readDocuments(reading, part, after, hostItem);
    case 'contributions':
      return readContributions(reading, after);
    case 'host_changes':
      return readChanges(reading, after);
    case 'audit_chain':
      return readAuditChain(reading, after);
    default:
      return readDocuments(reading, part, after, (doc) => itemOfDocument(part, doc));
  }
}

/** Documents that follow each other by the members of their keys. */
function readDocuments<Part extends CollectionPart>(
  reading: Reading,
  part: Part,
  after: string,
  toItem: (doc: Document) => TransferItem<Part>,
): RecordReader {
  const key = keyMembers(part);
  const parts = keyParts(after);
  const collection = collectionOf(reading.database, part);
  const until = part === 'audit' ? upTo(reading.audit?.seq) : {};
  const options = { sort: Object.fromEntries(key.map((member) => [member, 1 as const])), ...readOptions(reading) };
  const docs = new DocumentReader<Document>((last) => {
    const from = key.map((member, index) => [member, last === undefined ? parts[index] : last[member]] as const);
    const filter = last === undefined && after === '' ? {} : behind(Object.fromEntries(from));
    return collection.find({ ...filter, ...until }, options);
  });
  return recordsOf(docs, (page) => page.map((doc) => recordOf(part, toItem(doc))));
}

function hostItem(doc: Document): TransferItem<'hosts'> {
  const { archivedAt, archivedBy } = doc;
  return { ...itemOfDocument('hosts', doc), archive: archiveOf({ archivedAt, archivedBy }) };
}

/** Entries that nodes append while a copy is read come after the state of the chain that the copy takes. */
function upTo(seq: number | undefined): Filter<Document> {
  return seq === undefined ? {} : { $or: [{ seq: { $exists: false } }, { seq: { $lte: seq } }] };
}

function readAuditChain(reading: Reading, after: string): RecordReader {
  let isRead = after !== '';
  return {
    async next() {
      const settled = isRead ? undefined : (reading.audit ?? (await settledAudit(reading)));
      isRead = true;
      return { records: settled === undefined ? [] : [recordOf('audit_chain', settled)], done: true };
    },
    close: async () => undefined,
  };
}

/** The chain of the audit log as far as all of its entries are in their collection. */
export async function settledAudit(reading: Reading): Promise<Reading['audit']> {
  const found = await reading.database.auditChain.findOne({}, readOptions(reading));
  return found?.settled;
}

/**
 * Reads one type after the other, because `_id` (`<type>/<id>`) would put a type whose name continues with `-` before its prefix.
 */
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
      return { records: page.map((doc) => recordOf('rules', ruleItem(doc))), done: types.length === 0 };
    },
    close: async () => docs?.close(),
  };
}

function ruleItem(doc: RuleDoc): TransferItem<'rules'> {
  return { ...itemOfDocument('rules', doc), confirmedBy: confirmedByOf(doc) };
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
        .map((item) => recordOf('contributions', { ...layerOf(item), hostname: _id })),
    ),
  );
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
