import * as z from 'zod';
import { fileOptions } from '../../kit/file-source/options.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { whole } from '../../kit/options/values.ts';
import { filterOption, keyOption } from '../../kit/records/options.ts';
import { phrase } from '../../kit/worded.ts';

const NAMED_DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['\\t', '\t'],
  ['pipe', '|'],
]);

export const csvOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        path: fileOptions().path,
        hostname_field: z
          .string()
          .min(1)
          .default('host')
          .describe('The column with the hostname; of several, comma-separated, the first that is not empty'),
        sheet: z
          .string()
          .min(1)
          .optional()
          .describe('Sheet of an Excel workbook (.xlsx), by its name or number; absent: the first'),
        encoding: fileOptions().encoding,
        delimiter: z
          .string()
          .transform((text) => NAMED_DELIMITERS.get(text.toLowerCase()) ?? text)
          .refine(
            (text) => text.length >= 1 && text.length <= 3 && !/["\r\n\0]/.test(text),
            phrase`must be one to three characters, or comma, semicolon, tab or pipe`,
          )
          .optional()
          .describe('Separator of values; guessed among comma, semicolon, tab and | when absent'),
        header_line: whole(1, 1_000_000)
          .optional()
          .describe('The line with the headings, counted from 1; absent: the first of 20 lines that has the columns'),
        quote: z
          .enum(['double', 'single', 'none'], { error: phrase`must be double, single or none` })
          .default('double')
          .describe('Quotation mark around values that contain delimiters or line ends'),
        escape: z
          .enum(['doubled', 'backslash'], { error: phrase`must be doubled or backslash` })
          .default('doubled')
          .describe('A quote within quotes: written twice, or with a backslash in front, as MySQL writes it'),
        comment_sign: z
          .string()
          .max(50)
          .default('')
          .describe('Lines whose first value begins with this are not records: # or //'),
        totals: z
          .enum(['skip', 'keep'], { error: phrase`must be skip or keep` })
          .default('skip')
          .describe(
            'Rows whose name is a word for a sum, such as Total, Summe or Anzahl: 4; skip: no host, said in the run; keep: a host',
          ),
        number_format: z
          .enum(['text', '1.234,56', '1,234.56'], { error: phrase`must be text, 1.234,56 or 1,234.56` })
          .default('text')
          .describe('How numbers are written, which become numbers then; text: they stay texts'),
        date_format: z
          .enum(['text', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'], {
            error: phrase`must be text, DD.MM.YYYY, DD/MM/YYYY or MM/DD/YYYY`,
          })
          .default('text')
          .describe(
            'How dates are written, which become 2026-01-31 then, with a time behind them too; text: they stay as they are',
          ),
        empty_cells: z
          .enum(['keep', 'skip'], { error: phrase`must be keep or skip` })
          .default('keep')
          .describe('keep: an empty cell is a label with an empty text; skip: it is not a label'),
        record_filter: filterOption(),
        key_fields: keyOption(),
      },
      {
        Where: {
          path: 'File',
          sheet: 'Sheet',
          encoding: 'Encoding',
          delimiter: 'Delimiter',
          header_line: 'Line with the headings',
          quote: 'Quotes around values',
          escape: 'Quotes within quotes',
          comment_sign: 'Sign of comments',
        },
        Which: {
          hostname_field: 'Column with the hostname',
          totals: 'Rows of totals',
          record_filter: 'Only records with',
          key_fields: 'Keys that identify a host',
        },
        'What becomes of it': { number_format: 'Numbers', date_format: 'Dates', empty_cells: 'Empty cells' },
      },
    ),
  ),
);

export type CsvOptions = z.infer<ReturnType<typeof csvOptions>>;
