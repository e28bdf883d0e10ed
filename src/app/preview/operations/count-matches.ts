import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { defineOperation } from '../../rules/services.ts';
import { NamedAttributes } from '../named-attributes.ts';
import { triedRule, triedRuleInput } from '../tried-rule.ts';

const BATCH_SIZE = 100;
/** Somebody is typing: a count that is not exact is better than one that comes late. */
const PATIENCE_MS = 4000;

export const countMatches = defineOperation({
  name: 'rules/count-matches',
  title: 'Count what a rule matches',
  description:
    'How many hosts a rule would hit if it were stored and enabled, behind all rules that run before it. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: triedRuleInput,
  output: z.object({
    matches: z.number().int().describe('Hosts that it hits'),
    looked: z.number().int().describe('Hosts that were looked at'),
    hosts: z.number().int().describe('Hosts that there are'),
    is_exact: z.boolean().describe('False when time ran out before all of them were checked'),
    unknown_attributes: z
      .array(z.string())
      .describe('Attributes that its conditions name and that none of the hosts has'),
    passed: z.number().int().describe('Hosts that rules before it took out, or ended the run for'),
  }),
  async run(request, { services, caller, signal }) {
    const { type, id, document, project, changed } = await triedRule(request, { services, caller });
    const program = await services.evaluators.withDocuments(changed, project, type.evaluation?.target);
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    const hosts = await services.storage.hosts.count(filter);
    const end = Date.now() + PATIENCE_MS;
    const named = new NamedAttributes(document);
    const counted = { matches: 0, looked: 0, passed: 0 };
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      for (const host of batch) {
        const explained = program.explain(host);
        named.saw(explained);
        const rule = explained.rules.find((one) => one.type === type.id && one.id === id);
        if (rule?.outcome === 'hit') counted.matches++;
        if (rule?.outcome === 'left' || rule?.outcome === 'stopped') counted.passed++;
      }
      counted.looked += batch.length;
      if (Date.now() > end) break;
    }
    return { ...counted, unknown_attributes: named.missing, hosts, is_exact: counted.looked >= hosts };
  },
});
