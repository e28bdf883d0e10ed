import * as z from 'zod';
import { accountNameSchema } from '../../../accounts/operations/show-account.ts';
import { columnNames } from '../../../kernel/listing.ts';
import { defineOperation } from '../../../runs/services.ts';
import { planAnswer, planSchema } from '../plan-answer.ts';
import { requiredPlan } from '../plan-run.ts';
import { PLAN_COLUMNS, plansView } from '../views/plans.ts';

export const listPlans = defineOperation({
  name: 'plans/list-plans',
  title: 'Plans',
  description: 'Planned and applied changes of exports to their targets, newest first, without the single changes.',
  effect: 'read',
  roles: ['administrator'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    rest: { path: 'GET /plans', query: ['account', 'limit', 'before'], errors: ['not_found'] },
    command: {
      words: 'plan list',
      description: 'List plans, newest first.',
      summary: 'list plans',
      options: {
        account: { flags: '--account <name>', description: 'only plans of this account' },
        limit: { flags: '--limit <n>', description: 'how many', parse: { from: 1, to: 1000 } },
        before: { flags: '--before <plan>', description: 'only plans that are older than this one' },
      },
      columns: columnNames(PLAN_COLUMNS),
      json: 'answer a JSON array of plans',
      answered: ({ plans }) => plans,
      examples: ['muster plan list', 'muster plan list --account inventory-system --limit 5'],
      view: plansView,
    },
    tool: { name: 'list_plans' },
    page: true,
  },
  input: z.object({
    account: accountNameSchema.optional().describe('Only plans of this account'),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
    before: z.string().trim().min(1).optional().describe('Only plans that are older than the one of this id'),
  }),
  output: z.object({
    plans: z.array(planSchema),
    next: z.string().nullable().describe('`before` of the next page; null at the end'),
  }),
  async run({ account, limit, before }, { services, caller }) {
    const accounts =
      account === undefined ? caller.scope : [(await services.accounts.inScope(account, caller.scope)).id];
    const place = before === undefined ? {} : { before: await requiredPlan(services, caller, before) };
    const found = await services.storage.plans.list({ limit: limit + 1, accounts, ...place });
    const plans = found.slice(0, limit).map(planAnswer);
    return { plans, next: found.length > limit ? (plans.at(-1)?.id ?? null) : null };
  },
});
