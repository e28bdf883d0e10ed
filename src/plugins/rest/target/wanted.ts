import { isJsonObject } from '../../../app/kernel/json/json-object.ts';
import type { JsonObject, JsonValue, ObjectReference, TargetRecord, WantedObject } from '../../../ports/index.ts';
import type { RequestValues } from '../../shared/http-account/request-template.ts';
import { isList, valuesAt } from '../../shared/records/record-path.ts';
import type { CompiledField } from './compile-kind.ts';
import type { KindDeclaration } from './declaration.ts';
import { compileText, type TextTemplate } from './text-template.ts';
import { typedValue } from './typed-value.ts';
import { compileValue, type ValueTemplate } from './value-template.ts';

/** What one record wants of a kind. */
export type Wanting = (record: TargetRecord, values: RequestValues) => readonly WantedObject[];

const NOTHING: ReadonlySet<string> = new Set(['', 'false', 'none', 'null', 'undefined', '0']);

export function compileWanted(
  kind: string,
  { of, when, each, key, fields, after }: KindDeclaration['wanted'],
  declared: readonly CompiledField[],
  parameters: Readonly<Record<string, JsonValue>>,
): Wanting {
  const place = `objects ${kind}.wanted`;
  const isWanted = when === undefined ? undefined : compileText(`${place}.when`, when);
  const keyOf = compileText(`${place}.key`, key);
  const fieldsOf = declared.flatMap((field): (readonly [CompiledField, ValueTemplate])[] => {
    const source = fields[field.name];
    return source === undefined ? [] : [[field, compileValue(`${place}.fields.${field.name}`, source)]];
  });
  const others = after.map((other, index): readonly [string, TextTemplate] => [
    other.kind,
    compileText(`${place}.after[${index}].key`, other.key),
  ]);

  const wantedOf = (values: RequestValues): readonly WantedObject[] => {
    if (isWanted !== undefined && NOTHING.has(isWanted(values).trim().toLowerCase())) return [];
    const own = keyOf(values).trim();
    if (own === '') return [];
    const made: Record<string, JsonValue> = {};
    const comesAfter: ObjectReference[] = [];
    for (const [field, render] of fieldsOf) {
      const rendered = render(values);
      if (rendered === undefined) continue;
      const value = typedValue(rendered, field.type);
      made[field.name] = value;
      if (field.reference !== undefined) comesAfter.push(...referencesOf(field.reference, value));
    }
    for (const [of, render] of others) {
      const other = render(values).trim();
      if (other !== '') comesAfter.push({ kind: of, key: other });
    }
    return [{ kind, key: own, fields: made, ...(comesAfter.length === 0 ? {} : { after: comesAfter }) }];
  };

  return (record, values) => {
    if (!of.includes(record.objectType)) return [];
    const known = { ...values, PARAMETERS: parameters };
    if (each === undefined) return wantedOf(known);
    const list = valuesAt(values, each)?.[0];
    const items = list === undefined ? [] : isList(list) ? list : isJsonObject(list) ? Object.values(list) : [list];
    return items.flatMap((item) => wantedOf({ ...known, item: item ?? null }));
  };
}

/** What templates read of a record. Names in capitals are ours. */
export function valuesOfRecord({ hostname, objectType, groups, variables }: TargetRecord): RequestValues {
  const own: JsonObject = variables.value;
  return { ...(own as RequestValues), HOSTNAME: hostname, OBJECT_TYPE: objectType, GROUPS: groups };
}

function referencesOf(kind: string, value: JsonValue): readonly ObjectReference[] {
  const keys = isList(value) ? value : [value];
  return keys.filter((key) => typeof key === 'string' && key !== '').map((key) => ({ kind, key: String(key) }));
}
