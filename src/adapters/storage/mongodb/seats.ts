import { seatsGivenBack } from '../../../app/hosts/decisions/folder-seats.ts';
import type { Actor } from '../../../ports/index.ts';
import type { HostDoc, SeatDebt } from './documents.ts';
import { changeRules } from './rule-journal.ts';
import type { RuleStep } from './rule-plan-documents.ts';
import type { Context } from './session.ts';

/**
 * Books given-up seats on their pools. A host that goes notes the seat as a debt in the same write; here debts and pools
 * are brought together under the lease of rule changes, whose plan names both, so that a seat is booked exactly once
 * wherever a writer dies. Debts that one left are settled by the next call, by `start` and by `check`.
 */
export async function settleSeats(context: Context): Promise<number> {
  return changeRules(context, async () => {
    const indebted = await context.database.hosts
      .find({ 'debts.id': { $exists: true } }, { projection: { debts: 1 } })
      .toArray();
    const debts = indebted.flatMap((host) => (host.debts ?? []).map((debt) => ({ hostname: host._id, debt })));
    const steps = await poolSteps(context, debts);
    const paid = debts.map(({ hostname, debt }) => ({ hostname, id: debt.id }));
    return { answer: debts.length, steps, paid };
  });
}

async function poolSteps(
  context: Context,
  debts: readonly { readonly hostname: string; readonly debt: SeatDebt }[],
): Promise<RuleStep[]> {
  if (debts.length === 0) return [];
  const effect = seatsGivenBack(debts.map(({ debt }) => debt.folder));
  const last = debts.at(-1)?.debt as { readonly at: Date; readonly actor: Actor };
  const steps: RuleStep[] = [];
  for await (const rule of context.database.rules.find({ type: effect.type })) {
    const document = effect.change(rule.document);
    if (document === undefined) continue;
    steps.push({
      change: 'replaced',
      doc: { ...rule, document, version: rule.version + 1, changedAt: last.at },
      expected: rule.version,
      at: last.at,
      actor: last.actor.name,
    });
  }
  return steps;
}

/** True when some host owes a seat. */
export async function owesSeats(context: Context): Promise<boolean> {
  const filter = { 'debts.id': { $exists: true } };
  const doc: Pick<HostDoc, '_id'> | null = await context.database.hosts.findOne(filter, { projection: { _id: 1 } });
  return doc !== null;
}
