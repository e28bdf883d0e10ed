import * as z from 'zod';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { flag } from '../../../kit/options/values.ts';
import { phrase, schemaText, worded } from '../../../kit/worded.ts';
import { PART_IDS } from './parts.ts';

const listed = (names: readonly string[]) => names.join(', ');

/** Options of export accounts that are not about their system. */
export const targetMembers = madeOnce(() =>
  titled(
    {
      export_parts: z
        .string()
        .default('')
        .transform((given) => given.split(',').flatMap((part) => part.trim() || []))
        .pipe(z.array(z.enum(PART_IDS, `must be some of ${listed(PART_IDS)}, separated by commas`)))
        .describe(`Kinds of objects to export, separated by commas: ${listed(PART_IDS)}; none: all of them`),
      export_object_types: z
        .string()
        .default('')
        .transform((given) => given.split(',').flatMap((type) => type.trim() || []))
        .describe('Types of the records that are exported, separated by commas; none: hosts'),
      create_references: flag()
        .default(true)
        .describe('Make sites, roles, manufacturers and other things that objects refer to where they are missing'),
      interface_addresses: flag()
        .default(true)
        .describe('Make the addresses that rules of interfaces name, on these interfaces'),
      removed: z
        .enum(['decommission', 'delete'], phrase`must be decommission or delete`)
        .default('decommission')
        .describe(
          'Treatment of devices and virtual machines that no host needs any more: mark them by their status, or delete them',
        ),
      ownership_field: z
        .string()
        .regex(/^\w*$/, phrase`must be the name of a custom field: letters, digits and _`)
        .default('')
        .describe(
          'A custom field of devices and virtual machines that marks their owner, such as cmdbsyncer_id; none: only Muster remembers it',
        ),
      ownership_value: z
        .string()
        .optional()
        .describe('Value of ownership_field for those of this account; absent: the name of the account'),
      create_ownership_field: flag()
        .default(false)
        .describe('Create the custom field ownership_field if it is missing'),
      changelog_message: z
        .string()
        .max(200, schemaText(worded`must have at most ${{ most: '200' }} characters`))
        .optional()
        .describe(
          'Message for every change in the changelog of NetBox (NetBox 4.4 on); absent: that Muster did it, and for which account',
        ),
    },
    {
      Which: { export_parts: 'Exported objects', export_object_types: 'Types of exported records' },
      'What becomes of it': {
        create_references: 'Create missing sites, roles and types',
        interface_addresses: 'Create addresses of interfaces',
        ownership_field: 'Custom field for the owner',
        ownership_value: 'Value for this account',
        create_ownership_field: 'Create the custom field',
        changelog_message: 'Message in the changelog',
      },
      'When it goes': { removed: 'Devices that no host needs' },
    },
  ),
);

export type TargetOptions = z.output<z.ZodObject<ReturnType<typeof targetMembers>>>;
