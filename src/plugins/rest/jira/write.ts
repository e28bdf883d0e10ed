import { scalarText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { Change, ChangeOutcome, HttpClient, HttpContext, HttpRequest, JsonObject } from '../../../ports/index.ts';
import { type Failure, failure, failureOf } from '../export/change-steps.ts';
import { NAME, partsOfKey } from './decided.ts';
import { type JiraType, numberOf } from './schema.ts';

/** Applies one change with one request. Throws if it is unknown what was done. */
export async function applyChange(
  http: HttpClient,
  change: Change,
  known: Promise<JiraType>,
  context: HttpContext,
): Promise<ChangeOutcome> {
  try {
    const { action, id = '' } = change;
    if (action === 'delete') {
      await http.json({ method: 'DELETE', path: `object/${id}` }, context);
      return { done: true };
    }
    const type = await known;
    const attributes = writtenAttributes(change, type);
    if ('code' in attributes) return attributes;
    const json = { objectTypeId: type.id, attributes: attributes.list };
    if (action !== 'create') {
      // The list is empty if nothing changes, as when an object is adopted that already is as wanted.
      if (attributes.list.length > 0) await http.json({ method: 'PUT', path: `object/${id}`, json }, context);
      return { done: true, id };
    }
    if (await isThere(http, change, context)) {
      return failure('exists', 'there is an object of that type and name by now');
    }
    const { value } = await http.json({ method: 'POST', path: 'object/create', json }, context);
    return { done: true, id: numberOf(value ?? null) };
  } catch (error) {
    const certain = failureOf(error, change.action);
    if (certain === undefined) throw error;
    return certain;
  }
}

function writtenAttributes(
  { action, key, fields }: Change,
  { id, attributes }: JiraType,
): Failure | { readonly list: readonly JsonObject[] } {
  const values = new Map<string, string>();
  if (action === 'create' || action === 'move') values.set(NAME, partsOfKey(key).name);
  for (const [name, value] of Object.entries(isJsonObject(fields.attributes) ? fields.attributes : {})) {
    const text = scalarText(value);
    if (text !== undefined) values.set(name, text);
  }
  const unknown = [...values.keys()].filter((name) => !attributes.has(name));
  if (unknown.length > 0) {
    const reason = `object type ${id} has no attribute ${unknown.join(', ')}; make it in Jira, or correct the rule`;
    return failure('refused', reason);
  }
  const list = [...values].map(([name, text]) => ({
    objectTypeAttributeId: attributes.get(name) ?? '',
    objectAttributeValues: [{ value: text }],
  }));
  return { list };
}

/** Jira takes two objects of one name. */
async function isThere(http: HttpClient, { key }: Change, context: HttpContext): Promise<boolean> {
  const { type, name } = partsOfKey(key);
  const quoted = `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
  const request: HttpRequest = {
    method: 'POST',
    path: 'object/aql',
    query: { startAt: 0, maxResults: 1, includeAttributes: false },
    json: { qlQuery: `objectTypeId = ${type} AND "${NAME}" = ${quoted}` },
    repeatable: true,
  };
  const { value } = await http.json(request, context);
  const found = isJsonObject(value ?? null) ? (value as JsonObject).values : undefined;
  return Array.isArray(found) && found.length > 0;
}
