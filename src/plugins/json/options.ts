import * as z from 'zod';
import { fileOptions } from '../shared/file-source/options.ts';
import { objectOptions, recordOptions } from '../shared/records/options.ts';

export const jsonOptions = z.strictObject({
  path: fileOptions.path,
  hostname_field: z
    .string()
    .min(1)
    .default('host')
    .describe(
      'The member with the hostname; dots reach into objects; of several, comma-separated, the first that has one',
    ),
  encoding: fileOptions.encoding,
  data_key: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path to the list of records: data.hosts, or a[].b through lists; absent: the document itself, or the only list in it',
    ),
  records: z
    .enum(['list', 'by_name', 'lines'], { error: 'must be list, by_name or lines' })
    .default('list')
    .describe(
      'How the records stand: list; by_name: an object of records, each under its hostname; lines: one JSON document a line',
    ),
  ...recordOptions,
  ...objectOptions,
});

export type JsonOptions = z.infer<typeof jsonOptions>;
