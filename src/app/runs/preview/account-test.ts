import * as z from 'zod';
import { inventorySchema, labelsSchema } from '../../hosts/host-schemas.ts';

/** What an account answers that is tried. */
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
      problem: z.string().optional().describe('Why the record would be skipped'),
    }),
  ),
  target: z
    .object({
      message: z.string().describe('What the target reports about itself'),
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
