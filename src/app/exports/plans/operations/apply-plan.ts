import * as z from 'zod';
import { messageOf, saidBy, worded } from '../../../../kit/worded.ts';
import { AppError, type Plan } from '../../../../ports/index.ts';
import { type Account, requireEnabled } from '../../../accounts/account-directory.ts';
import { appendRunLog } from '../../../journal/run-log.ts';
import { type ActiveRunContext, asActiveRun } from '../../../runs/active/as-active-run.ts';
import { defineOperation } from '../../../runs/services.ts';
import { planAnswer, planSchema } from '../plan-answer.ts';
import { planLogDetails, planLogReport } from '../plan-log.ts';
import {
  accountOfPlan,
  freedPlan,
  planIdSchema,
  refusalToApply,
  requiredPlan,
  requireSameDocuments,
  runPlan,
  withTables,
} from '../plan-run.ts';
import { appliedOutcome, appliedView } from '../views/plans.ts';

const appliedSchema = planSchema.extend({
  failures: z.array(z.object({ hostname: z.string(), reason: z.string() })).describe('The first of them'),
});

export const applyStoredPlan = defineOperation({
  name: 'plans/apply-plan',
  title: 'Apply a plan',
  description:
    'Applies a plan exactly as it is. A change whose object has changed since the plan was made is refused by name, and the others are applied.',
  effect: 'destructive',
  roles: ['administrator'],
  acrossAccounts: true,
  weight: 'heavy',
  at: {
    rest: { path: 'POST /plans/:plan/apply', body: 'optional', errors: ['not_found', 'conflict', 'failed'] },
    command: {
      words: 'apply',
      description:
        'Apply a plan exactly as it is. A change whose object has changed since the plan was made is refused by name, and the others are applied.',
      arguments: {
        plan: { shown: '<plan>', description: 'id of the plan, which "muster plan" and "muster plan list" say' },
      },
      progress: ({ plan }) => `Applying ${plan}`,
      json: 'answer the plan as JSON',
      examples: ['muster apply 65a1b2c3d4e5f60718293a4b', 'muster apply 65a1b2c3d4e5f60718293a4b --json'],
      view: appliedView,
      outcome: appliedOutcome,
    },
    tool: { name: 'apply_plan' },
    page: true,
  },
  input: z.object({ plan: planIdSchema }),
  output: appliedSchema,
  subject: (input) => input.plan,
  async run({ plan: id }, context) {
    const { services, caller } = context;
    const plan = await freedPlan(services, caller, id);
    const refusal = refusalToApply(plan);
    if (refusal !== undefined) throw refusal;
    const account = await accountOfPlan(services, caller, plan);
    requireEnabled(account);
    await requireSameDocuments(services, account, plan);
    return asActiveRun(context, { kind: 'export', account }, (running) => applyOf(running, account, plan));
  },
});

async function applyOf(
  context: ActiveRunContext,
  account: Account,
  plan: Plan,
): Promise<z.infer<typeof appliedSchema>> {
  const { services, caller } = context;
  const startedAt = services.clock.now();
  const { storage, clock, logger, newId } = services;
  const deps = { logs: storage.logs, clock, logger, newId };
  try {
    const applied = await withTables(services, (tables) => runPlan(context, account, plan, tables));
    const ended = await requiredPlan(services, caller, plan.id);
    const report = planLogReport(ended, applied);
    const details = planLogDetails(applied, clock.now().getTime() - startedAt.getTime());
    await appendRunLog(deps, { kind: 'export', account: account.name, report, details });
    return { ...planAnswer(ended), failures: applied.failures.map((failure) => ({ ...failure })) };
  } catch (error) {
    const why = error instanceof AppError ? saidBy(error) : error instanceof Error ? error.message : String(error);
    const report = { status: 'failed', ...messageOf(worded`plan ${{ id: plan.id }}: ${{ why }}`) } as const;
    await appendRunLog(deps, { kind: 'export', account: account.name, report, details: [] });
    throw error;
  }
}
