import * as z from 'zod';

export const startSchema = z
  .number()
  .int()
  .min(0, 'must be a whole number, 0 or more')
  .default(0)
  .describe('Zero-based offset of the first one');

export function limitSchema(most: number): z.ZodDefault<z.ZodNumber> {
  return z
    .number()
    .int()
    .min(0, 'must be a whole number, 0 or more')
    .max(most, `must be at most ${most}`)
    .default(100)
    .describe('How many at most');
}
