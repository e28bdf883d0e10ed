import { groupBy } from '../shared/group-by.ts';
import { refuseOtherVersion, type TransferItem } from '../shared/transfer-table.ts';
import type { RuleVersionDoc } from './documents.ts';
import { changeRules } from './rule-journal.ts';
import type { Context } from './session.ts';
import { ruleKey } from './stored-records.ts';

type Version = TransferItem<'rule_versions'>;

/** Stores versions of rules at their places, under the lease of rule changes, which also gives new ones their numbers. */
export async function putVersions(context: Context, items: readonly Version[]): Promise<void> {
  const byRule = groupBy(items, ({ type, id }) => ruleKey(type, id));
  await changeRules(context, async () => {
    const { rules, ruleVersions } = context.database;
    // The lease of the next writer begins far above: each lease has a million numbers, and this one takes few.
    let number = (await ruleVersions.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } }))?._id ?? 0;
    const inserted: RuleVersionDoc[] = [];
    const updated: { readonly _id: number; readonly item: Version }[] = [];
    const latest = new Map<string, number>();
    for (const [key, items] of byRule) {
      const [{ type, id } = { type: '', id: '' }] = items;
      const present = await ruleVersions
        .find({ type, id }, { projection: { version: 1, at: 1, change: 1 }, sort: { _id: 1 } })
        .toArray();
      for (const item of items) {
        const old = present[item.place];
        if (old === undefined) {
          number++;
          inserted.push(versionDoc(number, item));
          latest.set(key, number);
          continue;
        }
        refuseOtherVersion({ ...old, at: old.at.getTime() }, item);
        updated.push({ _id: old._id, item });
      }
    }
    if (inserted.length > 0) await ruleVersions.insertMany(inserted, { ordered: false });
    if (updated.length > 0) {
      await ruleVersions.bulkWrite(
        updated.map(({ _id, item: { name, actor, document } }) => ({
          updateOne: { filter: { _id }, update: { $set: { name, actor, document } } },
        })),
      );
    }
    if (latest.size > 0) {
      await rules.bulkWrite(
        [...latest].map(([_id, newest]) => ({ updateOne: { filter: { _id }, update: { $set: { latest: newest } } } })),
      );
    }
    return { answer: undefined, steps: [] };
  });
}

function versionDoc(_id: number, { place: _place, at, ...item }: Version): RuleVersionDoc {
  return { _id, ...item, at: new Date(at) };
}
