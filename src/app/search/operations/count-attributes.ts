import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { defineOperation } from '../../rules/services.ts';
import { AttributeCounter } from '../attribute-counter.ts';

const BATCH_SIZE = 250;
/** Somebody is typing: what is not counted yet is not offered. */
const PATIENCE_MS = 2500;

const counts = z.array(z.object({ text: z.string(), hosts: z.number().int() }));

export const countAttributes = defineOperation({
  name: 'rules/count-attributes',
  title: 'Attributes and their values',
  description:
    'Which attributes hosts have behind the rules that are for every consumer, and which values one of them has, the most frequent first. Secrets of accounts are not among them.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'preview',
  at: { page: true },
  input: z.object({
    attribute: z.string().max(1000).optional().describe('Of this one the values are counted'),
    limit: z.number().int().min(1).max(1000).default(300),
  }),
  output: z.object({
    names: counts.describe('Attributes by the number of hosts that have them'),
    values: counts.describe('Values of the attribute that was named; long ones are left out'),
    hosts: z.number().int().describe('Hosts that were looked at'),
    is_exact: z.boolean().describe('False where there was no time to look at all hosts'),
  }),
  async run({ attribute, limit }, { services, caller, signal }) {
    const program = await services.evaluators.preview(null);
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    const counter = new AttributeCounter(attribute);
    const end = Date.now() + PATIENCE_MS;
    let hosts = 0;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      if (Date.now() > end) return { ...counter.most(limit), hosts, is_exact: false };
      for (const host of batch) counter.add(program.attributes(host));
      hosts += batch.length;
    }
    return { ...counter.most(limit), hosts, is_exact: true };
  },
});
