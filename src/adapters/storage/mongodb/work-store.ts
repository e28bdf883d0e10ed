import type { WorkStore } from '../../../ports/index.ts';
import { type StoredWork, type WorkDecision, workStore } from '../shared/work.ts';
import type { WorkDoc } from './documents.ts';
import { isDuplicateKey, unavailable } from './errors.ts';
import { SERVER_NOW } from './leases.ts';
import { pause } from './pause.ts';
import type { Context, Session } from './session.ts';

/** More than meet at one piece of work. */
const MOST_ATTEMPTS = 1000;

type ReadWork = WorkDoc & { readonly now: number };

/** Work that nodes offer, a document for each. A write is decided by what was read and done if nothing was written meanwhile, else decided again. */
export function mongodbWork(session: Session): WorkStore {
  return workStore({
    change: (id, decide) => session.run((context) => changeWork(context, id, decide)),
    list: () =>
      session.run(async ({ database }) => {
        const docs = await database.work.aggregate<ReadWork>([{ $addFields: { now: SERVER_NOW } }]).toArray();
        const works = docs.flatMap(({ work }) => (work === null ? [] : [work]));
        return { now: Number(docs[0]?.now ?? 0), works };
      }),
  });
}

async function changeWork(
  { database: { work: works } }: Context,
  id: string,
  decide: (present: StoredWork | undefined, now: number) => WorkDecision,
): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    // Only the server knows the time, and it returns it with a document.
    await works.updateOne({ _id: id }, { $setOnInsert: { n: 0, work: null } }, { upsert: true }).catch(ignored);
    const [doc] = await works
      .aggregate<ReadWork>([{ $match: { _id: id } }, { $addFields: { now: SERVER_NOW } }])
      .toArray();
    if (doc === undefined) continue;
    const { answer, put } = decide(doc.work ?? undefined, Number(doc.now));
    const seen = { _id: id, n: doc.n };
    if (put === undefined && doc.work !== null) return answer;
    const written =
      put === undefined || put === null
        ? (await works.deleteOne(seen)).deletedCount
        : (await works.updateOne(seen, { $set: { work: put, n: doc.n + 1 } })).matchedCount;
    if (written === 1) return answer;
    await pause(attempt, 50);
  }
  throw unavailable('Others have been changing the same work for a long time. Try again shortly.');
}

/** Another node made the document at the same moment. */
function ignored(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
