import * as z from 'zod';
import type { Plan } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { RunServices } from '../../runs/services.ts';
import { unknownPlan } from './plan-run.ts';

export const planIdSchema = z.string().trim().min(1).describe('Id of the plan');

/** The plan, if the caller may reach its account; else it is unknown. */
export async function requiredPlan(services: RunServices, caller: Caller, id: string): Promise<Plan> {
  const plan = await services.storage.plans.find(id);
  if (plan === undefined || (caller.scope !== null && !caller.scope.includes(plan.accountId))) throw unknownPlan(id);
  return plan;
}

/** The account that a plan is for. Throws where it is gone, or another one has its name by now. */
export async function accountOfPlan(services: RunServices, caller: Caller, plan: Plan): Promise<Account> {
  const found = await services.accounts.byId(plan.accountId);
  return services.accounts.inScope(found?.name ?? plan.account, caller.scope);
}
