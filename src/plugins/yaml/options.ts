import * as z from 'zod';
import { textList } from '../../app/kernel/options/values.ts';

const fieldList = textList().refine(
  (fields) => fields.every((field) => !field.startsWith('$') && !field.includes('.')),
  { message: 'must be names without dots that do not begin with $' },
);

/** `hosts_key` and `variables_key` have the names of existing installations as aliases. */
export const yamlOptions = z.strictObject({
  path: z.string().min(1, 'is required').describe('The file to import'),
  hostname_field: z
    .string()
    .min(1)
    .default('host')
    .describe('In a list of records: the member with the hostname; dots reach into objects'),
  encoding: z.string().min(1).default('utf-8').describe('Encoding of the file: utf-8, utf-16le, latin1, cp1252, …'),
  data_key: z
    .string()
    .min(1)
    .optional()
    .describe('Dotted path to the records; absent: the document itself, or the only list in it'),
  hosts_key: z
    .string()
    .default('')
    .describe('For a file of groups: the member of a group that names its hosts')
    .meta({ aliases: ['name_of_hosts_key'] }),
  variables_key: z
    .string()
    .default('')
    .describe('For a file of groups: the member of a group with the labels of its hosts')
    .meta({ aliases: ['name_of_variables_key'] }),
  inventory_fields: fieldList
    .default([])
    .describe('Members with nested data that become inventory sections instead of labels, comma-separated'),
});

export type YamlOptions = z.infer<typeof yamlOptions>;
