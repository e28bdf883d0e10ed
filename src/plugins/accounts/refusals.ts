import { memberFlag, memberObjects, memberReference, memberText, ownMember } from '../../kit/document/members.ts';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleWriter } from '../../ports/rule-type.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';

/**
 * Returns why a writer must not save an account: users restricted to accounts write only those, and none of these may gain reach:
 * not over other accounts' hosts, not to another parent's settings, and a secret that the writer did not provide is not sent to a
 * new address.
 */
export function accountRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  return [
    ...renameRefusals(document, existing, writer),
    ...scopeRefusals(document, existing, writer),
    ...secretRefusals(document, existing, writer),
    ...macroRefusals(document, existing, writer),
  ];
}

/** Users, tokens and mappings may name the accounts that they are restricted to, and reach the account that has such a name. */
function renameRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  { accounts, globalAdmin, roles }: RuleWriter,
): readonly ErrorDetail[] {
  const isRenamed = existing !== undefined && memberText(document, 'name') !== memberText(existing, 'name');
  return isRenamed && accounts === null && !globalAdmin && !roles.includes('all')
    ? [{ path: 'name', message: phrase`only an administrator gives an account another name` }]
    : [];
}

function scopeRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  { accounts }: RuleWriter,
): readonly ErrorDetail[] {
  if (accounts === null) return [];
  const names = new Set([memberText(document, 'name'), ...(existing ? [memberText(existing, 'name')] : [])]);
  for (const name of names) {
    if (!accounts.includes(name)) return [detailOf('name', worded`account ${{ name }} is outside of your accounts`)];
  }
  const refusals: ErrorDetail[] = [];
  if (memberFlag(document, 'is_master') && !(existing && memberFlag(existing, 'is_master'))) {
    refusals.push({
      path: 'is_master',
      message: phrase`a master account takes over hosts of accounts that are not yours`,
    });
  }
  const parent = memberReference(document, 'parent');
  const known = existing && memberReference(existing, 'parent');
  if (parent !== undefined && parent !== known && !accounts.includes(parent)) {
    refusals.push(detailOf('parent', worded`account ${{ name: parent }} is outside of your accounts`));
  }
  return refusals;
}

/** Exports show encrypted secrets; with an address of one's own they would be sent there in clear. */
function secretRefusals(
  document: RuleDocument,
  existing: RuleDocument | undefined,
  writer: RuleWriter,
): readonly ErrorDetail[] {
  if (writer.accounts === null && (writer.globalAdmin || readsSecrets(writer))) return [];
  const moves = movesTarget(document, existing);
  const stored = new Set(existing === undefined ? [] : sealedTexts(existing).map(({ text }) => text));
  return sealedTexts(document)
    .filter(({ text }) => moves || !stored.has(text))
    .map(({ path }) => ({
      path,
      message: phrase`an encrypted secret cannot be taken from elsewhere or sent to a new address; give it in clear text, or ask an administrator`,
    }));
}

/** These roles show accounts with their secrets in clear anyway. */
function readsSecrets({ roles }: RuleWriter): boolean {
  return roles.includes('all') || roles.includes('mcp');
}

function movesTarget(document: RuleDocument, existing: RuleDocument | undefined): boolean {
  if (existing === undefined) return true;
  const typeOf = (account: RuleDocument) => memberText(account, 'type') || memberText(account, 'typ');
  if (typeOf(document) !== typeOf(existing)) return true;
  if (memberText(document, 'address') !== memberText(existing, 'address')) return true;
  return plainFields(document) !== plainFields(existing);
}

interface SealedText {
  readonly path: string;
  readonly text: string;
}

function plainFields(document: RuleDocument): string {
  const fields = memberObjects(document, 'custom_fields').flatMap((field): [string, JsonValue][] => {
    const value = ownMember(field, 'value');
    return value === undefined ? [] : [[memberText(field, 'name'), value]];
  });
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sealedTexts(document: RuleDocument): readonly SealedText[] {
  const found: SealedText[] = [];
  const password = memberText(document, 'password_crypted');
  if (password !== '' && memberText(document, 'password') === '')
    found.push({ path: 'password_crypted', text: password });
  for (const [index, field] of memberObjects(document, 'custom_fields').entries()) {
    const text = memberText(field, 'value_crypted');
    if (text !== '') found.push({ path: `custom_fields.${index}.value_crypted`, text });
  }
  return found;
}
