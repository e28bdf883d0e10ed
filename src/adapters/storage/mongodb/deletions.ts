import type { Collection, Document, Filter, Sort } from 'mongodb';

/** Each round is far below what one answer may take, and the driver does it again where its answer was lost. */
const DOCUMENTS_A_ROUND = 1_000;

/**
 * Deletes all matching documents, however many, and answers how many were deleted. Conditions that may change in the meantime are
 * also given as `still`: a document that no longer meets them stays. An interrupted call has deleted some, the first ones by
 * `sort`, and a repeated call continues there.
 */
export async function deleteMatching<Doc extends Document>(
  collection: Collection<Doc>,
  filter: Filter<Doc>,
  { sort = {}, still = {} }: { readonly sort?: Sort; readonly still?: Filter<Doc> } = {},
): Promise<number> {
  const options = { projection: { _id: 1 }, sort, limit: DOCUMENTS_A_ROUND, batchSize: DOCUMENTS_A_ROUND + 1 } as const;
  for (let count = 0; ; ) {
    const found = await collection.find(filter, options).toArray();
    if (found.length === 0) return count;
    const deletes = found.map(({ _id }) => ({ deleteOne: { filter: { ...still, _id } } }));
    count += (await collection.bulkWrite(deletes, { ordered: false })).deletedCount;
    if (found.length < DOCUMENTS_A_ROUND) return count;
  }
}
