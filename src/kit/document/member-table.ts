import type { ErrorDetail, JsonObject, JsonValue, RuleMember, RuleMembers } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';
import { detailOf, phrase, type Said, worded } from '../worded.ts';
import { flagValue, integerValue, ownMember, referenceValue, scalarText } from './members.ts';

/**
 * Returns the problems of members that do not fit the table. Absent, `null` and, unless required, empty members are fine; so are
 * unknown ones.
 */
export function memberProblems(document: JsonObject, members: RuleMembers, path = ''): ErrorDetail[] {
  return Object.entries(members).flatMap(([name, member]) =>
    valueProblems(ownMember(document, name), member, path === '' ? name : `${path}.${name}`),
  );
}

function valueProblems(value: JsonValue | undefined, member: RuleMember, path: string): ErrorDetail[] {
  if (value === undefined || value === null || value === '') {
    return member.required ? [{ path, message: phrase`is required` }] : [];
  }
  const message = mismatch(value, member);
  if (message !== undefined) return [detailOf(path, message)];
  if (member.kind === 'list' && Array.isArray(value)) {
    const { items } = member;
    return items === undefined
      ? []
      : value.flatMap((item: JsonValue, index) => elementProblems(item, items, `${path}.${index}`));
  }
  return isJsonObject(value) && member.members !== undefined ? memberProblems(value, member.members, path) : [];
}

function elementProblems(item: JsonValue, member: RuleMember, path: string): ErrorDetail[] {
  if (item === null) return [{ path, message: phrase`must not be null` }];
  return valueProblems(item, member, path);
}

function mismatch(value: JsonValue, member: RuleMember): Said | undefined {
  switch (member.kind) {
    case 'text':
      return scalarText(value) === undefined ? phrase`must be a text` : undefined;
    case 'flag':
      return flagValue(value) === undefined ? phrase`must be true or false` : undefined;
    case 'integer':
      return integerMismatch(value, member);
    case 'choice':
      return typeof value === 'string' && member.choices?.includes(value)
        ? undefined
        : worded`must be one of ${{ choices: (member.choices ?? []).map((choice) => JSON.stringify(choice)).join(', ') }}`;
    case 'reference':
      return referenceValue(value) === undefined ? phrase`must be a name or {"$oid": …}` : undefined;
    case 'list':
      return Array.isArray(value) ? undefined : phrase`must be a list`;
    case 'object':
      return isJsonObject(value) ? undefined : phrase`must be an object`;
    case 'date':
      return isDate(value) ? undefined : phrase`must be {"$date": <milliseconds>}`;
    case 'value':
      return undefined;
  }
}

function integerMismatch(value: JsonValue, { minimum, maximum }: RuleMember): Said | undefined {
  const number = integerValue(value);
  if (number === undefined) return phrase`must be an integer`;
  if (minimum !== undefined && number < minimum) return worded`must be at least ${{ least: String(minimum) }}`;
  return maximum !== undefined && number > maximum ? worded`must be at most ${{ most: String(maximum) }}` : undefined;
}

function isDate(value: JsonValue): boolean {
  const raw = isJsonObject(value) ? ownMember(value, '$date') : value;
  if (isJsonObject(raw)) return integerValue(ownMember(raw, '$numberLong')) !== undefined;
  return (typeof raw === 'number' || typeof raw === 'string') && !Number.isNaN(new Date(raw).getTime());
}

/** The JSON Schema of the table. */
export function membersSchema(members: RuleMembers): JsonObject {
  const required = Object.entries(members).flatMap(([name, member]) => (member.required ? name : []));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, memberSchema(member)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  };
}

const REFERENCE_SCHEMA: JsonObject = {
  anyOf: [
    { type: 'string' },
    { type: 'object', properties: { $oid: { type: 'string', pattern: '^[0-9a-fA-F]{24}$' } }, required: ['$oid'] },
    { type: 'null' },
  ],
};

function memberSchema(member: RuleMember): JsonObject {
  const { title, offers } = member;
  return {
    ...(title === undefined ? {} : { title }),
    ...plainSchema(member),
    ...(offers === undefined ? {} : { offers }),
  };
}

function plainSchema(member: RuleMember): JsonObject {
  const { description } = member;
  const secret: JsonObject = member.secret ? { writeOnly: true } : {};
  switch (member.kind) {
    case 'text':
      return { type: ['string', 'number', 'boolean', 'null'], description, ...secret };
    case 'flag':
      return { type: ['boolean', 'string', 'integer', 'null'], default: false, description };
    case 'integer':
      return { ...integerSchema(member), description };
    case 'choice':
      return {
        type: 'string',
        enum: [...(member.choices ?? [])],
        ...(member.choiceTitles && { choice_titles: member.choiceTitles.map((title) => ({ title })) }),
        description,
      };
    case 'reference':
      return { ...REFERENCE_SCHEMA, description };
    case 'list':
      return { type: ['array', 'null'], description, ...(member.items ? { items: memberSchema(member.items) } : {}) };
    case 'object':
      return { ...(member.members ? membersSchema(member.members) : { type: 'object' }), description };
    case 'date':
      return { type: ['object', 'string', 'number', 'null'], description };
    case 'value':
      return { description, ...secret };
  }
}

function integerSchema({ minimum, maximum }: RuleMember): JsonObject {
  return {
    type: ['integer', 'string', 'null'],
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}
