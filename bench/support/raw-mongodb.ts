import { type Document, MongoClient } from 'mongodb';
import { type Figures, timed } from './benchmark.ts';
import { hostnameOf, labelsOf } from './hosts.ts';

interface RawHost extends Document {
  readonly _id: string;
  readonly v: number;
}

/** One bulkWrite of upserts, the same again, then all of them in one find. */
export async function rawMongodb(url: string, count: number): Promise<Figures> {
  const client = await new MongoClient(url).connect();
  const hosts = client.db().collection<RawHost>('hosts');
  const save = () =>
    timed(() => {
      const at = new Date();
      return hosts.bulkWrite(
        Array.from({ length: count }, (_, index) => {
          const labels = JSON.stringify(labelsOf(index));
          const set = {
            account: 'a',
            labels,
            lastSeen: at,
            lastUpdate: at,
            sight: at,
            archived: false,
            isObject: false,
          };
          const fresh = {
            objectType: 'host',
            inventory: '{}',
            members: '{}',
            folder: null,
            createdAt: at,
            archivedAt: null,
          };
          const update = { $set: set, $setOnInsert: fresh, $inc: { v: 1 } };
          return { updateOne: { filter: { _id: hostnameOf(index) }, update, upsert: true } };
        }),
        { ordered: false },
      );
    });
  const first = await save();
  const again = await save();
  // As a writer that must not undo what others wrote since it read: each host with the version that was read.
  const compared = await timed(async () => {
    const names = Array.from({ length: count }, (_, index) => hostnameOf(index));
    const read: RawHost[] = [];
    for (let from = 0; from < count; from += 100) {
      read.push(...(await hosts.find({ _id: { $in: names.slice(from, from + 100) } }).toArray()));
    }
    const at = new Date();
    const result = await hosts.bulkWrite(
      read.map(({ _id, v }) => ({
        updateOne: { filter: { _id, v }, update: { $set: { lastSeen: at, sight: at, v: v + 1 } } },
      })),
      { ordered: false },
    );
    if (result.matchedCount !== count) throw new Error(`${result.matchedCount} hosts`);
  });
  const page = await timed(async () => {
    const filter = { archived: false, isObject: false };
    const found = await hosts.find(filter, { sort: { _id: 1 }, limit: count, batchSize: count }).toArray();
    if (found.length !== count) throw new Error(`${found.length} hosts`);
    Buffer.byteLength(JSON.stringify(found));
  });
  await client.close();
  return { first: first.ms, again: again.ms, compared: compared.ms, page: page.ms };
}

/** All active hosts in order of their names, as documents. */
export async function readAllHosts(url: string, count: number): Promise<Figures> {
  const client = await new MongoClient(url).connect();
  const hosts = client.db().collection<RawHost>('hosts');
  const figures = await timed(async () => {
    let read = 0;
    const cursor = hosts.find({ archived: false, isObject: false }, { sort: { _id: 1 }, batchSize: 500 });
    while (await cursor.hasNext()) read += cursor.readBufferedDocuments().length;
    if (read !== count) throw new Error(`${read} hosts`);
  });
  await client.close();
  return { ms: figures.ms };
}

/** Milliseconds of a `find` for each filter: the first 101 entries in their order. */
export async function findPlanEntries(url: string, filters: Readonly<Record<string, Document>>): Promise<Figures> {
  const client = await new MongoClient(url).connect();
  const entries = client.db().collection('planEntries');
  const figures: Record<string, number> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const found = await timed(() => entries.find(filter, { sort: { number: 1 }, limit: 101 }).toArray());
    figures[name] = found.ms;
  }
  await client.close();
  return figures;
}
