import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { accountNames } from '../account-names.ts';
import { archivedAnswer, archivedSchema } from '../host-archive.ts';
import { hostAnswer, hostnameSchema, hostSchema, labelsSchema, sizeOfHost } from '../host-schemas.ts';
import { givenKeys } from '../keys-of-hosts.ts';
import { requireHost } from '../require-host.ts';
import { defineOperation } from '../services.ts';

/** For operators: archived hosts too, and some more reads. `get-host` is one read of an active host, which clients ask for in masses. */
export const showHost = defineOperation({
  name: 'hosts/show-host',
  title: 'Show host',
  description: 'One host or object, active or archived, with details for operators.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: { page: true },
  input: z.object({ hostname: hostnameSchema }),
  output: hostSchema.extend({
    account: z
      .object({ name: z.string(), type: z.string(), enabled: z.boolean() })
      .nullable()
      .describe('The account that owns it'),
    is_object: z.boolean(),
    object_type: z.string(),
    created_at: z.string(),
    archived: archivedSchema,
    own_labels: labelsSchema.describe('Labels of its account; in `labels` those of other accounts may override them'),
    known_by: z
      .array(z.object({ name: z.string(), value: z.string(), accounts: z.array(z.string()) }))
      .describe('Its keys, each with the accounts that know it by that'),
    is_shared: z.boolean().describe('True while other accounts give labels too'),
  }),
  async run({ hostname }, { services, caller, holds }) {
    const host = await requireHost(services, caller, hostname);
    holds(sizeOfHost(host));
    const [accounts, contributions, marks] = await Promise.all([
      services.accounts.list(caller.scope),
      services.storage.hosts.contributions(hostname),
      services.storage.marks.of([hostname]),
    ]);
    const account = accounts.find(({ id }) => id === host.accountId);
    const own = contributions.find(({ owner }) => owner);
    return {
      ...hostAnswer(host),
      account: account === undefined ? null : { name: account.name, type: account.type, enabled: account.enabled },
      is_object: host.isObject,
      object_type: host.objectType,
      created_at: secondsOf(host.createdAt),
      archived: archivedAnswer(host),
      own_labels: (own?.labels ?? host.labels).value,
      known_by: givenKeys(marks, accountNames(accounts, caller.scope)),
      is_shared: contributions.length > 0,
    };
  },
});
