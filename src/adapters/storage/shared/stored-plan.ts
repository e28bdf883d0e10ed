import {
  type EntryFilter,
  NO_PLAN_COUNTS,
  type ObjectReference,
  type Plan,
  type PlanAction,
  type PlanBasis,
  type PlanCounts,
  type PlanEnd,
  type PlanEntry,
  type PlanField,
  type PlanStart,
  type PlanStatus,
} from '../../../ports/index.ts';

/** `removed`: on its way out, with entries that are being deleted. */
type StoredStatus = Exclude<PlanStatus, 'interrupted'> | 'removed';

/** States in which a plan whose lease is over can be discarded: it is not being made or applied, and has not ended. */
export const DISCARDABLE: readonly StoredStatus[] = ['ready', 'refused', 'applying'];

/** A plan as stores keep it. Times are milliseconds. */
export interface StoredPlan {
  readonly id: string;
  readonly accountId: string;
  readonly account: string;
  readonly madeBy: string;
  readonly madeAt: number;
  readonly hostsRevision: number;
  readonly rulesRevision: string;
  readonly status: StoredStatus;
  /** Until when it is believed to be made or applied. */
  readonly leaseUntil: number;
  readonly holder: string | null;
  /** The account, while the plan holds it: until another one takes it when the lease is over. */
  readonly holds: string | null;
  /** JSON, with the drift. */
  readonly counts: string;
  readonly done: number;
  readonly failed: number;
  readonly needsApproval: boolean;
  readonly approvedBy: string | null;
  readonly approvedAt: number | null;
  readonly appliedBy: string | null;
  readonly appliedAt: number | null;
  readonly endedAt: number | null;
  readonly message: string;
}

/** An entry as stores keep it: what is asked for, and the rest as JSON, because names of fields are any text. */
export interface StoredPlanEntry {
  readonly planId: string;
  readonly number: number;
  readonly action: PlanAction;
  readonly kind: string;
  readonly key: string;
  readonly previousKey: string | null;
  readonly hostname: string | null;
  readonly outcome: PlanEntry['outcome'];
  readonly reason: string;
  readonly body: string;
}

export function newPlan(plan: PlanStart, leaseUntil: number): StoredPlan {
  const { basis, leaseMs: _, madeAt, isExclusive, ...start } = plan;
  return {
    ...start,
    madeAt: madeAt.getTime(),
    hostsRevision: basis.hosts,
    rulesRevision: rulesRevisionOf(basis),
    status: 'planning',
    leaseUntil,
    holds: isExclusive ? start.accountId : null,
    counts: JSON.stringify(NO_PLAN_COUNTS),
    done: 0,
    failed: 0,
    needsApproval: false,
    approvedBy: null,
    approvedAt: null,
    appliedBy: null,
    appliedAt: null,
    endedAt: null,
    message: '',
  };
}

/** The revision of rules together with members added later, as JSON; alone it is not a JSON object. */
function rulesRevisionOf({ hosts: _, ...basis }: PlanBasis): string {
  return basis.documents === undefined && basis.causedBy === undefined ? basis.rules : JSON.stringify(basis);
}

function rulesBasisOf(rulesRevision: string): Omit<PlanBasis, 'hosts'> {
  return rulesRevision.startsWith('{"') ? (JSON.parse(rulesRevision) as PlanBasis) : { rules: rulesRevision };
}

export function storedPlanCounts({ counts, drift }: Pick<PlanEnd, 'counts' | 'drift'>): string {
  return JSON.stringify({ ...counts, drift });
}

/** `isHeld`: whether the lease lasts. */
export function toPlan(stored: StoredPlan, isHeld: boolean): Plan {
  const { hostsRevision, rulesRevision, status, leaseUntil: _, holder: __, holds: ___, counts, ...plan } = stored;
  // Plans of before it was counted have no drift.
  const { drift = 0, ...known }: PlanCounts & { readonly drift?: number } = JSON.parse(counts);
  return {
    ...plan,
    ...standing(stored, isHeld),
    basis: { hosts: hostsRevision, ...rulesBasisOf(rulesRevision) },
    counts: known,
    drift,
    madeAt: new Date(plan.madeAt),
    approvedAt: momentOf(plan.approvedAt),
    appliedAt: momentOf(plan.appliedAt),
    endedAt: momentOf(plan.endedAt),
  };
}

function standing({ status, message, holder }: StoredPlan, isHeld: boolean): Pick<Plan, 'status' | 'message'> {
  if (status === 'removed') return { status: 'failed', message };
  if (isHeld) return { status, message };
  // A holder that gave up in good order has said why.
  if (status === 'applying' && holder === null && message !== '') return { status: 'interrupted', message };
  if (status === 'applying')
    return { status: 'interrupted', message: 'the process that applied it ended before it was done' };
  if (status === 'planning') return { status: 'failed', message: 'the process that made it ended before it was done' };
  return { status, message };
}

function momentOf(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

interface Body {
  readonly host?: string | undefined;
  readonly several?: boolean | undefined;
  readonly rule: PlanEntry['rule'];
  readonly drift: boolean;
  readonly fields: readonly PlanField[];
  readonly after: readonly ObjectReference[];
  readonly remote: PlanEntry['remote'];
  readonly digest: string;
  readonly secrets: string;
}

/** Member by member, and so back: copying the rest of an object takes ten times as long, and a plan may have a million. */
export function storedEntry(planId: string, entry: PlanEntry): StoredPlanEntry {
  const { number, action, kind, key, previousKey, hostname, outcome, reason } = entry;
  const { host, several, rule, drift, fields, after, remote, digest, secrets } = entry;
  const body: Body = { host, several, rule, drift, fields, after, remote, digest, secrets };
  const text = JSON.stringify(body);
  return { planId, number, action, kind, key, previousKey, hostname, outcome, reason, body: text };
}

export function toEntry(stored: StoredPlanEntry): PlanEntry {
  const { number, action, kind, key, previousKey, hostname, outcome, reason } = stored;
  const { host, several, rule, drift, fields, after, remote, digest, secrets } = JSON.parse(stored.body) as Body;
  const asked = { number, action, kind, key, previousKey, hostname, outcome, reason };
  return { ...asked, host, several, rule, drift, fields, after, remote, digest, secrets };
}

export function matchesEntry({ action, kind, text, outcome }: EntryFilter, entry: StoredPlanEntry): boolean {
  if (action !== undefined && entry.action !== action) return false;
  if (kind !== undefined && entry.kind !== kind) return false;
  if (outcome !== undefined && (entry.outcome ?? 'open') !== outcome) return false;
  return text === undefined || [entry.key, entry.previousKey, entry.hostname].some((part) => part?.includes(text));
}
