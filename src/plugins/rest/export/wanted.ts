import { setOwn } from '../../../kit/file-source/own-property.ts';
import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { isList, valuesAt } from '../../../kit/records/record-path.ts';
import type {
  JsonObject,
  JsonValue,
  ObjectReference,
  TargetOutcome,
  TargetRecord,
  WantedObject,
} from '../../../ports/index.ts';
import type { CompiledField } from './compile-kind.ts';
import type { KindDeclaration } from './declaration.ts';
import { compileText, type TextTemplate } from './text-template.ts';
import { typedValue } from './typed-value.ts';
import { compileValue, type ValueTemplate } from './value-template.ts';

/** Returns the objects of a kind that a record wants. */
export type Wanting = (record: TargetRecord, values: RequestValues) => readonly WantedObject[];

const NOTHING: ReadonlySet<string> = new Set(['', 'false', 'none', 'null', 'undefined', '0']);

export function compileWanted(
  kind: string,
  declaration: KindDeclaration['wanted'],
  declared: readonly CompiledField[],
  parameters: Readonly<Record<string, JsonValue>>,
): Wanting {
  const { of, when, each, key, fields, after } = declaration;
  const place = `objects ${kind}.wanted`;
  const ruleOf = compileRule(declaration);
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
    const rule = ruleOf(record);
    const ruled = (wanted: readonly WantedObject[]): readonly WantedObject[] =>
      rule === undefined ? wanted : wanted.map((object) => ({ ...object, rule }));
    if (each === undefined) return ruled(wantedOf(known));
    const list = valuesAt(values, each)?.[0];
    const items = list === undefined ? [] : isList(list) ? list : isJsonObject(list) ? Object.values(list) : [list];
    return ruled(items.flatMap((item) => wantedOf({ ...known, item: item ?? null })));
  };
}

/** The last rule whose value the templates of a kind name. */
function compileRule(declaration: KindDeclaration['wanted']): (record: TargetRecord) => string | undefined {
  const words = new Set(JSON.stringify(declaration).match(/\w+/g));
  return (record) =>
    decisionsOf(record).findLast(({ value }) => Object.keys(value).some((name) => words.has(name)))?.rule.id;
}

interface Decision {
  readonly rule: TargetOutcome['rule'];
  readonly value: JsonObject;
}

function decisionsOf({ outcomes }: TargetRecord): readonly Decision[] {
  const all = Object.values(outcomes).flat();
  return all.flatMap(({ rule, value }) => (isJsonObject(value) ? [{ rule, value }] : []));
}

/**
 * Returns the values available to templates of a record: its variables, overridden by what rules of the target decided. Names in
 * capitals are provided by the program.
 */
export function valuesOfRecord(record: TargetRecord): RequestValues {
  const { hostname, objectType, groups, variables } = record;
  const own: JsonObject = variables.value;
  const decided: Record<string, JsonValue> = {};
  for (const { value } of decisionsOf(record)) {
    for (const [name, one] of Object.entries(value)) setOwn(decided, name, one ?? null);
  }
  const ours = { HOSTNAME: hostname, OBJECT_TYPE: objectType, GROUPS: groups, OUTCOMES: decided };
  return { ...(own as RequestValues), ...decided, ...ours };
}

function referencesOf(kind: string, value: JsonValue): readonly ObjectReference[] {
  const keys = isList(value) ? value : [value];
  return keys.filter((key) => typeof key === 'string' && key !== '').map((key) => ({ kind, key: String(key) }));
}
