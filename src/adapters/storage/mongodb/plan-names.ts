import type { PlanEntry } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { AN_ANSWER, DocumentReader } from './document-reader.ts';
import type { PlanNamesDoc } from './documents.ts';
import type { Database } from './schema.ts';

type Named = readonly [number: number, ...names: (string | null)[]];

/** Documents that are read at once: few, since the first ones mostly have what a page shows. */
const READ_AT_ONCE = 4;

/** Notes names, before the entries are written: who looks for a text meets none that is not noted. */
export async function noteNames({ planNames }: Database, plan: string, entries: readonly PlanEntry[]): Promise<void> {
  const numbers = entries.map(({ number }) => number);
  if (numbers.length === 0) return;
  const named = entries.map(({ number, key, previousKey, hostname }): Named => {
    return [number, ...[key, previousKey, hostname].map((name) => (name === null ? null : wellFormed(name)))];
  });
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const names = { plan, first, last, names: JSON.stringify(named) };
  // A lost answer lets them be noted again, and they are the same.
  await planNames.replaceOne({ plan, first }, names, { upsert: true });
}

/** Numbers of entries behind one in whose names a text is, in their order. */
export async function* numbersNamed(
  { planNames }: Database,
  plan: string,
  given: string,
  after: number,
): AsyncGenerator<readonly number[]> {
  const text = wellFormed(given);
  const where = { plan, last: { $gt: after }, names: literally(JSON.stringify(text).slice(1, -1)) };
  const reader = new DocumentReader<PlanNamesDoc>((last) => {
    const behind = last === undefined ? {} : { first: { $gt: last.first } };
    return planNames.find({ ...where, ...behind }, { sort: { first: 1 } });
  }, READ_AT_ONCE);
  for await (const docs of reader.batches(AN_ANSWER)) {
    for (const { names } of docs) {
      const found = (JSON.parse(names) as Named[]).filter(
        ([number, ...own]) => number > after && own.some((name) => name?.includes(text)),
      );
      if (found.length > 0) yield found.map(([number]) => number);
    }
  }
}

export function literally(text: string): { readonly $regex: string } {
  return { $regex: text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') };
}
