import type { Filter } from 'mongodb';
import { DocumentReader } from './document-reader.ts';
import type { RuleDoc, RuleVersionDoc } from './documents.ts';
import type { Database } from './schema.ts';

/** Rule documents in the order of one of their indexes. */

export function rulesByName({ rules }: Database, type: string, wanted: Filter<RuleDoc> = {}): DocumentReader<RuleDoc> {
  const sort = { name: 1, id: 1 } as const;
  return new DocumentReader<RuleDoc>((last) => {
    if (last === undefined) return rules.find({ type, ...wanted }, { sort });
    const { name, id } = last;
    return rules.find({ type, ...wanted, $or: [{ name: { $gt: name } }, { name, id: { $gt: id } }] }, { sort });
  });
}

export function rulesByKey({ rules }: Database, keys: readonly string[]): DocumentReader<RuleDoc> {
  return new DocumentReader<RuleDoc>((last) => {
    const range = last === undefined ? {} : { $gt: last._id };
    return rules.find({ _id: { $in: [...keys], ...range } }, { sort: { _id: 1 } });
  });
}

export function rulesByValue({ rules }: Database, type: string, values: readonly string[]): DocumentReader<RuleDoc> {
  return new DocumentReader<RuleDoc>((last) => {
    const range = last?.uniqueValue === undefined ? {} : { $gt: last.uniqueValue };
    return rules.find({ type, uniqueValue: { $in: [...values], ...range } }, { sort: { uniqueValue: 1 } });
  });
}

type Version = Pick<RuleVersionDoc, '_id' | 'id' | 'version'>;

/** Versions of these documents, the newest of each document first. */
export function versionsOf({ ruleVersions }: Database, type: string, ids: readonly string[]): DocumentReader<Version> {
  const options = { projection: { id: 1, version: 1 }, sort: { id: 1, _id: -1 } } as const;
  return new DocumentReader<Version>((last) => {
    const behind =
      last === undefined ? {} : { $or: [{ id: last.id, _id: { $lt: last._id } }, { id: { $gt: last.id } }] };
    return ruleVersions.find<Version>({ type, id: { $in: [...ids] }, ...behind }, options);
  });
}
