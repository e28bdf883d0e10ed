import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { defineOperation } from '../../rules/services.ts';
import { NamedAttributes } from '../named-attributes.ts';
import { triedRule, triedRuleInput } from '../tried-rule.ts';
import { unchangedReasons } from '../unchanged-reasons.ts';

const BATCH_SIZE = 100;
const PATIENCE_MS = 8000;
/** So many hosts that it hits are asked for their reasons: the rest has the same ones, or ones that nobody reads. */
const MOST_ASKED = 500;
const MOST_REASONS = 10;

export const explainNoChange = defineOperation({
  name: 'rules/explain-no-change',
  title: 'Why a rule changes nothing',
  description:
    'Whether a rule hits no host, or why what it does on those that it hits is not seen in the inventory. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: triedRuleInput,
  output: z.object({
    matches: z.number().int().describe('Hosts that it hits'),
    hosts: z.number().int().describe('Hosts that were looked at'),
    is_exact: z.boolean().describe('False when time ran out before all hosts were checked'),
    unknown_attributes: z
      .array(z.string())
      .describe('Attributes that its conditions name and that none of the hosts has'),
    reasons: z.array(
      z.object({
        text: z.string().describe('Words that follow "because"'),
        hosts: z.number().int(),
        first: z.string(),
      }),
    ),
  }),
  async run(request, { services, caller, signal }) {
    const { type, id, document, project, changed } = await triedRule(request, { services, caller });
    const target = type.evaluation?.target;
    const program = await services.evaluators.withDocuments(changed, project, target);
    const stored = await services.evaluators.preview(project, target);
    const named = new NamedAttributes(document);
    const reasons = new Map<string, { hosts: number; first: string }>();
    const counted = { matches: 0, hosts: 0, is_exact: true };
    const end = Date.now() + PATIENCE_MS;
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      if (Date.now() > end) {
        counted.is_exact = false;
        break;
      }
      for (const host of batch) {
        const explained = program.explain(host);
        named.saw(explained);
        const rule = explained.rules.find((one) => one.type === type.id && one.id === id);
        if (rule?.outcome !== 'hit') continue;
        counted.matches++;
        if (counted.matches > MOST_ASKED) continue;
        const before = stored.explain(host).rules.find((one) => one.type === type.id && one.id === id);
        for (const text of unchangedReasons(rule, explained, before)) {
          const known = reasons.get(text);
          if (known !== undefined) known.hosts++;
          else if (reasons.size < MOST_REASONS) reasons.set(text, { hosts: 1, first: host.hostname });
        }
      }
      counted.hosts += batch.length;
    }
    const byHosts = [...reasons].sort(([, left], [, right]) => right.hosts - left.hosts);
    return {
      ...counted,
      unknown_attributes: named.missing,
      reasons: byHosts.map(([text, { hosts, first }]) => ({ text, hosts, first })),
    };
  },
});
