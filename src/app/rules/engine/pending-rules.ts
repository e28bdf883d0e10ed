import { memberText } from '../../../kit/document/members.ts';
import type { WaitingRule } from '../../../ports/inventory-provider.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { ProgramInput } from './program-input.ts';
import { macroAccounts, macroActs } from './secret-macros.ts';
import type { SelectedRules } from './selected-rules.ts';

/** Returns the rules of an inventory that wait. Rules about playbooks are not part of an inventory, and wait by themselves. */
export function pendingRules(
  { type, stage, documents }: SelectedRules,
  unconfirmed: ReadonlySet<JsonObject>,
  accounts: ReadonlySet<string>,
): WaitingRule[] {
  if (stage === 'playbooks') return [];
  return documents.flatMap((document): WaitingRule[] => {
    const shown = unconfirmed.has(document) ? [] : shownOf(document, accounts);
    if (!unconfirmed.has(document) && shown.length === 0) return [];
    if ((type.acts?.(document) ?? []).length === 0 && macroActs(document).length === 0) return [];
    return unconfirmed.has(document)
      ? [{ type: type.id, name: memberText(document, type.keyedBy) }]
      : shown.map((name) => ({ type: 'accounts', name }));
  });
}

export function unconfirmedAccounts({ accounts }: ProgramInput): ReadonlySet<string> {
  return new Set(accounts.filter(({ unconfirmed }) => unconfirmed === true).map(({ name }) => name));
}

/** Returns those accounts whose fields the document shows: what is made of them is data, regardless of its author. */
export function shownOf(document: JsonObject, accounts: ReadonlySet<string>): readonly string[] {
  return accounts.size === 0 ? [] : [...macroAccounts(document)].filter((name) => accounts.has(name));
}
