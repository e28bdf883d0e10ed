import { RELATION_LABELS } from '../../../../kit/records/relation-labels.ts';
import type { SourceRelation } from '../../../../ports/index.ts';
import { type Check, shown } from '../../../hosts/decisions/check.ts';

/** The edges of a record. */
export interface PreparedRelations {
  /** Each once. */
  readonly edges: readonly SourceRelation[];
  /** Why the first of those that cannot be stored cannot, to follow the record's name. */
  readonly refusal?: string;
}

/** Checks the edges that a source names; `stored` gives the name that the other end has here. */
export function preparedRelations(
  relations: readonly SourceRelation[],
  stored: (target: string) => Check<string>,
): PreparedRelations {
  const edges = new Map<string, SourceRelation>();
  let refusal: string | undefined;
  for (const { type, target } of relations) {
    if (!Object.hasOwn(RELATION_LABELS, type)) {
      const types = Object.keys(RELATION_LABELS).join(', ');
      refusal ??= `its relation ${shown(type)} to ${shown(target)} was not stored: types are ${types}`;
      continue;
    }
    const name = stored(target);
    if (name.ok) edges.set(`${type} ${name.value}`, { type, target: name.value });
    else refusal ??= `its relation ${type} to ${shown(target)} was not stored: ${name.message}`;
  }
  return { edges: [...edges.values()], ...(refusal === undefined ? {} : { refusal }) };
}
