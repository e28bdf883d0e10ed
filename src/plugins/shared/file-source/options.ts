import * as z from 'zod';
import { madeOnce } from '../../../app/kernel/options/made-once.ts';
import { phrase } from '../../../app/kernel/worded.ts';

/** Options of every source that reads a file of text. */
export const fileOptions = madeOnce(() => ({
  path: z
    .string()
    .min(1, phrase`is required`)
    .describe('The file to import; a folder, or a name with * or ?: all such files'),
  encoding: z.string().min(1).default('utf-8').describe('Encoding of the file: utf-8, utf-16le, latin1, cp1252, …'),
}));
