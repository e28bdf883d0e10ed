import * as z from 'zod';
import { worded } from '../../../../kit/worded.ts';
import { AppError } from '../../../../ports/index.ts';
import { defineOperation } from '../../../runs/services.ts';
import { planAnswer, planSchema } from '../plan-answer.ts';
import { accountOfPlan, planIdSchema, requiredPlan, requireSameDocuments } from '../plan-run.ts';
import { planApprovedView } from '../views/plans.ts';

export const approvePlan = defineOperation({
  name: 'plans/approve-plan',
  title: 'Approve a plan',
  description:
    'Approves a plan that has more changes than its account allows without. The user who made a plan, or caused the run that made it, cannot approve it, whatever rights they have.',
  effect: 'write',
  roles: ['administrator'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    rest: { path: 'POST /plans/:plan/approve', body: 'optional', errors: ['not_found', 'forbidden', 'conflict'] },
    command: {
      words: 'plan approve',
      description: 'Approve a plan that waits for it. The user who made a plan cannot approve it.',
      summary: 'approve a plan that another user made',
      arguments: { plan: { shown: '<plan>', description: 'id of the plan' } },
      json: 'answer the plan as JSON',
      examples: ['muster plan approve 65a1b2c3d4e5f60718293a4b'],
      view: planApprovedView,
    },
    page: true,
  },
  input: z.object({ plan: planIdSchema }),
  output: planSchema,
  subject: (input) => input.plan,
  async run({ plan: id }, { services, caller }) {
    const plan = await requiredPlan(services, caller, id);
    if ([plan.madeBy, plan.basis.causedBy].includes(caller.name)) {
      throw new AppError('forbidden', worded`you made plan ${{ id }} yourself; another user has to approve it`);
    }
    await requireSameDocuments(services, await accountOfPlan(services, caller, plan), plan);
    if (!(await services.storage.plans.approve({ id, by: caller.name, at: services.clock.now() }))) {
      const why = plan.needsApproval
        ? `it is ${plan.approvedBy === null ? plan.status : 'approved already'}`
        : 'it needs none';
      throw new AppError('conflict', worded`plan ${{ id }} cannot be approved: ${{ why }}`);
    }
    return planAnswer(await requiredPlan(services, caller, id));
  },
});
