import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { phrase } from '../../kit/worded.ts';

export const jsonFileOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        path: z.string().min(1, phrase`is required`).describe('The file to write; its folder must exist'),
        format: z
          .enum(['jsonl', 'json'], { error: phrase`must be jsonl or json` })
          .default('jsonl')
          .describe('jsonl: one host a line; json: one list of all hosts'),
      },
      {
        Where: { path: 'File to write' },
        'What becomes of it': { format: 'Format' },
      },
    ),
  ),
);

export type JsonFileOptions = z.infer<ReturnType<typeof jsonFileOptions>>;
