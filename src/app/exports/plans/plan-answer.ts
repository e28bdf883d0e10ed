import * as z from 'zod';
import { MASK } from '../../../kit/masking/secret-mask.ts';
import type { Plan, PlanEntry, PlanField } from '../../../ports/index.ts';
import { ENTRY_OUTCOMES, PLAN_ACTIONS } from './words.ts';

const count = z.number().int();

export const planCountsSchema = z.object({
  create: count,
  update: count,
  move: count,
  delete: count,
  adopt: count.describe('There, without an owner, and taken over'),
  conflict: count.describe('Not touched, because they have another owner or are not certain'),
  unchanged: count,
  kept: count.describe('Ours and no longer wanted, but not deleted, because that is not certain'),
});

export const planSchema = z.object({
  id: z.string(),
  account: z.string(),
  status: z.enum(['planning', 'ready', 'refused', 'applying', 'interrupted', 'done', 'partial', 'failed', 'discarded']),
  made_by: z.string(),
  made_at: z.string(),
  counts: planCountsSchema,
  drift: count.describe('Changes about objects that were changed there since Muster wrote them'),
  done: count.describe('Entries that were applied'),
  failed: count.describe('Entries that could not be applied'),
  needs_approval: z.boolean(),
  approved_by: z.string().nullable(),
  approved_at: z.string().nullable(),
  applied_by: z.string().nullable(),
  applied_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  message: z.string().describe('Why it is refused, failed or partial, who discarded it, or what it leaves out'),
});

export type PlanAnswer = z.infer<typeof planSchema>;

export function planAnswer(plan: Plan): PlanAnswer {
  return {
    id: plan.id,
    account: plan.account,
    status: plan.status,
    made_by: plan.madeBy,
    made_at: plan.madeAt.toISOString(),
    counts: { ...plan.counts },
    drift: plan.drift,
    done: plan.done,
    failed: plan.failed,
    needs_approval: plan.needsApproval,
    approved_by: plan.approvedBy,
    approved_at: plan.approvedAt?.toISOString() ?? null,
    applied_by: plan.appliedBy,
    applied_at: plan.appliedAt?.toISOString() ?? null,
    ended_at: plan.endedAt?.toISOString() ?? null,
    message: plan.message,
  };
}

export const planEntrySchema = z.object({
  number: count,
  action: z.enum(PLAN_ACTIONS),
  kind: z.string(),
  key: z.string(),
  previous_key: z.string().nullable(),
  hostname: z.string().nullable().describe('The host that needs it, or needed it last'),
  rule: z
    .object({ id: z.string(), type: z.string(), name: z.string() })
    .nullable()
    .describe('The rule that asks for it'),
  drift: z.boolean().describe('Whether what Muster had written was changed there'),
  fields: z.array(z.object({ name: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
  outcome: z.enum(ENTRY_OUTCOMES).nullable().describe('null: not tried yet'),
  reason: z.string().describe('Why there is a conflict, or why it was not applied'),
});

export type PlanEntryAnswer = z.infer<typeof planEntrySchema>;

export function planEntryAnswer(entry: PlanEntry): PlanEntryAnswer {
  const { number, action, kind, key, hostname, rule, drift, fields, outcome, reason } = entry;
  return {
    number,
    action,
    kind,
    key,
    previous_key: entry.previousKey,
    hostname,
    rule,
    drift,
    fields: fields.map(fieldAnswer),
    outcome,
    reason,
  };
}

function fieldAnswer({ name, before, after, secret }: PlanField): PlanEntryAnswer['fields'][number] {
  if (secret === true) return { name, after: MASK };
  return { name, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}
