import type { AnyBulkWriteOperation } from 'mongodb';
import { AppError } from '../../../ports/index.ts';
import { clearAppliedEffects } from './applied-effects.ts';
import { batchesOf } from './batches.ts';
import type { RuleDoc, RuleVersionDoc } from './documents.ts';
import { duplicateKeys, unavailable } from './errors.ts';
import { freeLease, keepLease, type Lease, SERVER_NOW, takeLease } from './leases.ts';
import { afterTurn } from './pause.ts';
import { incrementOf } from './revisions.ts';
import type { AppliedEffect, PlanPart, RulePlan, RuleStep } from './rule-plan-documents.ts';
import type { Context } from './session.ts';

interface Decision<T> {
  readonly answer: T;
  readonly steps: readonly RuleStep[];
  readonly paid?: readonly AppliedEffect[];
}

const LEASE = 'lease/rules';
/** A writer that waits longer than this is better off trying again later. */
const TIMEOUT_MS = 20_000;
const STEPS_A_BATCH = 500;
const LARGEST_INLINE = 500_000;
const LARGEST_PART = 4_000_000;
/** Versions are numbered by lease and step; this many fit into one lease. */
const MOST_STEPS = 1_000_000;

/** Writers of one node queue here, so that only nodes compete for the lease. */
const queues = new WeakMap<Context, Promise<unknown>>();

/**
 * The only way to change rule documents. It gives a bundle of any size the atomicity of one document: under a lease, `decide`
 * reads and answers the steps; they are written into the lease document, which is the moment when the bundle takes effect; then
 * they are carried out, the revisions move, and the lease is released without them. A caller that takes the lease and finds steps
 * carries them out first. Each names the version that it replaces, so doing them twice does no harm. Until then others see a part
 * of the bundle: a transaction would hide that.
 */
export async function changeRules<T>(context: Context, decide: () => Promise<Decision<T>>): Promise<T> {
  const before = queues.get(context);
  const work = () => changeUnderLease(context, decide);
  const mine = before === undefined ? work() : afterTurn(before, work);
  queues.set(context, mine);
  try {
    return await mine;
  } finally {
    if (queues.get(context) === mine) queues.delete(context);
  }
}

/** Carries out what a writer left that died. */
export async function finishPlan(context: Context): Promise<void> {
  await changeRules(context, async () => ({ answer: undefined, steps: [] }));
}

async function changeUnderLease<T>(context: Context, decide: () => Promise<Decision<T>>): Promise<T> {
  const { control } = context.database;
  const lease = await takeLease(control, LEASE, { leaseMs: context.leaseMs, timeoutMs: TIMEOUT_MS });
  if (lease.plan !== undefined) {
    context.logger.warn('Finishing a change of rules that another writer left', { types: lease.plan.types });
    await carryOut(context, lease, lease.plan);
  }
  let decision: Decision<T>;
  try {
    decision = await decide();
    const { steps, paid = [] } = decision;
    if (steps.length === 0 && paid.length === 0) {
      await freeLease(control, lease);
      return decision.answer;
    }
    const plan = await promise(context, lease, steps, paid);
    await carryOut(context, lease, plan);
    await freeLease(control, lease);
    return decision.answer;
  } catch (error) {
    // A lease with a plan must stay until the plan is carried out: by this call if it can, else by the next holder.
    await freeLeaseWithoutPlan(context, lease);
    throw error;
  }
}

async function freeLeaseWithoutPlan(context: Context, lease: Lease): Promise<void> {
  try {
    const filter = { _id: lease.name, holder: lease.holder };
    await context.database.control.updateOne(filter, { $set: { until: 0 } });
  } catch (error) {
    context.logger.debug('A lease runs out by itself, because the database does not answer', { error });
  }
}

async function promise(
  context: Context,
  lease: Lease,
  steps: readonly RuleStep[],
  paid: readonly AppliedEffect[],
): Promise<RulePlan> {
  if (steps.length >= MOST_STEPS) throw new AppError('too_large', 'More documents than one call can write.');
  const { control, rulePlans } = context.database;
  const numbered = steps.map((step, index) => ({
    ...step,
    doc: { ...step.doc, latest: lease.token * MOST_STEPS + index },
  }));
  const small = numbered.reduce((sum, step) => sum + step.doc.document.length, 0) <= LARGEST_INLINE;
  const isInline = small && numbered.length <= STEPS_A_BATCH;
  const parts = isInline ? [] : partsOf(lease, numbered);
  for (const part of parts) {
    await rulePlans.insertOne(part);
    await keepLease(control, lease, context.leaseMs);
  }
  const plan: RulePlan = {
    token: lease.token,
    steps: isInline ? numbered : [],
    parts: parts.length,
    types: [...new Set(steps.map((step) => step.doc.type))],
    paid,
  };
  const kept = await control.updateOne({ _id: lease.name, holder: lease.holder }, [
    { $set: { plan: { $literal: plan }, until: { $add: [SERVER_NOW, context.leaseMs] } } },
  ]);
  if (kept.matchedCount === 0) throw unavailable('This node was too slow and another one took over. Try again.');
  return plan;
}

function partsOf(lease: Lease, steps: readonly RuleStep[]): PlanPart[] {
  const parts: PlanPart[] = [];
  let open: RuleStep[] = [];
  let size = 0;
  const close = () => {
    if (open.length === 0) return;
    parts.push({ _id: `${lease.token}/${parts.length}`, token: lease.token, number: parts.length, steps: open });
    open = [];
    size = 0;
  };
  for (const step of steps) {
    if (size + step.doc.document.length > LARGEST_PART || open.length >= STEPS_A_BATCH) close();
    open.push(step);
    size += step.doc.document.length;
  }
  close();
  return parts;
}

async function carryOut(context: Context, lease: Lease, plan: RulePlan): Promise<void> {
  const { control, rulePlans } = context.database;
  await applySteps(context, plan.steps);
  for (let number = 0; number < plan.parts; number++) {
    // Asking first also stops a holder that slept past its lease.
    await keepLease(control, lease, context.leaseMs);
    const part = await rulePlans.findOne({ _id: `${plan.token}/${number}` });
    for (const steps of batchesOf(part?.steps ?? [], STEPS_A_BATCH)) await applySteps(context, steps);
  }
  await clearAppliedEffects(context, plan.paid);
  await control.bulkWrite([
    ...plan.types.map((type) => incrementOf(`rules/${type}`)),
    { updateOne: { filter: { _id: lease.name, holder: lease.holder }, update: { $unset: { plan: '' } } } },
  ]);
  if (plan.parts > 0) await rulePlans.deleteMany({ token: { $lte: plan.token } });
}

/** Versions first: one without its document does not count, a document without its version would have lost history. */
async function applySteps(context: Context, steps: readonly RuleStep[]): Promise<void> {
  if (steps.length === 0) return;
  const { rules, ruleVersions } = context.database;
  try {
    const versions = steps.flatMap(versionOf);
    if (versions.length > 0) await ruleVersions.insertMany(versions, { ordered: false });
  } catch (error) {
    // Written by the one who began with the plan.
    if (duplicateKeys(error) === undefined) throw error;
  }
  let rest = steps.map(writeOf);
  while (rest.length > 0) {
    try {
      await rules.bulkWrite(rest, { ordered: true });
      return;
    } catch (error) {
      const refused = duplicateKeys(error)?.positions[0];
      if (refused === undefined) throw error;
      // Only a writer that outlived its lease gets here. Staying would block every later change.
      context.logger.error('A rule document was left out: its name or value is taken', { step: refused });
      rest = rest.slice(refused + 1);
    }
  }
}

function writeOf({ change, doc, expected }: RuleStep): AnyBulkWriteOperation<RuleDoc> {
  const { _id, ...content } = doc;
  if (change === 'created') return { updateOne: { filter: { _id }, update: { $setOnInsert: content }, upsert: true } };
  const filter = { _id, version: expected };
  if (change === 'confirmed')
    return { updateOne: { filter, update: { $set: { confirmedBy: doc.confirmedBy ?? 'operator' } } } };
  return change === 'removed' ? { deleteOne: { filter } } : { replaceOne: { filter, replacement: content } };
}

function versionOf({ change, doc, at, actor }: RuleStep): RuleVersionDoc[] {
  if (change === 'confirmed') return [];
  const { type, id, name, version, document } = doc;
  return [{ _id: doc.latest, type, id, name, version, at, actor, change, document }];
}
