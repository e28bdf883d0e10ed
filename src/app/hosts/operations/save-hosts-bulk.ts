import * as z from 'zod';
import { AppError, type LabelEntry, StoredJson } from '../../../ports/index.ts';
import { Outage } from '../../kernel/outage.ts';
import { checkAccountHostname } from '../decisions/hostname-rules.ts';
import { checkLabels } from '../decisions/labels.ts';
import { hostnameSchema, labelsSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { writeAs } from '../write-as.ts';
import { outOfReach } from '../write-reach.ts';

export const saveHostsBulk = defineOperation({
  name: 'hosts/save-hosts-bulk',
  title: 'Create or update many hosts',
  description:
    'Saves many hosts in one request. Hosts that cannot be saved are listed in not-saved and do not stop the others.',
  effect: 'write',
  roles: ['objects'],
  weight: 'heavy',
  at: { page: true, rest: { path: 'POST /objects/bulk', body: 'required', errors: ['forbidden'] } },
  input: z.object({
    account: z.string().min(1).describe('Name of an existing account'),
    objects: z.array(z.object({ hostname: hostnameSchema, labels: labelsSchema })),
  }),
  output: z.object({ status: z.string().describe('saved <n>'), 'not-saved': z.array(z.string()) }),
  async run({ account: accountName, objects }, { services, caller, signal }) {
    const account = await services.accounts.writable(accountName, caller.scope);
    const refused = new Map<number, string>();
    const given: (LabelEntry & { readonly index: number })[] = [];
    for (const [index, { hostname: name, labels }] of objects.entries()) {
      try {
        const hostname = checkAccountHostname(name, account);
        checkLabels(labels);
        given.push({ index, hostname, labels: StoredJson.ofValue(labels) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.set(index, name);
      }
    }
    const foreign = await outOfReach(
      services,
      caller,
      given.map(({ hostname }) => hostname),
    );
    for (const { index, hostname } of given) if (foreign.has(hostname)) refused.set(index, hostname);
    const entries = given.filter(({ hostname }) => !foreign.has(hostname));
    // A host that a try stored whose answer was lost is found as it shall be.
    const at = services.clock.now();
    const outcomes =
      entries.length === 0
        ? []
        : await Outage.ofCall(signal).through(() =>
            services.storage.hosts.saveLabels({ ...writeAs(account, caller, at), entries }),
          );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === 'account_conflict' || outcome === 'archived' || outcome === 'too_large') {
        const entry = entries[index] as (typeof entries)[number];
        refused.set(entry.index, entry.hostname);
      }
    }
    const notSaved = [...refused].sort(([a], [b]) => a - b).map(([, hostname]) => hostname);
    return { status: `saved ${objects.length - notSaved.length}`, 'not-saved': notSaved };
  },
});
