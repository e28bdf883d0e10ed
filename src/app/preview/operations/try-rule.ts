import * as z from 'zod';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { unknownHost } from '../../hosts/operations/get-host.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import type { RuleExplanation } from '../../rules/engine/explanation.ts';
import { hostImpact } from '../../rules/host-impact.ts';
import { defineOperation } from '../../rules/services.ts';
import { triedRule, triedRuleInput } from '../tried-rule.ts';

const ruleSchema = z
  .custom<RuleExplanation>()
  .nullable()
  .meta({
    type: ['object', 'null'],
    description:
      'Whether the rule hit, the deciding condition with both sides, and what it did; null when it does not run over this host. Secrets are masked.',
  });

export const tryRule = defineOperation({
  name: 'rules/try-rule',
  title: 'Try rule',
  description:
    'Effect of a rule on one host, as if it were stored and enabled: whether it hits and why, and what changes in the inventory or in the data for its target. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: triedRuleInput.extend({ hostname: hostnameSchema }),
  output: z.object({
    hostname: z.string(),
    rule: ruleSchema,
    change: z.enum(['none', 'changed', 'appears', 'disappears']),
    changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
  }),
  async run({ hostname, ...request }, { services, caller }) {
    const host = await services.storage.hosts.get(hostname, hostScopeOf(caller));
    if (host === undefined) throw unknownHost(hostname);
    const { type, id, project, changed } = await triedRule(request, { services, caller });
    const target = type.evaluation?.target;
    const before = await services.evaluators.uncounted(project, target);
    const after = await services.evaluators.withDocuments(changed, project, target);
    const impact = hostImpact(before, after, host);
    return {
      hostname: host.hostname,
      rule: after.explain(host).rules.find((rule) => rule.type === type.id && rule.id === id) ?? null,
      change: impact?.change ?? ('none' as const),
      changes: [...(impact?.changes ?? [])],
    };
  },
});
