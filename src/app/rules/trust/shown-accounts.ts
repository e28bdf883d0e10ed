import type { RuleRecord } from '../../../ports/index.ts';
import { macroAccounts } from '../engine/secret-macros.ts';

/** Texts with neither show no account's field: JSON may also write a letter as its number. */
const MACRO = 'ACCOUNT:';
const ESCAPE = '\\u';

/** Whether a document may show fields of accounts, without a look at what is in it. */
export function mayShowAccounts({ document }: Pick<RuleRecord, 'document'>): boolean {
  return document.text.includes(MACRO) || document.text.includes(ESCAPE);
}

/** Returns those accounts whose fields the document shows: what is made of them is data, regardless of the document's author. */
export function shownAccounts(record: Pick<RuleRecord, 'document'>, accounts: ReadonlySet<string>): readonly string[] {
  if (accounts.size === 0 || !mayShowAccounts(record)) return [];
  return [...macroAccounts(record.document.value)].filter((name) => accounts.has(name));
}
