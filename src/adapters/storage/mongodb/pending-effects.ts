import { ObjectId } from 'mongodb';
import { type RuleEffect, ruleChangesOf } from '../../../app/hosts/decisions/folder-seats.ts';
import { AN_ANSWER } from './document-reader.ts';
import type { HostDoc, PendingEffectDoc } from './documents.ts';
import { changeRules } from './rule-journal.ts';
import type { RuleStep } from './rule-plan-documents.ts';
import { rulesByName } from './rule-reads.ts';
import type { Context } from './session.ts';

/** An effect on rules, noted with its host until it is done; the member of the document is called `debts`. */
export function pendingEffectOf({ name, subject, at, actor }: RuleEffect): PendingEffectDoc {
  return { id: new ObjectId(), effect: name, folder: subject, at, actor: { kind: actor.kind, name: actor.name } };
}

/** Hosts whose pending effects one change of rules applies: they come in one answer, and the change names each. */
const HOSTS_AT_ONCE = 500;

/**
 * Applies the effects that changes of hosts have on rules. A change notes its effect in the same write; here effects and rules
 * are brought together under the lease of rule changes, whose plan names both, so that each is applied exactly once wherever a
 * writer dies. Effects that one left are applied by the next call, by `start` and by `check`.
 */
export async function applyPendingEffects(context: Context): Promise<void> {
  while ((await applySome(context)) === HOSTS_AT_ONCE);
}

/** How many hosts had pending effects. */
function applySome(context: Context): Promise<number> {
  return changeRules(context, async () => {
    const options = { projection: { debts: 1 }, limit: HOSTS_AT_ONCE, batchSize: HOSTS_AT_ONCE };
    const hosts = await context.database.hosts.find({ 'debts.id': { $exists: true } }, options).toArray();
    const pending = hosts.flatMap((host) => (host.debts ?? []).map((effect) => ({ hostname: host._id, effect })));
    const steps = await stepsOf(
      context,
      pending.map(({ effect }) => effect),
    );
    const paid = pending.map(({ hostname, effect }) => ({ hostname, id: effect.id }));
    return { answer: hosts.length, steps, paid };
  });
}

async function stepsOf(context: Context, pending: readonly PendingEffectDoc[]): Promise<RuleStep[]> {
  const last = pending.at(-1);
  if (last === undefined) return [];
  const effects = pending.map(({ effect = 'seat_given_back', folder }) => ({ name: effect, subject: folder }) as const);
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

/** Whether a host has pending effects. */
export async function hasPendingEffects(context: Context): Promise<boolean> {
  const filter = { 'debts.id': { $exists: true } };
  const doc: Pick<HostDoc, '_id'> | null = await context.database.hosts.findOne(filter, { projection: { _id: 1 } });
  return doc !== null;
}
