import * as z from 'zod';
import { type PresetKind, presetMembers, presetOption } from './preset-files.ts';

const name = z.string().min(1);
const names = z.union([name.transform((one) => [one]), z.array(name).min(1)]);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const mappingSchema = z.strictObject({
  /** Labels, and the members that they are taken from. */
  labels: z.record(name, name).default({}),
  /** drop: members that are null or an empty text make no label. */
  empty: z.enum(['keep', 'drop']).default('keep'),
  /** Handling of members that are not mentioned. */
  others: z.enum(['keep', 'drop']).default('keep'),
  /** Members that no label is made of. */
  without: z.array(name).default([]),
  /** Labels, and what their values are called. */
  values: z.record(name, z.record(z.string(), scalar)).default({}),
  /** Labels whose text is a list, and what separates its parts. */
  split: z.record(name, z.string().min(1)).default({}),
  /** Sections of the inventory, and the members that they are taken from. */
  sections: z.record(name, name).default({}),
  /** Edges to other hosts, and the members that name those. */
  relations: z.array(z.strictObject({ type: name, target: name })).default([]),
  /** A list of names and values whose pairs become labels; of several members for the value the first counts. */
  pairs: z
    .strictObject({
      list: name,
      name,
      value: names,
      prefix: z.string().default(''),
      /** A list next to the records that maps the names in the pairs to display names. */
      names: z.strictObject({ list: name, key: name, value: name }).optional(),
    })
    .optional(),
});

export type Mapping = z.output<typeof mappingSchema>;

const presetSchema = z.strictObject({
  ...presetMembers,
  options: z.record(name, presetOption).default({}),
  join: z.array(z.record(name, presetOption)).default([]),
  map: mappingSchema.prefault({}),
  /** Further lists that accounts may read, by name; what they hold is checked by those who read one. */
  objects: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/, 'must be a word in lower case'), z.unknown()).default({}),
});

type Preset = z.output<typeof presetSchema>;

export const SOURCE_PRESETS: PresetKind<Preset> = { within: '', schema: presetSchema };

export const NO_MAPPING: Mapping = mappingSchema.parse({});
