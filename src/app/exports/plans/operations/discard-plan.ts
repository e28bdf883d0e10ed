import * as z from 'zod';
import { worded } from '../../../../kit/worded.ts';
import { AppError } from '../../../../ports/index.ts';
import { appendDiscardLog } from '../../../journal/run-log.ts';
import { defineOperation } from '../../../runs/services.ts';
import { planAnswer, planSchema } from '../plan-answer.ts';
import { planIdSchema, requiredPlan } from '../plan-run.ts';
import { planDiscardedView } from '../views/plans.ts';
import { PLAN_STATUS_WORDS } from '../words.ts';

export const discardPlan = defineOperation({
  name: 'plans/discard-plan',
  title: 'Discard a plan',
  description:
    'Ends a plan that is ready, refused or interrupted without applying it, or the rest of it. Nothing changes in the system, the plan stays to be read, and another one can be made at any time.',
  effect: 'write',
  roles: ['administrator'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    rest: { path: 'POST /plans/:plan/discard', body: 'optional', errors: ['not_found', 'conflict'] },
    command: {
      words: 'plan discard',
      description:
        'End a plan that is ready, refused or interrupted without applying it, or the rest of it. It stays to be read.',
      summary: 'end a plan without applying it',
      arguments: { plan: { shown: '<plan>', description: 'id of the plan' } },
      json: 'answer the plan as JSON',
      examples: ['muster plan discard 65a1b2c3d4e5f60718293a4b'],
      view: planDiscardedView,
    },
    page: true,
  },
  input: z.object({ plan: planIdSchema }),
  output: planSchema,
  subject: (input) => input.plan,
  async run({ plan: id }, { services, caller }) {
    const { storage, clock, logger, newId } = services;
    await requiredPlan(services, caller, id);
    const isDiscarded = await storage.plans.discard({ id, at: clock.now(), message: `${caller.name} discarded it` });
    const plan = await requiredPlan(services, caller, id);
    if (isDiscarded) {
      const deps = { logs: storage.logs, clock, logger, newId };
      await appendDiscardLog(deps, {
        account: plan.account,
        plan: id,
        isBegun: plan.appliedAt !== null,
        by: caller.name,
      });
      return planAnswer(plan);
    }
    const busy = worded`plan ${{ id }} cannot be discarded: it is ${{ status: PLAN_STATUS_WORDS[plan.status] }}`;
    throw new AppError('conflict', busy);
  },
});
