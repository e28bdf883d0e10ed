import type { Plan, PlanStore } from '../../../ports/index.ts';
import type { Happening, LastLook, News } from '../../runs/decisions/happening.ts';

const PAGE = 100;
/**
 * Entries that nodes store at once may have times out of order. The outbox keeps each notification once, so the last minute is
 * read again.
 */
const OVERLAP_MS = 60_000;

/** Returns the results of plans that were made since the last look, or were being made then. */
export async function newsOfPlans(plans: PlanStore, last: LastLook): Promise<News> {
  const since = last.at.getTime() - OVERLAP_MS;
  const newest: Plan[] = [];
  for (;;) {
    const before = newest.at(-1);
    const page = await plans.list({ limit: PAGE, accounts: null, ...(before && { before }) });
    newest.push(...page);
    const oldest = page.at(-1);
    if (page.length < PAGE || oldest === undefined || oldest.madeAt.getTime() < since) break;
  }
  const awaited = new Set(last.awaited);
  const older: Plan[] = [];
  // There are few of these: they are still being made although many others are newer.
  for (const id of awaited) {
    if (newest.some((plan) => plan.id === id)) continue;
    const plan = await plans.find(id);
    if (plan !== undefined) older.push(plan);
  }
  const known = [...older, ...newest];
  const news = known.filter(({ id, madeAt }) => madeAt.getTime() >= since || awaited.has(id));
  return {
    happenings: news.toSorted((a, b) => a.madeAt.getTime() - b.madeAt.getTime()).flatMap(happeningsOf),
    awaited: known.filter(({ status }) => status === 'planning').map(({ id }) => id),
  };
}

function happeningsOf(plan: Plan): readonly Happening[] {
  const { id, account: subject, madeAt: at, message, madeBy, status } = plan;
  const base = { subject, at, text: message, page: `/plans/${id}` };
  if (status === 'ready' && plan.needsApproval && plan.approvedBy === null) {
    const title = `A plan for ${subject}, made by ${madeBy}, waits for approval`;
    return [{ ...base, id: `approval:${id}`, event: 'approval_waiting', title }];
  }
  if (status !== 'refused') return [];
  const title = `A plan for ${subject} is refused: too much would change`;
  return [{ ...base, id: `plan:${id}`, event: 'threshold', title }];
}
