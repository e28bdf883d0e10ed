import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';
import { phrase } from '../worded.ts';

/** Names of families whose tables are loaded when a file is read, and names that Node.js knows. */
function isEncoding(name: string): boolean {
  if (/^(?:utf|ucs|cp|ibm|win(?:dows)?|iso|latin|mac|koi8)[-_]?\w*/i.test(name)) return true;
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

/** Options of every source that reads a file of text. */
export const fileOptions = madeOnce(() =>
  titled(
    {
      path: z
        .string()
        .min(1, phrase`is required`)
        .describe('The file to import; a folder, or a name with * or ?: all such files'),
      encoding: z
        .string()
        .min(1)
        .refine(isEncoding, phrase`must be the name of an encoding, such as utf-8, utf-16le, latin1 or cp1252`)
        .default('utf-8')
        .describe('Encoding of the file: utf-8, utf-16le, latin1, cp1252, …'),
    },
    { Where: { path: 'File', encoding: 'Encoding' } },
  ),
);
