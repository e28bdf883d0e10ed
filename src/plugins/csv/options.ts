import * as z from 'zod';
import { madeOnce } from '../../app/kernel/options/made-once.ts';
import { phrase } from '../../app/kernel/worded.ts';
import { fileOptions } from '../shared/file-source/options.ts';
import { filterOption, keyOption } from '../shared/records/options.ts';

const NAMED_DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['\\t', '\t'],
  ['pipe', '|'],
]);

export const csvOptions = madeOnce(() =>
  z.strictObject({
    path: fileOptions().path,
    hostname_field: z
      .string()
      .min(1)
      .default('host')
      .describe('The column with the hostname; of several, comma-separated, the first that is not empty'),
    encoding: fileOptions().encoding,
    delimiter: z
      .string()
      .transform((text) => NAMED_DELIMITERS.get(text.toLowerCase()) ?? text)
      .refine(
        (text) => text.length === 1 && !/["\r\n\0]/.test(text),
        phrase`must be one character, or comma, semicolon, tab or pipe`,
      )
      .optional()
      .describe('What separates values; guessed among comma, semicolon, tab and | when absent'),
    empty_cells: z
      .enum(['keep', 'skip'], { error: phrase`must be keep or skip` })
      .default('keep')
      .describe('keep: an empty cell is a label with an empty text; skip: it is not a label'),
    record_filter: filterOption(),
    key_fields: keyOption(),
  }),
);

export type CsvOptions = z.infer<ReturnType<typeof csvOptions>>;
