import * as z from 'zod';

/** The copied items, part by part. */
export const partsSchema = z.array(
  z.object({
    part: z.string(),
    count: z.number().int(),
    digest: z.string().describe('SHA-256 over all records in order; the same in every store'),
  }),
);
