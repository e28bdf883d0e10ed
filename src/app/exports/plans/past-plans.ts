import type { Plan } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type PastRun, runOf } from '../../runs/past/past-run.ts';
import type { ReadPastRuns } from '../../runs/run-parts.ts';
import type { RunServices } from '../../runs/services.ts';

export function readPastPlans({ storage }: RunServices, { scope }: Caller): ReadPastRuns {
  return async ({ limit, before }) => {
    const place = before === undefined ? {} : { before: { id: before.id, madeAt: before.at } };
    const plans = await storage.plans.list({ limit, accounts: scope, ...place });
    return plans.map((plan) => ({ at: plan.madeAt, id: plan.id, run: plannedRun(plan) }));
  };
}

const PLAN_OUTCOMES: Readonly<Record<Plan['status'], PastRun['outcome']>> = {
  planning: 'running',
  ready: 'waiting',
  refused: 'failed',
  applying: 'running',
  interrupted: 'failed',
  done: 'done',
  partial: 'partial',
  failed: 'failed',
  discarded: 'discarded',
};

function plannedRun({ id, account, madeAt, status, message, done }: Plan): PastRun {
  return { ...runOf(id, madeAt, 'plan', account, PLAN_OUTCOMES[status]), message, changed: done };
}
