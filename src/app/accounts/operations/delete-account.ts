import * as z from 'zod';
import { counted } from '../../../kit/words/amounts.ts';
import { removeAccount } from '../remove-account.ts';
import { defineOperation } from '../services.ts';
import { accountNameSchema } from './show-account.ts';

export const deleteAccount = defineOperation({
  name: 'accounts/delete-account',
  title: 'Delete account',
  description:
    'Deletes an account that nothing uses: no hosts, no child accounts, no rules, and no objects in the system that it was exported to, with its plans, everything that it published, and its contributions to hosts of other accounts: labels, relations, and sections that it filled. With with_hosts its own hosts and objects are deleted for good, too.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    command: {
      words: 'account delete',
      description:
        'Delete an account that nothing uses: no hosts, no other accounts, no rules, no objects in the system that it was exported to. Its plans, what it published, and the labels, relations and sections that it gave to hosts of others go with it. With --with-hosts its own hosts are deleted for good, too.',
      summary: 'delete an account that nothing uses',
      arguments: { name: { shown: '<name>', description: 'name of the account' } },
      options: {
        forget: {
          flags: '--forget',
          description: 'leave its objects in that system; nothing keeps them up to date any more',
        },
        with_hosts: {
          flags: '--with-hosts',
          description: 'delete its hosts for good, too, active or archived, with history and relations',
        },
      },
      json: 'answer the outcome as JSON',
      examples: [
        'muster account delete lab',
        'muster account delete lab --with-hosts',
        'muster account delete netbox --forget',
      ],
      view: ({ hosts, relations, sections }, print, { name }) => {
        const taken = [
          ...(hosts === 0 ? [] : [counted(hosts, 'host')]),
          ...(relations === 0 ? [] : [counted(relations, 'relation')]),
          ...(sections === 0 ? [] : [`${counted(sections, 'section')} of hosts`]),
        ];
        print.note(`Deleted account ${name}${taken.length === 0 ? '' : ` with ${taken.join(', ')}`}.`);
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
        'Leaves the objects that it owns in the system that it was exported to; nothing keeps them up to date any more',
      ),
    with_hosts: z
      .boolean()
      .default(false)
      .describe('Deletes the hosts and objects that it owns for good, active or archived, with history and relations'),
  }),
  output: z.object({
    status: z.literal('deleted'),
    name: z.string(),
    hosts: z.number().int().describe('Hosts and objects that were deleted for good'),
    relations: z.number().int().describe('Relations that came from it, which were removed'),
    sections: z.number().int().describe('Inventory sections of hosts that it had filled, which were emptied'),
  }),
  subject: (input) => input.name,
  async run({ name, forget, with_hosts: withHosts }, { services, caller, signal, progress }) {
    const report = (hosts: number) => progress({ done: hosts, unit: 'hosts' });
    const removed = await removeAccount(services, caller, { name, forget, withHosts, signal, progress: report });
    return { status: 'deleted' as const, name, ...removed };
  },
});
