import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Said, sentences, strung, textOf, worded } from '../../../kit/worded.ts';
import { counted, sumOf } from '../../../kit/words/amounts.ts';
import {
  AppError,
  NO_PLAN_COUNTS,
  type Plan,
  type PlanEntry,
  type RuleRecord,
  type Wording,
} from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { holdLease } from '../../kernel/held-lease.ts';
import type { Progress } from '../../kernel/operation.ts';
import { actingRecords } from '../../rules/trust/held-versions.ts';
import type { RunServices } from '../../runs/services.ts';
import { type AppliedPlan, applyPlan, KEEP_EVERY_MS, LEASE_MS } from './apply-plan.ts';
import { basisOf, type MadePlan, makePlan, readOwned } from './make-plan.ts';
import { type OpenedObjectTarget, openObjectTarget } from './open-object-target.ts';
import { noteSystem, type Remembered, requireSameSystem } from './owned-system.ts';
import type { PlanInMaking, PlanWork } from './plan-in-making.ts';
import { PlanTables } from './plan-tables.ts';
import { type Gaps, readRemote } from './read-remote.ts';

export interface RunContext {
  readonly services: RunServices;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

/** The target and gaps of a plan, as long as they are valid. */
interface Prepared {
  readonly opened: OpenedObjectTarget;
  readonly gaps: Gaps;
  readonly remembered: Remembered;
}

export interface StoredPlanRun {
  readonly id: string;
  readonly made: MadePlan;
  readonly prepared: Prepared;
}

/** Opens a place for tables, lets `work` use it, and closes it. */
export async function withTables<T>(services: RunServices, work: (tables: PlanTables) => Promise<T>): Promise<T> {
  const scratch = await services.openScratch();
  try {
    return await work(new PlanTables(scratch));
  } finally {
    scratch.close();
  }
}

/** Makes a plan of what the caller may reach. `onEntries` takes the entries in their order. Throws `AppError`. */
export function planOf(
  context: RunContext,
  account: Account,
  opened: OpenedObjectTarget,
  tables: PlanTables,
  { dryRun, onEntries }: Pick<PlanInMaking, 'dryRun' | 'onEntries'>,
): Promise<MadePlan> {
  const { services, caller, progress } = context;
  return makePlan({
    ...workOf(context, account, opened, tables),
    hosts: services.storage.hosts,
    scope: hostScopeOf(caller),
    dryRun,
    onEntries,
    progress: (state) => progress({ ...state, unit: 'hosts' }),
  });
}

function workOf(
  { services, signal }: RunContext,
  { id, name }: Account,
  opened: OpenedObjectTarget,
  tables: PlanTables,
): PlanWork {
  return {
    accountId: id,
    account: name,
    opened,
    tables,
    ownership: services.storage.ownership,
    clock: services.clock,
    timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS,
    signal,
    secrets: () => services.secrets,
  };
}

/** Makes a plan and stores it, whether it may be applied or not. Throws `AppError` when it could not be made; the plan is `failed` then. */
export async function storePlan(
  context: RunContext,
  account: Account,
  tables: PlanTables,
  { isExclusive, part }: { readonly isExclusive: boolean; readonly part?: string | undefined },
): Promise<StoredPlanRun> {
  const { services, caller } = context;
  const { storage, clock } = services;
  const opened = await openObjectTarget(services, account, part);
  const id = services.newId();
  if (isExclusive) await takeBackFromDead(services, account.id);
  const isBegun = await storage.plans.begin({
    id,
    accountId: account.id,
    account: account.name,
    madeBy: caller.name,
    madeAt: clock.now(),
    basis: {
      ...basisOf(opened, await storage.revisions()),
      causedBy: caller.causedBy ?? caller.name,
      documents: await documentsOfPlan(services, account),
    },
    holder: holderOf(services),
    leaseMs: LEASE_MS,
    isExclusive,
  });
  if (!isBegun) throw new AppError('conflict', busyText(account.name));
  const keep = async (entries: readonly PlanEntry[]): Promise<boolean> =>
    storage.plans.append({ id, entries, leaseMs: LEASE_MS });
  const lease = holdLease({ everyMs: KEEP_EVERY_MS, renew: () => keep([]), failed: () => undefined });
  try {
    const made = await planOf(context, account, opened, tables, {
      dryRun: false,
      async onEntries(entries) {
        if (!(await keep(entries)))
          throw new AppError('conflict', worded`this process was too slow to make the plan; try again`);
      },
    });
    const { counts, drift, needsApproval, refusal } = made;
    const status = refusal === undefined ? 'ready' : 'refused';
    const settled = { id, status, counts, drift, needsApproval, message: textOf(planMessage(made) ?? '') } as const;
    if (!(await storage.plans.settle(settled)))
      throw new AppError('conflict', worded`the plan was removed while it was made`);
    return { id, made, prepared: { opened, gaps: made.gaps, remembered: made.remembered } };
  } catch (error) {
    const failure = { id, status: 'failed', counts: NO_PLAN_COUNTS, drift: 0, needsApproval: false } as const;
    await storage.plans.settle({ ...failure, message: failureText(error, opened) }).catch(() => undefined);
    throw error;
  } finally {
    await lease.stop();
  }
}

/** Returns the message about a plan in addition to its counts. */
export function planMessage({
  refusal,
  gaps,
  failed,
  named,
  part,
}: Pick<MadePlan, 'refusal' | 'gaps' | 'failed' | 'named' | 'part'>): Said | undefined {
  const parts: Said[] = refusal === undefined ? [] : [refusal];
  if (part !== undefined) parts.push(worded`only ${{ part: part.title }}`);
  const lost = strung(gaps.said.slice(0, 3));
  if (lost !== undefined) parts.push(worded`not everything could be read: ${{ reasons: lost }}`);
  if (failed > 0) {
    const [first] = named;
    const problem =
      failed === 1
        ? worded`1 host could not be decided on`
        : worded`${{ count: failed }} hosts could not be decided on`;
    const example = first === undefined ? '' : `${first.hostname}: ${first.reason}`;
    parts.push(example === '' ? problem : worded`${{ problem }} (${{ example }})`);
  }
  return sentences(parts);
}

/**
 * Applies a stored plan. What it was made with spares reading the system again, where that has just been done. Throws `AppError` when it could
 * not be begun; otherwise what was done, which is stored with the plan too.
 */
export async function runPlan(
  context: RunContext,
  account: Account,
  plan: Pick<Plan, 'id' | 'account' | 'counts'> & Partial<Pick<Plan, 'madeAt' | 'basis' | 'done' | 'failed'>>,
  tables: PlanTables,
  prepared?: Prepared,
): Promise<AppliedPlan> {
  const { services, caller, progress } = context;
  const { storage, clock } = services;
  const holder = holderOf(services);
  if (prepared === undefined) await takeBackFromDead(services, account.id);
  const claim = { id: plan.id, holder, by: caller.name, at: clock.now(), leaseMs: LEASE_MS };
  if (!(await storage.plans.claim(claim))) throw await whyNotClaimed(services, plan.id);
  // Reading the system may take long; applying keeps the plan by itself.
  const kept = { id: plan.id, holder, leaseMs: LEASE_MS, done: plan.done ?? 0, failed: plan.failed ?? 0 };
  const lease = holdLease({ everyMs: KEEP_EVERY_MS, renew: () => storage.plans.keep(kept), failed: () => undefined });
  let applied: AppliedPlan | undefined;
  let failure: unknown;
  let target = prepared?.opened.target;
  try {
    const { opened, gaps, remembered } = prepared ?? (await prepare(context, account, tables));
    target = opened.target;
    const work = workOf(context, account, opened, tables);
    await noteSystem(work, remembered);
    const { hosts, rules } = basisOf(opened, await storage.revisions());
    const isAsPlanned = plan.basis?.hosts === hosts && plan.basis.rules === rules;
    await lease.stop();
    const total = sumOf(plan.counts) - plan.counts.unchanged - plan.counts.kept;
    applied = await applyPlan({
      ...work,
      plans: storage.plans,
      hosts: storage.hosts,
      planId: plan.id,
      ...(plan.madeAt !== undefined && !isAsPlanned && { madeAt: plan.madeAt }),
      holder,
      gaps,
      progress: ({ done, failed, note }) => progress({ done: done + failed, total, unit: 'records', note }),
    });
    return applied;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await lease.stop();
    await storage.plans.finish({ id: plan.id, holder, at: clock.now(), ...endOf(plan, applied, failure) });
    await target?.close?.().catch(() => undefined);
  }
}

/** Names this process and one run of it. */
function holderOf({ process, newId }: RunServices): string {
  return `${process.name}/${newId()}`;
}

/** Releases a plan held by a killed process of this machine at once, not only when its lease expires. */
async function takeBackFromDead({ storage: { plans }, process }: RunServices, accountId: string): Promise<void> {
  const held = await plans.holding(accountId);
  if (held !== undefined && process.isDead(held.holder)) await plans.takeBack(held);
}

/** A plan that is to be applied; one that a dead process of this machine was applying can be. */
export async function freedPlan(services: RunServices, caller: Caller, id: string): Promise<Plan> {
  const plan = await requiredPlan(services, caller, id);
  if (plan.status !== 'applying') return plan;
  await takeBackFromDead(services, plan.accountId);
  return requiredPlan(services, caller, id);
}

/** Opens the target and reads what it has now. */
async function prepare(context: RunContext, account: Account, tables: PlanTables): Promise<Prepared> {
  const opened = await openObjectTarget(context.services, account);
  const work = workOf(context, account, opened, tables);
  const gaps = await readRemote(work, (count, note) =>
    context.progress({ done: 0, unit: 'records', note: note ?? `${counted(count, 'object')} read` }),
  );
  const remembered = await requireSameSystem(work, await readOwned(work));
  return { opened, gaps, remembered };
}

function endOf(
  plan: Pick<Plan, 'counts'> & Partial<Pick<Plan, 'done' | 'failed'>>,
  applied: AppliedPlan | undefined,
  failure: unknown,
) {
  if (applied === undefined) {
    const message = failure instanceof AppError ? failure.message : 'it failed for an unexpected reason';
    return { status: 'interrupted', done: plan.done ?? 0, failed: plan.failed ?? 0, message } as const;
  }
  const { done, failed, broken, failures } = applied;
  if (broken !== undefined) return { status: 'interrupted', done, failed, message: broken.message } as const;
  const { conflict } = plan.counts;
  if (failed === 0 && conflict === 0) return { status: 'done', done, failed, message: '' } as const;
  const [first] = failures;
  const parts = [];
  if (failed > 0)
    parts.push(`${counted(failed, 'change')} could not be made${first === undefined ? '' : ` (${first.reason})`}`);
  if (conflict > 0) parts.push(counted(conflict, 'conflict'));
  return { status: 'partial', done, failed, message: parts.join(', ') } as const;
}

async function whyNotClaimed({ storage }: RunServices, id: string): Promise<AppError> {
  const plan = await storage.plans.find(id);
  if (plan === undefined) return unknownPlan(id);
  return refusalToApply(plan) ?? new AppError('conflict', busyText(plan.account));
}

/** Why a plan cannot be applied; `undefined` when it can. */
export function refusalToApply(plan: Plan): AppError | undefined {
  const again = worded`make another one with "muster plan ${{ account: plan.account }}"`;
  switch (plan.status) {
    case 'ready':
    case 'interrupted':
      if (!plan.needsApproval || plan.approvedBy !== null) return undefined;
      return new AppError(
        'conflict',
        worded`plan ${{ id: plan.id }} waits for approval: another user than ${{ madeBy: plan.madeBy }} approves it with "muster plan approve ${{ id: plan.id }}"`,
      );
    case 'planning':
      return new AppError('conflict', worded`plan ${{ id: plan.id }} is still being made; wait until it is ready`);
    case 'applying':
      return new AppError(
        'conflict',
        worded`plan ${{ id: plan.id }} is being applied by ${{ by: plan.appliedBy ?? worded`another process` }}`,
      );
    case 'refused':
      return new AppError('conflict', worded`plan ${{ id: plan.id }} may not be applied: ${{ message: plan.message }}`);
    case 'failed':
      return new AppError(
        'conflict',
        worded`plan ${{ id: plan.id }} could not be made: ${{ message: plan.message }}; ${{ again }}`,
      );
    case 'discarded':
      return new AppError(
        'conflict',
        worded`plan ${{ id: plan.id }} was discarded: ${{ message: plan.message }}; ${{ again }}`,
      );
    default:
      return new AppError('conflict', worded`plan ${{ id: plan.id }} was applied already; ${{ again }}`);
  }
}

function unknownPlan(id: string): AppError {
  return new AppError('not_found', worded`there is no plan ${{ id }}; list the plans to see which exist`);
}

function busyText(account: string): Wording {
  return worded`a plan of account ${{ account }} is being applied; wait until that is done ("muster plan list" shows it), and try again`;
}

function failureText(error: unknown, { mask }: OpenedObjectTarget): string {
  if (error instanceof AppError && error.code !== 'internal') return mask(error.message);
  return 'it failed for an unexpected reason; the program log has details';
}

/**
 * Returns the documents on which a plan is based: the account, the one it inherits from, and the rules of its target type.
 * Another user approves a plan for that system and by these rules, so it is valid for no other.
 */
async function documentsOfPlan(
  { plugins, storage }: Pick<RunServices, 'plugins' | 'storage'>,
  { type, record, parentRecord }: Account,
): Promise<string> {
  const own = plugins.ruleTypes().filter(({ evaluation }) => evaluation?.target === type);
  const rules: RuleRecord[] = [];
  for (const ruleType of own) rules.push(...(await actingRecords(storage.rules, ruleType)));
  const documents = [record, ...(parentRecord === undefined ? [] : [parentRecord]), ...rules];
  const versions = documents.map(({ type: ident, id, version }) => [ident, id, version]);
  return createHash('sha256').update(JSON.stringify(versions)).digest('hex');
}

/** Refuses a plan whose documents are others by now. Plans of before this was noted say nothing of it. */
export async function requireSameDocuments(
  services: Pick<RunServices, 'plugins' | 'storage'>,
  account: Account,
  { id, basis }: Plan,
): Promise<void> {
  if (basis.documents === undefined || basis.documents === (await documentsOfPlan(services, account))) return;
  throw new AppError(
    'conflict',
    worded`account ${{ account: account.name }}, the account that it inherits from, or a rule of its target was changed since plan ${{ id }} was made; make another one with "muster plan ${{ account: account.name }}"`,
  );
}

export const planIdSchema = z.string().trim().min(1).describe('Id of the plan');

/** The plan, if the caller may reach its account; else it is unknown. */
export async function requiredPlan(services: RunServices, caller: Caller, id: string): Promise<Plan> {
  const plan = await services.storage.plans.find(id);
  if (plan === undefined || (caller.scope !== null && !caller.scope.includes(plan.accountId))) throw unknownPlan(id);
  return plan;
}

/** Returns the account that a plan is for. Throws if it is gone, even if another has its name by now, or if the caller may not reach it. */
export async function accountOfPlan(services: RunServices, caller: Caller, plan: Plan): Promise<Account> {
  const found = await services.accounts.byId(plan.accountId);
  if (found === undefined)
    throw new AppError(
      'not_found',
      worded`account ${{ account: plan.account }} of plan ${{ id: plan.id }} is gone; discard the plan`,
    );
  return services.accounts.inScope(found.name, caller.scope);
}
