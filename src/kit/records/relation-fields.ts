import type { JsonObject, JsonValue, SourceRelation } from '../../ports/index.ts';
import { fieldValues, isList } from './record-path.ts';
import { RELATION_LABELS } from './relation-labels.ts';

/** A type of relations, and the member that names the other ends. */
export interface RelationField {
  readonly type: string;
  readonly path: string;
}

const RELATION_TYPES: readonly string[] = Object.keys(RELATION_LABELS);

/** `runs_on:hypervisor.name`, `member_of:clusters[].name`. `undefined` for what is neither. */
export function readRelationField(text: string): RelationField | undefined {
  const sign = text.indexOf(':');
  const [type, path] = [text.slice(0, sign).trim(), text.slice(sign + 1).trim()];
  return sign === -1 || path === '' || !RELATION_TYPES.includes(type) ? undefined : { type, path };
}

/** The error message of options whose text `readRelationField` does not understand. */
export const RELATION_FAULT = `must be types of relations (${RELATION_TYPES.join(', ')}) with the member that names the other end: runs_on:hypervisor.name, member_of:clusters[].name`;

/** Returns the edges of a record: one for each name in its members. */
export function relationsOf(record: JsonObject, fields: readonly RelationField[]): readonly SourceRelation[] {
  return fields.flatMap(({ type, path }) =>
    fieldValues(record, path)
      .flatMap(elements)
      .map((target) => ({ type, target })),
  );
}

function elements(value: JsonValue): readonly string[] {
  if (isList(value)) return value.flatMap(elements);
  return typeof value === 'string' && value.trim() !== '' ? [value] : [];
}
