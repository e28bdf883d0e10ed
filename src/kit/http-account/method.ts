import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { schemaText, worded } from '../worded.ts';

export const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The method of a request, in any case. */
export const method: () => z.ZodType<string> = madeOnce(() =>
  z
    .string(`must be one of ${METHODS.join(', ')}`)
    .toUpperCase()
    .refine((name) => METHODS.includes(name), schemaText(worded`must be one of ${{ choices: METHODS.join(', ') }}`)),
);
