import * as z from 'zod';
import { inventorySchema, labelsSchema } from '../hosts/host-schemas.ts';

/** The answer of a test of an account. */
export const accountTestSchema = z.object({
  account: z.string(),
  type: z.string(),
  records: z.array(
    z.object({
      position: z.string(),
      name: z.string(),
      hostname: z.string().optional(),
      labels: labelsSchema.optional(),
      inventory: inventorySchema.optional(),
      relations: z
        .array(z.object({ type: z.string(), target: z.string() }))
        .readonly()
        .optional(),
      keys: z.array(z.string()).readonly().optional().describe('Keys that identify it: serial=J4711'),
      problem: z.string().optional().describe('Why the record would be skipped'),
    }),
  ),
  source: z
    .object({
      message: z
        .string()
        .describe('Information that the source reports about itself: the system that it is connected to, and the user'),
    })
    .optional()
    .describe('Accounts that hosts are imported from'),
  target: z
    .object({
      message: z.string().describe('Information that the target reports about itself'),
      hosts: z.array(
        z.object({
          hostname: z.string(),
          variables: z.record(z.string(), z.unknown()),
          expressions: z.record(z.string(), z.unknown()).optional(),
          groups: z.array(z.string()),
        }),
      ),
    })
    .optional()
    .describe('Accounts that hosts are exported to: the first hosts of a run'),
});

export type AccountTest = z.infer<typeof accountTestSchema>;
