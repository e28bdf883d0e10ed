import type { RuleRecord, RuleStore, RuleVersion } from '../../../ports/index.ts';
import { stronger } from '../shared/confirmation.ts';
import { sizedBatches, sizeOfRule } from '../shared/sized-batches.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { batchesOf, readByKeys } from './batches.ts';
import { AN_ANSWER, DocumentReader } from './document-reader.ts';
import type { RuleVersionDoc } from './documents.ts';
import { hasMoved } from './revisions.ts';
import { changeRules } from './rule-journal.ts';
import { RulePlanner } from './rule-plan.ts';
import { rulesByName } from './rule-reads.ts';
import { statesBefore } from './rule-states.ts';
import type { Context, Session } from './session.ts';
import { confirmedByOf, ruleKey, toRuleRecord, toRuleVersion } from './stored-records.ts';

const BY_NAME = { name: 1, id: 1 } as const;
/** Documents of rules are small, and one message to the server has room for many. */
const VERSIONS_A_BATCH = 100;
/** A confirmation makes no version, so no version names an actor for it. */
const SYSTEM_ACTOR = { kind: 'system', name: '' } as const;

/** Rule documents in MongoDB. */
export function mongodbRules(session: Session): RuleStore {
  return {
    list: (type) =>
      session.run(async ({ database }) => {
        const records: RuleRecord[] = [];
        for await (const docs of rulesByName(database, type).batches(AN_ANSWER)) {
          for (const doc of docs) records.push(toRuleRecord(doc));
        }
        return records;
      }),

    scan: (type, batchSize) =>
      session.stream(async function* ({ database }) {
        for await (const docs of rulesByName(database, type).batches(batchSize))
          yield* sizedBatches(docs.map(toRuleRecord), sizeOfRule);
      }),

    get: (type, id) =>
      session.run(async ({ database }) => {
        const doc = await database.rules.findOne({ _id: ruleKey(type, id) });
        return doc === null ? undefined : toRuleRecord(doc);
      }),

    findByName: (type, name) =>
      session.run(async ({ database }) => {
        const doc = await database.rules.findOne({ type, name: wellFormed(name) }, { sort: BY_NAME });
        return doc === null ? undefined : toRuleRecord(doc);
      }),

    counts: () =>
      session.run(async ({ database }) => {
        const groups = database.rules.aggregate<{ _id: string; count: number }>([
          { $group: { _id: '$type', count: { $sum: 1 } } },
        ]);
        return new Map((await groups.toArray()).map((group) => [group._id, group.count]));
      }),

    write: (request) =>
      session.run((context) => {
        const { entries, basis = new Map() } = request;
        for (const entry of entries) if (!('removes' in entry)) JSON.parse(entry.document.text);
        return changeRules(context, async () => {
          // All plans before are carried out, so the revisions count each change of rules, until this node loses the lease.
          if (await hasMoved(context.database, basis))
            return { answer: entries.map(() => 'changed' as const), steps: [] };
          const planner = await RulePlanner.load(context.database, entries, request);
          const answer = entries.map((entry) =>
            'removes' in entry ? planner.removeVersion(entry) : planner.write(entry, request.mode),
          );
          return { answer, steps: planner.steps };
        });
      }),

    replace: (request) =>
      session.run((context) => {
        const { entry, expectedVersion } = request;
        const text = entry.document.text;
        JSON.parse(text);
        return changeRules(context, async () => {
          const planner = await RulePlanner.load(context.database, [entry], request);
          const present = planner.get(entry.type, entry.id);
          if (present === undefined) return { answer: 'not_found', steps: [] };
          if (present.version !== expectedVersion) return { answer: 'conflict', steps: [] };
          if (planner.isNameTaken(entry, present) || planner.isValueTaken(entry, present)) {
            return { answer: 'name_taken', steps: [] };
          }
          planner.put(entry, text, present);
          return { answer: 'replaced', steps: planner.steps };
        });
      }),

    confirm: ({ type, id, expectedVersion, by }) =>
      session.run((context) =>
        changeRules(context, async () => {
          const present = await context.database.rules.findOne({ _id: ruleKey(type, id) });
          if (present === null) return { answer: 'not_found', steps: [] };
          if (present.version !== expectedVersion) return { answer: 'conflict', steps: [] };
          const planner = await RulePlanner.load(context.database, [], { at: present.changedAt, actor: SYSTEM_ACTOR });
          planner.confirm(present, stronger(confirmedByOf(present), by));
          return { answer: 'confirmed', steps: planner.steps };
        }),
      ),

    remove: (request) =>
      session.run((context) =>
        changeRules(context, async () => {
          const present = await context.database.rules.findOne({ _id: ruleKey(request.type, request.id) });
          if (present === null) return { answer: false, steps: [] };
          const planner = await RulePlanner.load(context.database, [], request);
          planner.remove(present);
          return { answer: true, steps: planner.steps };
        }),
      ),

    versions: (type, id, limit, characters = Number.POSITIVE_INFINITY) =>
      session.run(async ({ database }) => {
        const versions: RuleVersion[] = [];
        if (limit <= 0) return versions;
        let room = characters;
        const newest = new DocumentReader<RuleVersionDoc>((last) =>
          database.ruleVersions.find(
            { type, id, ...(last && { _id: { $lt: last._id } }) },
            { sort: { _id: -1 }, limit },
          ),
        );
        for await (const [doc] of newest.batches(1)) {
          if (doc === undefined || versions.push(toRuleVersion(doc)) === limit) break;
          room -= doc.document.length;
          if (room <= 0) break;
        }
        return versions;
      }),

    oldestVersion: (type, id) =>
      session.run(async ({ database }) => {
        const doc = await database.ruleVersions.findOne({ type, id }, { sort: { _id: 1 } });
        return doc === null ? undefined : toRuleVersion(doc);
      }),

    statesBefore: (type, ids, moment) => session.run(({ database }) => statesBefore(database, type, ids, moment)),

    lastVersions: ({ change, type }, batchSize) =>
      session.stream(async function* ({ database }) {
        const filter = { change, ...(type !== undefined && { type }) };
        const newest = new DocumentReader<RuleVersionDoc>((last) =>
          database.ruleVersions.find(last === undefined ? filter : { ...filter, _id: { $lt: last._id } }, {
            sort: { _id: -1 },
          }),
        );
        const seen = new Set<string>();
        for await (const versions of newest.batches(batchSize)) {
          const stored = await latestOf(database, versions);
          const last = versions.filter((version) => {
            const key = ruleKey(version.type, version.id);
            if (change === 'created') return stored.get(key) === version._id;
            const isLast = !stored.has(key) && !seen.has(key);
            seen.add(key);
            return isLast;
          });
          yield* sizedBatches(last.map(toRuleVersion), sizeOfRule);
        }
      }),

    rewriteVersions: ({ type, id, documents }) =>
      session.run(async ({ database }) => {
        const updates = [...documents].map(([version, document]) => ({
          updateMany: { filter: { type, id, version }, update: { $set: { document: document.text } } },
        }));
        for (const batch of batchesOf(updates, VERSIONS_A_BATCH)) {
          await database.ruleVersions.bulkWrite([...batch], { ordered: false });
        }
      }),

    pruneVersions: (before) => session.run((context) => pruneVersions(context, before)),
  };
}

async function pruneVersions(context: Context, before: Date): Promise<number> {
  const { ruleVersions } = context.database;
  const filter = { at: { $lt: before } };
  // By number, so that reading can continue there after a lost cursor: any number of versions can share one moment.
  const options = { projection: { _id: 1, type: 1, id: 1 }, sort: { _id: 1 } } as const;
  const old = new DocumentReader<OldVersion>((last) =>
    ruleVersions.find<OldVersion>(last === undefined ? filter : { ...filter, _id: { $gt: last._id } }, options),
  );
  let count = 0;
  for await (const batch of old.batches(AN_ANSWER)) {
    const kept = await newestOf(context, batch);
    const gone = batch.filter((version) => !kept.has(version._id));
    if (gone.length === 0) continue;
    const result = await ruleVersions.bulkWrite(
      gone.map(({ _id }) => ({ deleteOne: { filter: { _id } } })),
      { ordered: false },
    );
    count += result.deletedCount;
  }
  return count;
}

type OldVersion = Pick<RuleVersionDoc, '_id' | 'type' | 'id'>;

/** The versions that describe the present state of their documents. */
async function newestOf(
  { database }: Context,
  versions: readonly Pick<RuleVersionDoc, 'type' | 'id'>[],
): Promise<ReadonlySet<number>> {
  return new Set((await latestOf(database, versions)).values());
}

/** The newest version of each of the documents that is stored, by its key. */
async function latestOf(
  database: Context['database'],
  versions: readonly Pick<RuleVersionDoc, 'type' | 'id'>[],
): Promise<ReadonlyMap<string, number>> {
  const keys = [...new Set(versions.map(({ type, id }) => ruleKey(type, id)))];
  const docs = await readByKeys(keys, (part) =>
    database.rules.find({ _id: { $in: part } }, { projection: { latest: 1 } }).toArray(),
  );
  return new Map(docs.map(({ _id, latest }) => [_id, latest]));
}
