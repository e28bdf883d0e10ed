import { ObjectId } from 'mongodb';
import { type RuleEffect, ruleChangesOf } from '../../../app/hosts/decisions/folder-seats.ts';
import { AN_ANSWER } from './document-reader.ts';
import type { DebtDoc, HostDoc } from './documents.ts';
import { changeRules } from './rule-journal.ts';
import type { RuleStep } from './rule-plan-documents.ts';
import { rulesByName } from './rule-reads.ts';
import type { Context } from './session.ts';

/** An effect on rules, noted with its host until it is done. */
export function debtOf({ name, subject, at, actor }: RuleEffect): DebtDoc {
  return { id: new ObjectId(), effect: name, folder: subject, at, actor: { kind: actor.kind, name: actor.name } };
}

/** Hosts whose debts one change of rules settles: they come in one answer, and the change names each. */
const HOSTS_AT_ONCE = 500;

/**
 * Does to rules what changes of hosts owe them. A change notes it as a debt in the same write; here debts and rules are
 * brought together under the lease of rule changes, whose plan names both, so that each is done exactly once wherever a
 * writer dies. Debts that one left are settled by the next call, by `start` and by `check`.
 */
export async function settleDebts(context: Context): Promise<void> {
  while ((await settleSome(context)) === HOSTS_AT_ONCE);
}

/** How many hosts owed something. */
function settleSome(context: Context): Promise<number> {
  return changeRules(context, async () => {
    const options = { projection: { debts: 1 }, limit: HOSTS_AT_ONCE, batchSize: HOSTS_AT_ONCE };
    const indebted = await context.database.hosts.find({ 'debts.id': { $exists: true } }, options).toArray();
    const debts = indebted.flatMap((host) => (host.debts ?? []).map((debt) => ({ hostname: host._id, debt })));
    const steps = await stepsOf(
      context,
      debts.map(({ debt }) => debt),
    );
    const paid = debts.map(({ hostname, debt }) => ({ hostname, id: debt.id }));
    return { answer: indebted.length, steps, paid };
  });
}

async function stepsOf(context: Context, debts: readonly DebtDoc[]): Promise<RuleStep[]> {
  const last = debts.at(-1);
  if (last === undefined) return [];
  const effects = debts.map(({ effect = 'seat_given_back', folder }) => ({ name: effect, subject: folder }) as const);
  const steps: RuleStep[] = [];
  for (const { type, change } of ruleChangesOf(effects)) {
    for await (const rules of rulesByName(context.database, type).batches(AN_ANSWER)) {
      for (const rule of rules) {
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
  }
  return steps;
}

/** True when some host owes something. */
export async function hasDebts(context: Context): Promise<boolean> {
  const filter = { 'debts.id': { $exists: true } };
  const doc: Pick<HostDoc, '_id'> | null = await context.database.hosts.findOne(filter, { projection: { _id: 1 } });
  return doc !== null;
}
