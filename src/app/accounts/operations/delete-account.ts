import * as z from 'zod';
import { counted } from '../../words/amounts.ts';
import { removeAccount } from '../remove-account.ts';
import { defineOperation } from '../services.ts';
import { accountNameSchema } from './show-account.ts';

export const deleteAccount = defineOperation({
  name: 'accounts/delete-account',
  title: 'Delete account',
  description:
    'Deletes an account that nothing uses: no hosts, no child accounts, no rules, and no objects in the system that it was exported to, with its plans, everything that it published, and what it told of hosts of others: labels, relations, and sections that it filled.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'account delete',
      description:
        'Delete an account that nothing uses: no hosts, no other accounts, no rules, no objects in the system that it was exported to. Its plans, what it published, and the labels, relations and sections that it gave to hosts of others go with it.',
      summary: 'delete an account that nothing uses',
      arguments: { name: { shown: '<name>', description: 'name of the account' } },
      options: {
        forget: {
          flags: '--forget',
          description: 'leave its objects in that system, where nothing keeps them up to date any more',
        },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster account delete lab', 'muster account delete netbox --forget'],
      view: ({ relations, sections }, print, { name }) => {
        const taken = [
          ...(relations === 0 ? [] : [counted(relations, 'relation')]),
          ...(sections === 0 ? [] : [`${counted(sections, 'section')} of hosts`]),
        ];
        print.note(`Deleted account ${name}${taken.length === 0 ? '' : ` with ${taken.join(' and ')}`}.`);
      },
    },
    page: true,
  },
  input: z.object({
    name: accountNameSchema,
    forget: z
      .boolean()
      .default(false)
      .describe(
        'Leaves the objects that it owns in the system that it was exported to, where nothing keeps them up to date any more',
      ),
  }),
  output: z.object({
    status: z.literal('deleted'),
    name: z.string(),
    relations: z.number().int().describe('Relations that came from it, which were removed'),
    sections: z.number().int().describe('Inventory sections of hosts that it had filled, which were emptied'),
  }),
  subject: (input) => input.name,
  async run({ name, forget }, { services, caller }) {
    const { relations, sections } = await removeAccount(services, caller, { name, forget });
    return { status: 'deleted' as const, name, relations, sections };
  },
});
