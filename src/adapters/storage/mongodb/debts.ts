import { ObjectId } from 'mongodb';
import { type RuleEffect, ruleChangesOf } from '../../../app/hosts/decisions/folder-seats.ts';
import type { DebtDoc, HostDoc } from './documents.ts';
import { changeRules } from './rule-journal.ts';
import type { RuleStep } from './rule-plan-documents.ts';
import type { Context } from './session.ts';

/** An effect on rules, noted with its host until it is done. */
export function debtOf({ name, subject, at, actor }: RuleEffect): DebtDoc {
  return { id: new ObjectId(), effect: name, folder: subject, at, actor: { kind: actor.kind, name: actor.name } };
}

/**
 * Does to rules what changes of hosts owe them. A change notes it as a debt in the same write; here debts and rules are
 * brought together under the lease of rule changes, whose plan names both, so that each is done exactly once wherever a
 * writer dies. Debts that one left are settled by the next call, by `start` and by `check`.
 */
export async function settleDebts(context: Context): Promise<number> {
  return changeRules(context, async () => {
    const indebted = await context.database.hosts
      .find({ 'debts.id': { $exists: true } }, { projection: { debts: 1 } })
      .toArray();
    const debts = indebted.flatMap((host) => (host.debts ?? []).map((debt) => ({ hostname: host._id, debt })));
    const steps = await stepsOf(
      context,
      debts.map(({ debt }) => debt),
    );
    const paid = debts.map(({ hostname, debt }) => ({ hostname, id: debt.id }));
    return { answer: debts.length, steps, paid };
  });
}

async function stepsOf(context: Context, debts: readonly DebtDoc[]): Promise<RuleStep[]> {
  const last = debts.at(-1);
  if (last === undefined) return [];
  const effects = debts.map(({ effect = 'seat_given_back', folder }) => ({ name: effect, subject: folder }) as const);
  const steps: RuleStep[] = [];
  for (const { type, change } of ruleChangesOf(effects)) {
    for await (const rule of context.database.rules.find({ type })) {
      const document = change(rule.document);
      if (document === undefined) continue;
      steps.push({
        change: 'replaced',
        doc: { ...rule, document, version: rule.version + 1, changedAt: last.at },
        expected: rule.version,
        at: last.at,
        actor: last.actor.name,
      });
    }
  }
  return steps;
}

/** True when some host owes something. */
export async function hasDebts(context: Context): Promise<boolean> {
  const filter = { 'debts.id': { $exists: true } };
  const doc: Pick<HostDoc, '_id'> | null = await context.database.hosts.findOne(filter, { projection: { _id: 1 } });
  return doc !== null;
}
