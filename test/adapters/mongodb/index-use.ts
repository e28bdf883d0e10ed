import type { Document, IndexDescription } from 'mongodb';

/** What a command asks for, as far as indexes matter. */
export interface Question {
  readonly collection: string;
  readonly filter: Document;
  readonly sort: Readonly<Record<string, number>>;
}

const READING = ['find', 'aggregate', 'count', 'distinct', 'findAndModify'];

/** What a command asks a collection; several for one that writes by several filters, none for one that only inserts. */
export function questionsOf(name: string, command: Document): Question[] {
  const collection = String(command[name]);
  if (name === 'update') {
    return command.updates.map(({ q }: Document) => ({ collection, filter: q, sort: {} }));
  }
  if (name === 'delete') return command.deletes.map(({ q }: Document) => ({ collection, filter: q, sort: {} }));
  if (!READING.includes(name)) return [];
  if (name !== 'aggregate') {
    return [{ collection, filter: command.filter ?? command.query ?? {}, sort: sortOf(command.sort) }];
  }
  const stages: Document[] = [...command.pipeline];
  const filter = stages[0]?.$match ?? {};
  const next = stages[0]?.$match === undefined ? stages[0] : stages[1];
  return [{ collection, filter, sort: sortOf(next?.$sort) }];
}

/** The driver sends a sort as a map. */
function sortOf(sort: unknown): Question['sort'] {
  return sort instanceof Map ? Object.fromEntries(sort) : { ...(sort as Question['sort'] | undefined) };
}

/** True where nothing is named by which a server could begin somewhere. */
export function asksForAll({ filter }: Question): boolean {
  return Object.values(filter).every((value) => kindOf(value) === 'none');
}

type Use = 'nothing' | 'walk' | 'entered';

/**
 * The best that indexes can do for it: `entered` where the server begins at what is looked for and needs no sort in memory, `walk` where it
 * goes along an index from its end for the order alone, `nothing` where it looks at every document or sorts.
 */
export function indexUse({ filter, sort }: Question, indexes: readonly IndexDescription[]): Use {
  const uses = indexes.map((index) => useOf(filter, sort, index));
  if (uses.includes('entered')) return 'entered';
  if (Array.isArray(filter.$or)) {
    const { $or, ...rest } = filter;
    const branches = $or.map((branch: Document) => indexUse(question({ ...rest, ...branch }, sort), indexes));
    if (branches.every((use: Use) => use === 'entered')) return 'entered';
  }
  if (Array.isArray(filter.$and)) {
    const { $and, ...rest } = filter;
    const joined = Object.assign({}, rest, ...$and.filter((part: Document) => !('$or' in part)));
    const $or = $and.find((part: Document) => '$or' in part)?.$or;
    return indexUse(question($or === undefined ? joined : { ...joined, $or }, sort), indexes);
  }
  return uses.includes('walk') ? 'walk' : 'nothing';
}

function question(filter: Document, sort: Question['sort']): Question {
  return { collection: '', filter, sort };
}

function useOf(filter: Document, sort: Question['sort'], index: IndexDescription): Use {
  if (!holdsAll(filter, index)) return 'nothing';
  const keys = Object.entries(index.key as Record<string, number>);
  const wanted = Object.entries(sort).filter(([field]) => !isOne(filter[field]));
  let entered = false;
  let place = 0;
  let direction = 0;
  for (const [position, [field, order]] of keys.entries()) {
    const [sortField, sortOrder] = wanted[place] ?? [];
    const kind = kindOf(filter[field]);
    if (position === 0 && kind !== 'none') entered = true;
    if (field === sortField && sortOrder !== undefined) {
      const here = order * sortOrder;
      if (direction !== 0 && direction !== here) return 'nothing';
      direction = here;
      place++;
      continue;
    }
    // Some values are as many ranges, which the server merges in the order behind them.
    if (kind === 'one' || kind === 'some') continue;
    break;
  }
  if (place < wanted.length) return 'nothing';
  if (entered) return 'entered';
  return wanted.length > 0 ? 'walk' : 'nothing';
}

/** True when the index has every document that the filter finds. */
function holdsAll(filter: Document, { partialFilterExpression, sparse, key }: IndexDescription): boolean {
  if (sparse) return Object.keys(key).every((field) => kindOf(filter[field]) !== 'none');
  return Object.entries(partialFilterExpression ?? {}).every(([field, wanted]) => {
    const isThere = (wanted as Document).$exists === true;
    return isThere ? kindOf(filter[field]) !== 'none' : filter[field] === wanted;
  });
}

function isOne(value: unknown): boolean {
  return kindOf(value) === 'one';
}

function kindOf(value: unknown): 'none' | 'one' | 'some' | 'range' {
  if (value === undefined) return 'none';
  if (value === null || typeof value !== 'object' || value instanceof Date || '_bsontype' in value) return 'one';
  const operators = Object.keys(value);
  if (operators.some((operator) => ['$gt', '$gte', '$lt', '$lte'].includes(operator))) return 'range';
  if (operators.includes('$in')) return 'some';
  return (value as Document).$exists === true ? 'range' : 'none';
}

const SORTING = new Set(['SORT', 'COLLSCAN', '$sort']);

/** Names of stages of a plan that look at every document or sort in memory, wherever they stand in what a server explained. */
export function badStages(explained: unknown): readonly string[] {
  if (explained === null || typeof explained !== 'object') return [];
  const { stage } = explained as { readonly stage?: unknown };
  const own = typeof stage === 'string' && SORTING.has(stage) ? [stage] : [];
  const parts = Object.entries(explained).filter(([name]) => name !== 'rejectedPlans');
  return [...own, ...parts.flatMap(([, part]) => badStages(part))];
}
