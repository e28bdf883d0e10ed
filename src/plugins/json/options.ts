import * as z from 'zod';
import { textList } from '../../app/kernel/options/values.ts';

const fieldList = textList().refine(
  (fields) => fields.every((field) => !field.startsWith('$') && !field.includes('.')),
  { message: 'must be names without dots that do not begin with $' },
);

export const jsonOptions = z.strictObject({
  path: z.string().min(1, 'is required').describe('The file to import'),
  hostname_field: z.string().min(1).default('host').describe('The member with the hostname; dots reach into objects'),
  encoding: z.string().min(1).default('utf-8').describe('Encoding of the file: utf-8, utf-16le, latin1, cp1252, …'),
  data_key: z
    .string()
    .min(1)
    .optional()
    .describe('Dotted path to the list of records; absent: the document itself, or the only list in it'),
  records: z
    .enum(['list', 'by_name', 'lines'], { error: 'must be list, by_name or lines' })
    .default('list')
    .describe(
      'How the records stand: list; by_name: an object of records, each under its hostname; lines: one JSON document a line',
    ),
  inventory_fields: fieldList
    .default([])
    .describe('Members with nested data that become inventory sections instead of labels, comma-separated'),
});

export type JsonOptions = z.infer<typeof jsonOptions>;
