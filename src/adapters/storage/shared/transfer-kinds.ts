import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../../ports/index.ts';

/** Refuses a member of a record, which must be something else. */
export type Refuse = (name: string, wanted: string) => never;

/** Conversion of a field to its form in a record, and back. */
export interface Kind<Value> {
  /** The form of the value, which a store may have to store in its own way. */
  readonly form: 'text' | 'number' | 'flag' | 'moment' | 'object' | 'list' | 'json';
  /** The fields of an object. */
  readonly fields?: Fields;
  /** The value of a missing field. */
  readonly absent?: Value;
  /** `undefined` leaves it out of the record. */
  write(value: Value): JsonValue | undefined;
  read(members: JsonObject, name: string, refuse: Refuse): Value;
}

export type Fields = Readonly<Record<string, Kind<unknown>>>;

type OptionalKind<Value> = Kind<Value | undefined> & { readonly isOptional: true };
type OptionalName<Named extends Fields> = {
  [Name in keyof Named]: Named[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Named];

/** The values of these fields. */
export type Values<Named extends Fields> = {
  readonly [Name in Exclude<keyof Named, OptionalName<Named>>]: ReturnType<Named[Name]['read']>;
} & { readonly [Name in OptionalName<Named>]?: Exclude<ReturnType<Named[Name]['read']>, undefined> };

export const text: Kind<string> = {
  form: 'text',
  write: (value) => value,
  read(members, name, refuse) {
    const member = memberOf(members, name);
    return typeof member === 'string' ? member : refuse(name, 'a text');
  },
};

/** One of the words that a port knows. Others are kept as they are: a newer version may know them. */
export function word<Word extends string>(): Kind<Word> {
  return { form: 'text', write: (value) => value, read: (...member) => text.read(...member) as Word };
}

export const whole: Kind<number> = {
  form: 'number',
  write: (value) => value,
  read(members, name, refuse) {
    const member = memberOf(members, name);
    return typeof member === 'number' && Number.isSafeInteger(member) ? member : refuse(name, 'a whole number');
  },
};

export const flag: Kind<boolean> = {
  form: 'flag',
  write: (value) => value,
  read(members, name, refuse) {
    const member = memberOf(members, name);
    return typeof member === 'boolean' ? member : refuse(name, 'true or false');
  },
};

/** Milliseconds; in records an ISO 8601 time. */
export const moment: Kind<number> = {
  form: 'moment',
  write: (value) => new Date(value).toISOString(),
  read(members, name, refuse) {
    const time = Date.parse(text.read(members, name, refuse));
    return Number.isNaN(time) ? refuse(name, 'a time') : time;
  },
};

/** JSON of any shape, kept as it is. */
export function json<Value extends object>(): Kind<Value> {
  return {
    form: 'json',
    write: (value) => value as JsonObject,
    read(members, name, refuse) {
      const member = memberOf(members, name);
      return isJsonObject(member) ? (member as Value) : refuse(name, 'an object');
    },
  };
}

export function nullable<Value>(kind: Kind<Value>): Kind<Value | null> {
  return {
    ...kind,
    write: (value) => (value === null ? null : kind.write(value)),
    read: (members, name, refuse) => (memberOf(members, name) === null ? null : kind.read(members, name, refuse)),
  };
}

/** Leaves the field out of records if it has this value. */
export function absentAs<Value>(absent: Value, kind: Kind<Value>): Kind<Value> {
  return {
    ...kind,
    absent,
    write: (value) => (value === absent ? undefined : kind.write(value)),
    read: (members, name, refuse) => (hasMember(members, name) ? kind.read(members, name, refuse) : absent),
  };
}

/** May be missing, in a store and in a record. */
export function optional<Value>(kind: Kind<Value>): OptionalKind<Value> {
  return {
    ...kind,
    isOptional: true,
    write: (value) => (value === undefined ? undefined : kind.write(value)),
    read: (members, name, refuse) => (hasMember(members, name) ? kind.read(members, name, refuse) : undefined),
  };
}

export function object<Named extends Fields>(fields: Named): Kind<Values<Named>> {
  return {
    form: 'object',
    fields,
    write: (values) => writeFields(fields, values),
    read(members, name, refuse) {
      const member = memberOf(members, name);
      return isJsonObject(member) ? readFields(fields, member, refuse) : refuse(name, 'an object');
    },
  };
}

export function list<Named extends Fields>(fields: Named): Kind<readonly Values<Named>[]> {
  return {
    form: 'list',
    write: (items) => items.map((values) => writeFields(fields, values)),
    read(members, name, refuse) {
      const member = memberOf(members, name);
      if (!Array.isArray(member)) return refuse(name, 'a list');
      return member.map((item: JsonValue) =>
        isJsonObject(item) ? readFields(fields, item, refuse) : refuse(name, 'a list of objects'),
      );
    },
  };
}

export function writeFields<Named extends Fields>(fields: Named, values: Values<Named>): JsonObject {
  const members: Record<string, JsonValue> = {};
  for (const name of Object.keys(fields)) {
    const member = fields[name]?.write((values as Readonly<Record<string, unknown>>)[name]);
    if (member !== undefined) members[name] = member;
  }
  return members;
}

export function readFields<Named extends Fields>(fields: Named, members: JsonObject, refuse: Refuse): Values<Named> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name]?.read(members, name, refuse);
    if (value !== undefined) values[name] = value;
  }
  // Each field was read by the kind that its type is inferred from.
  return values as Values<Named>;
}

export function hasMember(members: JsonObject, name: string): boolean {
  return memberOf(members, name) !== undefined;
}

function memberOf(members: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
