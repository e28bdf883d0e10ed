import * as z from 'zod';
import { SizeBudget } from '../../../kernel/size-budget.ts';
import { defineOperation } from '../../../runs/services.ts';
import { planAnswer, planEntryAnswer, planEntrySchema, planSchema } from '../plan-answer.ts';
import { planIdSchema, requiredPlan } from '../plan-run.ts';
import { planView } from '../views/plans.ts';
import { ENTRY_OUTCOMES, PLAN_ACTIONS } from '../words.ts';

export const showPlan = defineOperation({
  name: 'plans/show-plan',
  title: 'Plan',
  description:
    'One plan with its changes, field by field, in the order in which they are applied. Values of secret fields are masked.',
  effect: 'read',
  roles: ['administrator'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    rest: {
      path: 'GET /plans/:plan',
      query: ['action', 'kind', 'outcome', 'text', 'after', 'limit'],
      errors: ['not_found'],
    },
    command: {
      words: 'plan show',
      description: 'Show a plan with its changes, field by field.',
      summary: 'show a plan and what it changes',
      arguments: { plan: { shown: '<plan>', description: 'id of the plan' } },
      options: {
        action: { flags: '--action <action>', description: `only these: ${PLAN_ACTIONS.join(', ')}` },
        kind: { flags: '--kind <kind>', description: 'only objects of this kind' },
        outcome: { flags: '--outcome <outcome>', description: `only these: open, ${ENTRY_OUTCOMES.join(', ')}` },
        text: { flags: '--text <text>', description: 'only objects and hosts whose name has this text' },
        after: { flags: '--after <number>', description: 'only changes behind this one', parse: { from: 0 } },
        limit: { flags: '--limit <n>', description: 'how many changes', parse: { from: 1, to: 1000 } },
      },
      json: 'answer the plan and its changes as JSON',
      examples: [
        'muster plan show 65a1b2c3d4e5f60718293a4b',
        'muster plan show 65a1b2c3d4e5f60718293a4b --action delete --json',
      ],
      view: planView,
    },
    tool: { name: 'show_plan' },
    page: true,
  },
  input: z.object({
    plan: planIdSchema,
    action: z.enum(PLAN_ACTIONS).optional(),
    kind: z.string().min(1).optional().describe('Only objects of this kind'),
    outcome: z
      .enum(['open', ...ENTRY_OUTCOMES])
      .optional()
      .describe('open: not tried yet'),
    text: z.string().min(1).optional().describe('Only objects and hosts whose name has this text'),
    after: z.coerce.number().int().min(0).default(0).describe('Only changes behind the one of this number'),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
  output: planSchema.extend({
    entries: z.array(planEntrySchema),
    next: z.number().int().nullable().describe('`after` of the next page; null at the end'),
  }),
  async run({ plan: id, after, limit, ...filter }, { services, caller, answerCharacters }) {
    const plan = await requiredPlan(services, caller, id);
    const { action, kind, outcome, text } = filter;
    const found = await services.storage.plans.entries({
      id: plan.id,
      filter: {
        ...(action === undefined ? {} : { action }),
        ...(kind === undefined ? {} : { kind }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(text === undefined ? {} : { text }),
      },
      after,
      limit: limit + 1,
    });
    const entries = new SizeBudget(answerCharacters).fitting(found.slice(0, limit).map(planEntryAnswer), 1);
    const next = found.length > entries.length ? (entries.at(-1)?.number ?? null) : null;
    return { ...planAnswer(plan), entries, next };
  },
});
