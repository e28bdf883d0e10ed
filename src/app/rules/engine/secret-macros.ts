import { isSecretName } from '../../../kit/masking/secret-names.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';

/**
 * `{{ACCOUNT:<account>:<field>}}` of a secret field puts the secret where others read it. So a document with one acts, whatever
 * its type: it counts when an administrator wrote or confirmed it.
 */
const MACRO = 'ACCOUNT:';
/**
 * Macros of fields that are not secret, whatever an account is made of. Braces and quotation marks decide where a macro ends, so
 * the macro of an account with one of them in its name cannot be recognized in the text.
 */
const OPEN_MACRO = /\{\{-?\s*ACCOUNT:[^{}'"]*:\s*(?:name|address|username)\s*-?\}\}/g;

/**
 * Returns what a document does through its macros, in words that follow "it". Which fields of accounts are sealed is not known
 * here.
 */
export function macroActs(document: JsonObject): readonly string[] {
  const found = new Set<string>();
  eachText(document, (text) => {
    for (const { account, field } of macrosIn(text)) {
      if (isSecretField(field)) found.add(`shows the ${field} of account ${account}`);
    }
  });
  return [...found];
}

/** Names of the accounts of which the document shows fields. */
export function macroAccounts(document: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  eachText(document, (text) => {
    for (const { account } of macrosIn(text)) found.add(account);
  });
  return found;
}

/** The fields of accounts that the document shows, as `<account>:<field>`. */
export function macroFields(document: JsonObject | string): ReadonlySet<string> {
  const found = new Set<string>();
  eachText(document, (text) => {
    for (const { account, field } of macrosIn(text)) found.add(`${account}:${field}`);
  });
  return found;
}

/** The document with every text empty that has a macro of a field which may be a secret; the same object when there is none. */
export function withoutSecretMacros(document: JsonObject): JsonObject {
  return withoutMacros(document) as JsonObject;
}

function withoutMacros(value: JsonValue): JsonValue {
  if (typeof value === 'string') return mayShowSecrets(value) ? '' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => withoutMacros(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let isChanged = false;
  const entries = Object.entries(value as JsonObject).map(([name, item]): [string, JsonValue] => {
    const without = withoutMacros(item);
    isChanged ||= without !== item;
    return [name, without];
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

function mayShowSecrets(text: string): boolean {
  return text.includes(MACRO) && text.replaceAll(OPEN_MACRO, '').includes(MACRO);
}

function isSecretField(field: string): boolean {
  return field === 'password' || isSecretName(field);
}

/** The last colon before the end of the macro separates, so that an account's name may hold one. */
function macrosIn(text: string): readonly { readonly account: string; readonly field: string }[] {
  if (!text.includes(MACRO)) return [];
  return text
    .split(MACRO)
    .slice(1)
    .map((rest) => (rest.split('}}', 1)[0] ?? '').replace(/-$/, ''))
    .map((macro) => {
      const colon = Math.max(macro.lastIndexOf(':'), 0);
      return { account: macro.slice(0, colon).trim(), field: macro.slice(colon + 1).trim() };
    });
}

function eachText(value: JsonValue, look: (text: string) => void): void {
  if (typeof value === 'string') look(value);
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) eachText(item as JsonValue, look);
  }
}
