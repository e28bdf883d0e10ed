import { detailOf, worded } from '../../../kit/worded.ts';
import type { ErrorDetail } from '../../../ports/errors.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleWriter } from '../../../ports/rule-type.ts';

/**
 * An account macro reveals an account's password. Users restricted to accounts may only write macros of those; macros already in
 * the stored document may stay.
 */
export function macroRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  { accounts }: RuleWriter,
): readonly ErrorDetail[] {
  if (accounts === null) return [];
  const known = new Set(existing === undefined ? [] : macrosOf(existing).map(({ account }) => account));
  return macrosOf(document)
    .filter(({ account }) => !accounts.includes(account) && !known.has(account))
    .map(({ path, account }) => detailOf(path, worded`account ${{ name: account }} is outside of your accounts`));
}

interface FoundMacro {
  readonly path: string;
  readonly account: string;
}

function macrosOf(value: JsonValue, path = ''): readonly FoundMacro[] {
  if (typeof value === 'string') {
    return accountsIn(value).map((account) => ({ path, account }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => macrosOf(item, path === '' ? name : `${path}.${name}`));
}

/** The last colon before the end of the macro separates, so that an account's name may hold one. */
function accountsIn(text: string): readonly string[] {
  if (!text.includes('ACCOUNT:')) return [];
  return text
    .split('ACCOUNT:')
    .slice(1)
    .map((rest) => rest.split('}}', 1)[0] ?? '')
    .map((macro) => macro.slice(0, Math.max(macro.lastIndexOf(':'), 0)).trim());
}
