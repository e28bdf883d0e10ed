import * as z from 'zod';

export const jsonFileOptions = z.strictObject({
  path: z.string().min(1, 'is required').describe('The file to write; its folder must exist'),
  format: z
    .enum(['jsonl', 'json'], { error: 'must be jsonl or json' })
    .default('jsonl')
    .describe('jsonl: one host a line; json: one list of all hosts'),
});

export type JsonFileOptions = z.infer<typeof jsonFileOptions>;
