import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';
import { flag, whole } from '../options/values.ts';
import { exportOptions } from './export-options.ts';

/** Limit on how much of one thing a plan may do: a number of objects, or a percentage of the owned ones. */
export interface Threshold {
  readonly most: number;
  readonly unit: 'objects' | 'percent';
}

const THRESHOLD = 'must be a number of objects (50) or a share (20%)';

function threshold(): z.ZodType<Threshold> {
  return z
    .union([z.number(), z.string()], THRESHOLD)
    .transform((given) => String(given).trim())
    .pipe(z.string().regex(/^\d{1,9}\s*%?$/, THRESHOLD))
    .transform((text) => ({ most: Number.parseInt(text, 10), unit: text.endsWith('%') ? 'percent' : 'objects' }));
}

/** The options of every account whose target has objects, in addition to those of the target itself. */
export const objectExportOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        ...exportOptions().shape,
        adopt: flag().default(false).describe('Take over existing objects that have no owner'),
        delete_threshold: threshold()
          .prefault('20%')
          .describe('Most objects that a plan may delete: a number, or a share of what Muster owns there'),
        create_threshold: threshold().optional().describe('Most objects that a plan may make; none: any number'),
        change_threshold: threshold().optional().describe('Most objects that a plan may change; none: any number'),
        system: z
          .string()
          .trim()
          .min(1)
          .optional()
          .describe(
            'Name of the system in which the account owns objects, as a refused export says it, if the same system is reached at another address by now',
          ),
        approval_above: whole(0)
          .optional()
          .describe(
            'Plans with more changes wait until a user other than their creator approves them; none: no plan waits',
          ),
      },
      {
        'What becomes of it': {
          adopt: 'Take over objects without an owner',
          create_threshold: 'Most objects that a plan creates',
          change_threshold: 'Most objects that a plan changes',
          system: 'Same system at another address',
          approval_above: 'Approval above this many changes',
        },
        'When it goes': { delete_threshold: 'Most objects that a plan deletes' },
      },
    ),
  ),
);

export type ObjectExportOptions = z.infer<ReturnType<typeof objectExportOptions>>;
