import * as z from 'zod';
import { runAutorulesPass } from '../autorules-pass.ts';
import { defineOperation } from '../services.ts';
import { autorulesPreviewView } from '../views/autorules.ts';

export const previewAutorules = defineOperation({
  name: 'rules/preview-autorules',
  title: 'Preview of autorules',
  description: 'How many rules autorules would make now, and the first of them. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'heavy',
  at: {
    rest: { path: 'GET /rules/autorules/preview', errors: ['failed', 'forbidden'] },
    command: {
      words: 'rules autorules preview',
      description: 'Show which rules autorules would make now. Stores nothing.',
      summary: 'show which rules autorules would make',
      json: 'answer the preview as JSON',
      examples: ['muster rules autorules preview'],
      view: autorulesPreviewView,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    hosts: z.number().int().describe('Hosts and objects that were looked at'),
    rules: z.number().int().describe('Rules that would be made'),
    enabled: z.number().int().describe('Of the rules, those that would be enabled'),
    positions: z
      .object({ lowest: z.number().int(), highest: z.number().int() })
      .nullable()
      .describe('Lowest and highest position (sort_field) of the rules; null when there are none'),
    errors: z.number().int(),
    first: z
      .array(
        z.object({
          rule_type: z.string(),
          name: z.string(),
          autorule: z.string(),
          hostname: z.string(),
          enabled: z.boolean(),
          sort_field: z.number().int().describe('Position among the rules of its type'),
        }),
      )
      .describe('The first of the rules'),
    problems: z.array(z.string()).describe('The first of the errors'),
  }),
  async run(_input, { services, signal, progress }) {
    const pass = await runAutorulesPass(services, { signal, verbose: false, preview: true, progress });
    return {
      hosts: pass.hosts,
      rules: pass.created,
      enabled: pass.enabled,
      positions: pass.positions ?? null,
      errors: pass.errors,
      first: pass.made.map(({ ruleType, sortField, ...made }) => ({
        rule_type: ruleType,
        ...made,
        sort_field: sortField,
      })),
      problems: [...pass.problems],
    };
  },
});
