import { scalarText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError, type HttpClient, type HttpContext, type JsonObject, type JsonValue } from '../../../ports/index.ts';

/** A type of objects, with its name and attributes. */
export interface JiraType {
  readonly id: string;
  /** Numbers by names. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

const PAGE = 50;

/** Numbers of all types of all schemas that the account sees. */
export async function typeNumbers(http: HttpClient, context: HttpContext): Promise<readonly string[]> {
  const numbers: string[] = [];
  const walk = {
    by: 'offset',
    parameter: 'startAt',
    size: { parameter: 'maxResults', value: PAGE },
    items: 'values',
  } as const;
  for await (const { records } of http.pages({ path: 'objectschema/list' }, walk, context)) {
    for (const schema of records) {
      const { value } = await http.json({ path: `objectschema/${numberOf(schema)}/objecttypes/flat` }, context);
      for (const type of listOf(value)) numbers.push(numberOf(type));
    }
  }
  return numbers;
}

/** Throws for a type that is not there. */
export async function typeOf(http: HttpClient, id: string, context: HttpContext): Promise<JiraType> {
  const { value } = await http.json({ path: `objecttype/${id}/attributes` }, context);
  const attributes = new Map<string, string>();
  for (const attribute of listOf(value)) {
    const name = isJsonObject(attribute) ? scalarText(attribute.name) : undefined;
    if (name !== undefined) attributes.set(name, numberOf(attribute));
  }
  return { id, attributes, names: new Map([...attributes].map(([name, number]) => [number, name])) };
}

/** Attributes by their names. Of several values the first counts. */
export function attributesOf(object: JsonObject, { names }: JiraType): JsonObject {
  const found: [string, JsonValue][] = [];
  for (const attribute of listOf(object.attributes ?? [])) {
    if (!isJsonObject(attribute)) continue;
    const name = names.get(scalarText(attribute.objectTypeAttributeId) ?? '');
    const [first] = listOf(attribute.objectAttributeValues ?? []);
    if (name === undefined || !isJsonObject(first)) continue;
    const text = writtenText(first);
    if (text !== undefined) found.push([name, text]);
  }
  return Object.fromEntries(found);
}

/** As one would write it: of an object that is referred to its key, of others the name that people see where there is no value. */
function writtenText(value: JsonObject): string | undefined {
  const { referencedObject, status, user } = value;
  if (isJsonObject(referencedObject)) return textIn(referencedObject.objectKey) ?? textIn(referencedObject.label);
  return (
    textIn(value.value) ??
    textIn(value.displayValue) ??
    (isJsonObject(status) ? textIn(status.name) : undefined) ??
    (isJsonObject(user) ? textIn(user.displayName) : undefined)
  );
}

function textIn(value: JsonValue | undefined): string | undefined {
  return value === null ? undefined : scalarText(value);
}

/** Numbers are texts in some answers. */
export function numberOf(value: JsonValue): string {
  const id = isJsonObject(value) ? scalarText(value.id) : undefined;
  if (id !== undefined && /^\d+$/.test(id)) return id;
  throw new AppError('failed', worded`what answers is not Jira Assets: an entry of a list has no id`);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
