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
    'Compares the target of an account with the desired state of the hosts there, and stores the changes that an export would make. Changes nothing there.',
  effect: 'write',
  roles: ['administrator'],
  acrossAccounts: true,
  weight: 'heavy',
  at: {
    rest: { path: 'POST /plans', body: 'required', errors: ['not_found', 'conflict', 'failed'] },
    command: {
      words: 'plan',
      description:
        'Compare the target of an account with the desired state of the hosts there, and store the changes that an export would make. Nothing is changed there; "muster apply" applies the plan.',
      arguments: { account: { shown: '<account>', description: 'name of the account' } },
      options: { part: { flags: '--part <part>', description: 'plan one part of the target, if it has several' } },
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
