import * as z from 'zod';
import { method } from '../../../kit/http-account/method.ts';
import { flag, whole } from '../../../kit/options/values.ts';
import type { JsonValue } from '../../../ports/index.ts';
import { requestMembers } from '../options.ts';
import { type PresetKind, presetMembers, presetOption } from '../preset-files.ts';

/** The declaration of the kinds of objects of a system, by an account or its preset. */

const name = z.string().min(1);
const id = z.string().regex(/^[a-z][a-z0-9_-]*$/, 'must be letters, digits, - and _');
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const listOf = <T extends z.ZodType>(one: T) => z.union([one.transform((only) => [only]), z.array(one).min(1)]);
const names = listOf(name);
const json = z.custom<JsonValue>((value) => value !== undefined);

const OUTCOMES = ['refused', 'changed', 'gone', 'exists'] as const;

/** Conditions on a response, in addition to its status. */
const expectSchema = z.strictObject({
  /** The path of the values; each must be one of `is`, and with an empty list there must be none. */
  member: name,
  is: z.union([text.transform((only) => [only]), z.array(text)]),
  /** The outcome of the change if they are others. */
  else: z.enum(OUTCOMES).default('refused'),
  /** The message for people in that case; absent: the value found and the values expected. */
  reason: name.optional(),
});

/** One request that writes. Texts in path, query, headers and body are templates of values, never of other texts. */
const requestSchema = z.strictObject({
  path: z.string().default(''),
  method: method().optional(),
  query: z.string().default(''),
  headers: z.record(name, z.string()).default({}),
  /** A document, whose texts are templates each. */
  body: json.optional(),
  protocol: requestMembers().protocol.removeDefault().optional(),
  /** It may be sent twice, as when the answer to the first was lost. */
  repeatable: flag().optional(),
  /** Sends the request only if one of these fields is written; `key`: if the object gets a key. */
  when: names.optional(),
  expect: listOf(expectSchema).default([]),
  /** The path of the error message in a response whose status does not indicate an error. */
  error: name.optional(),
  /** The paths of the id and the version of the created object in the response. */
  id: name.optional(),
  etag: name.optional(),
  /** Values of this response for later requests of the same change: their names, and their paths. */
  as: z.record(id, name).default({}),
  /** Several changes in one request: `{{ objects }}` in its body is a list with one of `each` for every change. */
  many: z
    .strictObject({
      size: whole(1, 10_000),
      each: json,
      /** The path of the individual responses, which are in the order of the changes. */
      answers: z.string().default(''),
      /**
       * The path of the positions that an individual response is for, counted from 0 like `index` in `each`; absent: the
       * responses are in order.
       */
      position: name.optional(),
    })
    .optional(),
});

export type WriteRequest = z.output<typeof requestSchema>;

const requests = listOf(requestSchema).optional();

const fieldSchema = z.strictObject({
  /** The path of the value in a record; absent: the name of the field. Null: the system does not return it. */
  member: name.nullable().optional(),
  compare: z.enum(['exact', 'set']).default('exact'),
  once: flag().default(false),
  secret: flag().default(false),
  /** It holds the key of an object of that kind, where the system has the id of one. */
  reference: id.optional(),
  /** Values are compared and written as such. */
  type: z.enum(['text', 'number', 'flag']).optional(),
});

const wantedSchema = z.strictObject({
  /** Types of the records that want such an object. */
  of: names.default(['host']),
  /** A template that is empty, false, none or 0 where a record wants none. */
  when: z.string().optional(),
  /** A variable with a list: an object for each of its elements, which is `item`. */
  each: name.optional(),
  key: name,
  fields: z.record(name, json).default({}),
  /** Objects that must exist before, in addition to those that fields refer to. */
  after: z.array(z.strictObject({ kind: id, key: name })).default([]),
});

const ownerSchema = z.strictObject({
  /** The member of a record that names its creator. */
  member: name,
  /** A template of its value for objects of ours. */
  ours: name,
  /** The meaning of any other value. */
  others: z.enum(['other', 'nobody']).default('other'),
});

const kindSchema = z.strictObject({
  kind: id,
  title: name,
  read: z.strictObject({
    ...requestMembers(),
    protocol: requestMembers().protocol.removeDefault().optional(),
    body: presetOption.pipe(z.string()).default(''),
    repeat: name.optional(),
  }),
  join: z.array(z.record(name, presetOption)).default([]),
  /** The member with the key, or a template of the members. */
  key: name,
  id: name.default('id'),
  /** Ids are numbers in the system. */
  numeric_ids: flag().default(false),
  etag: name.optional(),
  owner: ownerSchema.optional(),
  fields: z.record(name, fieldSchema).default({}),
  wanted: wantedSchema,
  create: requests,
  update: requests,
  /** Absent: as update. */
  move: requests,
  adopt: requests,
  delete: requests,
});

export type KindDeclaration = z.output<typeof kindSchema>;

export const objectsSchema = z.array(kindSchema).min(1, 'needs at least one kind');

const targetPresetSchema = z.strictObject({
  ...presetMembers,
  options: z.record(name, presetOption).default({}),
  objects: objectsSchema,
});

type TargetPreset = z.output<typeof targetPresetSchema>;

export const TARGET_PRESETS: PresetKind<TargetPreset> = { within: 'targets', schema: targetPresetSchema };
