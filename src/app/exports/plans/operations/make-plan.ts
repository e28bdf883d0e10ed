import * as z from 'zod';
import { requireEnabled } from '../../../accounts/account-directory.ts';
import { accountNameSchema } from '../../../accounts/operations/show-account.ts';
import { asActiveRun } from '../../../runs/active/as-active-run.ts';
import { defineOperation } from '../../../runs/services.ts';
import { requirePart } from '../open-object-target.ts';
import { planAnswer, planSchema } from '../plan-answer.ts';
import { requiredPlan, storePlan, withTables } from '../plan-run.ts';
import { planMadeView } from '../views/plans.ts';

export const makeStoredPlan = defineOperation({
  name: 'plans/make-plan',
  title: 'Make a plan',
  description:
    'Compares what the target of an account has with what the hosts want there, and stores what an export would change. Changes nothing there.',
  effect: 'write',
  roles: ['administrator'],
  acrossAccounts: true,
  weight: 'heavy',
  at: {
    rest: { path: 'POST /plans', body: 'required', errors: ['not_found', 'conflict', 'failed'] },
    command: {
      words: 'plan',
      description:
        'Compare what the target of an account has with what the hosts want there, and store what an export would change. Nothing is changed there; "muster apply" does what the plan says.',
      arguments: { account: { shown: '<account>', description: 'name of the account' } },
      options: { part: { flags: '--part <part>', description: 'plan one part of the target, where it has several' } },
      progress: ({ account }) => `Planning ${account}`,
      json: 'answer the plan as JSON',
      examples: [
        'muster plan inventory-system',
        'muster plan inventory-system --part devices',
        'muster plan inventory-system --json',
      ],
      view: planMadeView,
    },
    page: true,
  },
  input: z.object({
    account: accountNameSchema,
    part: z.string().min(1).optional().describe('The part of the target to plan; absent: all of them'),
  }),
  output: planSchema,
  subject: (input) => input.account,
  async run({ account: name, part }, context) {
    const { services, caller } = context;
    const account = await services.accounts.inScope(name, caller.scope);
    requireEnabled(account);
    if (part !== undefined) requirePart(services, account, part);
    const { id } = await asActiveRun(context, { kind: 'plan', account, part }, (running) =>
      withTables(services, (tables) => storePlan(running, account, tables, { isExclusive: false, part })),
    );
    return planAnswer(await requiredPlan(services, caller, id));
  },
});
