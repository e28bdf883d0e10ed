import * as z from 'zod';
import { saidFault } from '../../../kit/template-fault.ts';
import { messageOf, wordingFor } from '../../../kit/worded.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { RULE_STAGES } from '../../kernel/plugin-host/rule-stages.ts';
import { rulesInOrder, typesInOrder } from '../pipeline.ts';
import { switchSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { hitsView } from '../views/hits.ts';

export const countHits = defineOperation({
  name: 'rules/count-hits',
  title: 'Count what rules hit',
  description:
    'All rules that run over hosts, in the order in which a host passes them, with how many hosts each hits and fails on. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: {
    rest: { path: 'GET /rules/hits', query: ['seconds', 'unmatched'] },
    command: {
      words: 'rules hits',
      description: 'List all rules in the order in which a host passes them, and how many hosts each hits.',
      options: {
        seconds: {
          flags: '--seconds <n>',
          description: 'longest time to count',
          parse: { from: 0, to: 600 },
        },
        unmatched: { flags: '--unmatched', description: 'only enabled rules that hit none of the hosts counted' },
      },
      json: 'answer the rules as JSON',
      examples: ['muster rules hits', 'muster rules hits --unmatched'],
      view: hitsView,
    },
    tool: { name: 'count_rule_hits' },
    page: true,
  },
  input: z.object({
    seconds: z.coerce
      .number()
      .min(0)
      .max(600)
      .optional()
      .describe(
        'Seconds after which no further hosts are counted; the next call continues from there while neither rules nor hosts change. Absent: no limit',
      ),
    unmatched: switchSchema.describe('Only enabled rules that hit none of the hosts that were counted'),
  }),
  output: z.object({
    rules: z
      .array(
        z.object({
          rule_type: z.string(),
          title: z.string().describe('Title of the type'),
          stage: z.enum(RULE_STAGES),
          target: z.string().nullable().describe('The type of targets that the rule is for; null for every consumer'),
          id: z.string(),
          name: z.string(),
          enabled: z.boolean(),
          sort_field: z.number().int(),
          matches: z
            .number()
            .int()
            .nullable()
            .describe('Hosts among those counted that it hits; null for what does not run over hosts, or not now'),
          failing: z.number().int().describe('Hosts among those counted that it fails on'),
          last_error: z.string().describe('Empty if it fails on none'),
          unknown_attributes: z
            .array(z.string())
            .describe('Attributes that its conditions name and that none of the hosts counted has'),
        }),
      )
      .describe('In the order in which a host passes them'),
    counted: z.number().int().describe('Hosts that were looked at'),
    hosts: z.number().int().describe('Hosts that there are'),
    is_exact: z.boolean().describe('False where not all hosts were looked at'),
  }),
  async run({ seconds = Infinity, unmatched }, { services, caller, signal, progress }) {
    const counts = await services.evaluators.hits.count({ scope: hostScopeOf(caller), seconds, signal, progress });
    const rules = [];
    for (const type of typesInOrder(services.plugins.ruleTypes())) {
      const { evaluation } = type;
      if (evaluation === undefined) continue;
      for (const { record, envelope } of await rulesInOrder(services, caller, type)) {
        const count = counts.rules.get(`${type.id} ${record.id}`);
        if (unmatched && count?.hits !== 0) continue;
        const { lastError = '' } = count ?? {};
        rules.push({
          rule_type: type.id,
          title: type.title,
          stage: evaluation.stage,
          target: evaluation.target ?? null,
          id: record.id,
          name: envelope.name,
          enabled: envelope.enabled,
          sort_field: envelope.sortField,
          matches: count?.hits ?? null,
          failing: count?.failing ?? 0,
          last_error: lastError,
          ...(lastError !== '' && wordingFor(caller, messageOf(saidFault(lastError)).wording)),
          unknown_attributes: [...(count?.unknownAttributes ?? [])],
        });
      }
    }
    return { rules, counted: counts.looked, hosts: counts.hosts, is_exact: counts.looked >= counts.hosts };
  },
});
