import { BSON, type Db, type IndexDescription } from 'mongodb';

type Line =
  | { readonly collection: string; readonly index: IndexDescription }
  | { readonly collection: string; readonly document: BSON.Document };

/** A database as lines of MongoDB's extended JSON: the indexes of its collections, and their documents. */
export async function textOfDatabase(db: Db): Promise<string> {
  const lines: Line[] = [];
  const collections = await db.collections();
  for (const found of collections.sort((a, b) => (a.collectionName < b.collectionName ? -1 : 1))) {
    const collection = found.collectionName;
    for (const { v: _version, ...index } of (await found.indexes()) as (IndexDescription & { v?: number })[]) {
      if (index.name !== '_id_') lines.push({ collection, index });
    }
    for await (const document of found.find({}, { sort: { _id: 1 } })) lines.push({ collection, document });
  }
  return lines.map((line) => `${BSON.EJSON.stringify(line, { relaxed: false })}\n`).join('');
}

/** Makes a database of such lines. */
export async function makeDatabase(db: Db, text: string): Promise<void> {
  for (const written of text.trim().split('\n')) {
    const line = BSON.EJSON.parse(written, { relaxed: false }) as Line;
    const collection = db.collection(line.collection);
    if ('index' in line) await collection.createIndexes([line.index]);
    else await collection.insertOne(line.document);
  }
}
