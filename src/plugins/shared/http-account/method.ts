import * as z from 'zod';

export const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const METHOD: z.ZodType<string> = z
  .string(`must be one of ${METHODS.join(', ')}`)
  .toUpperCase()
  .refine((name) => METHODS.includes(name), `must be one of ${METHODS.join(', ')}`);

/** The method of a request, in any case. */
export function method(): z.ZodType<string> {
  return METHOD;
}
