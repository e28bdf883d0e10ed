import { isJsonObject } from '../../../kit/json/json-object.ts';
import { detailOf, worded } from '../../../kit/worded.ts';
import { isNearly } from '../../../kit/words/near.ts';
import type { ErrorDetail, JsonObject, JsonValue, RuleDocument, RuleType } from '../../../ports/index.ts';

/**
 * Returns unknown members with nearly the name of a missing one. Unknown members are kept and have no effect, and others are not
 * reported: existing installations have many.
 */
export function likelyMistyped(document: RuleDocument, type: RuleType): readonly ErrorDetail[] {
  const schema = knownMembers.get(type) ?? membersOf(type);
  knownMembers.set(type, schema);
  return objectMistakes(document, schema, '');
}

/** Members by type: a type builds its schema on every access, and a file may have thousands of documents. */
const knownMembers = new WeakMap<RuleType, JsonObject>();

function membersOf({ schema: { properties }, conditional }: RuleType): JsonObject {
  return isJsonObject(properties) ? { properties: { ...(conditional ? CONDITIONAL : COMMON), ...properties } } : {};
}

const COMMON: JsonObject = { _id: {}, name: {}, enabled: {}, documentation: {}, sort_field: {} };

const CONDITIONAL: JsonObject = {
  ...COMMON,
  last_match: {},
  condition_typ: {},
  conditions: {
    items: {
      properties: {
        match_type: {},
        hostname: {},
        hostname_match: {},
        hostname_match_negate: {},
        tag: {},
        tag_match: {},
        tag_match_negate: {},
        value: {},
        value_match: {},
        value_match_negate: {},
      },
    },
  },
  outcomes: {},
};

function objectMistakes(object: JsonObject, schema: JsonObject, path: string): readonly ErrorDetail[] {
  const properties = schema.properties;
  if (!isJsonObject(properties)) return [];
  return Object.entries(object).flatMap(([name, value]) => {
    const place = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(properties, name)) return valueMistakes(value, properties[name], place);
    const meant = Object.keys(properties).find((known) => !Object.hasOwn(object, known) && isNearly(name, known));
    if (meant === undefined) return [];
    return [detailOf(place, worded`is an unknown member and has no effect; did you mean ${{ meant }}?`)];
  });
}

function valueMistakes(value: JsonValue, schema: JsonValue | undefined, path: string): readonly ErrorDetail[] {
  if (!isJsonObject(schema)) return [];
  if (isJsonObject(value)) return objectMistakes(value, schema, path);
  const { items } = schema;
  if (!Array.isArray(value) || !isJsonObject(items)) return [];
  return value.flatMap((item: JsonValue, index) =>
    isJsonObject(item) ? objectMistakes(item, items, `${path}.${index}`) : [],
  );
}
