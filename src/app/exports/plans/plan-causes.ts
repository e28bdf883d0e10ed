import { createHash } from 'node:crypto';
import { worded } from '../../../kit/worded.ts';
import { AppError, type Plan, type RuleRecord } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import { actingRecords } from '../../rules/trust/held-versions.ts';
import type { RunServices } from '../../runs/services.ts';

/**
 * Of which documents a plan was made: the account, the one that it inherits from, and the rules of its type of targets. What another user approves
 * is a plan for that system and by these rules, so it is good for no other.
 */
export async function documentsOfPlan(
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
