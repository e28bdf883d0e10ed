import { type KnownPlaces, placesToRead, statesAt } from '../../../app/rules/decisions/state-before.ts';
import type { RuleState } from '../../../ports/index.ts';
import { batchesOf, readByKeys } from './batches.ts';
import type { Context } from './session.ts';
import { toRuleVersion } from './stored-records.ts';

/** Documents that are read at once, which may be large. */
const VERSIONS_A_READ = 200;

/** Looks at the times of all versions, and reads the two that tell. */
export async function statesBefore(
  database: Context['database'],
  type: string,
  ids: readonly string[],
  moment: Date,
): Promise<ReadonlyMap<string, RuleState>> {
  const known = await readByKeys([...new Set(ids)], (part) =>
    database.ruleVersions
      .aggregate<KnownPlaces>([
        { $match: { type, id: { $in: part } } },
        {
          $group: {
            _id: '$id',
            newest: { $max: '$_id' },
            earlier: { $max: { $cond: [{ $lt: ['$at', moment] }, '$_id', null] } },
            oldest: { $min: '$_id' },
          },
        },
        { $project: { _id: 0, id: '$_id', newest: 1, earlier: 1, oldest: 1 } },
      ])
      .toArray(),
  );
  const versions = new Map<number, ReturnType<typeof toRuleVersion>>();
  for (const part of batchesOf(placesToRead(known), VERSIONS_A_READ)) {
    const docs = await database.ruleVersions.find({ _id: { $in: part } }).toArray();
    for (const doc of docs) versions.set(doc._id, toRuleVersion(doc));
  }
  return statesAt(known, versions, moment);
}
