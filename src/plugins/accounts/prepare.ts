import { memberFlag, memberText, ownMember, scalarText } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { isSecretName } from '../../kit/masking/secret-names.ts';
import { holdsHttpSecret } from '../../kit/options/http-options.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RulePreparation } from '../../ports/rule-type.ts';
import { sealMember } from '../shared/rule-types/secrets.ts';
import { accountType } from './options-named.ts';

/** Clear secrets are encrypted and dropped, `typ` becomes `type`. */
export async function prepareAccount(
  document: RuleDocument,
  { seal, isSecretOption }: RulePreparation,
): Promise<RuleDocument> {
  const sealed = await sealMember(renameType(keepingEmptyCells(document)), 'password', 'password_crypted', (plain) =>
    seal(plain, 'password_crypted'),
  );
  const fields = ownMember(sealed, 'custom_fields');
  if (!Array.isArray(fields)) return sealed;
  const type = accountType(document);
  const isSecret = (name: string): boolean => isSecretName(name) || isSecretOption(type, name);
  const prepared: JsonValue[] = [];
  for (const [index, field] of fields.entries()) {
    const place = `custom_fields.${(isJsonObject(field) ? memberText(field, 'name') : '') || index}.value_crypted`;
    prepared.push(
      isJsonObject(field) ? await sealField(field, { isSecret, seal: (plain) => seal(plain, place) }) : field,
    );
  }
  return { ...sealed, custom_fields: prepared };
}

/**
 * Recognises exports of existing installations by an id together with `typ`, which ours never have. In those installations, an
 * empty cell of a CSV file gives no label, and rules depend on that.
 */
function keepingEmptyCells(document: RuleDocument): RuleDocument {
  const isExported = ownMember(document, '_id') !== undefined && memberText(document, 'type') === '';
  if (!isExported || memberText(document, 'typ') !== 'csv') return document;
  const fields = ownMember(document, 'custom_fields') ?? [];
  if (!Array.isArray(fields)) return document;
  if (fields.some((field) => isJsonObject(field) && memberText(field, 'name') === 'empty_cells')) return document;
  return { ...document, custom_fields: [...fields, { name: 'empty_cells', value: 'skip' }] };
}

/** Keeps the member's place, so that the document comes back as it was posted but for the name. */
function renameType(document: RuleDocument): RuleDocument {
  if (ownMember(document, 'typ') === undefined) return document;
  if (memberText(document, 'type') !== '') return withoutMember(document, 'typ');
  const rest = Object.entries(withoutMember(document, 'type'));
  return Object.fromEntries(rest.map(([name, value]) => [name === 'typ' ? 'type' : name, value]));
}

function withoutMember(document: RuleDocument, member: string): RuleDocument {
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== member));
}

interface FieldSealing {
  readonly isSecret: (name: string) => boolean;
  readonly seal: (plain: string) => Promise<string>;
}

async function sealField(field: JsonObject, { isSecret, seal }: FieldSealing): Promise<JsonObject> {
  const name = memberText(field, 'name');
  const value = ownMember(field, 'value');
  if (value === undefined || isStructure(value)) return field;
  const isNamed = (memberFlag(field, 'secret') || isSecret(name)) && !isMacro(value);
  if (!isNamed && !holdsHttpSecret(name, scalarText(value) ?? '')) return field;
  return sealMember(field, 'value', 'value_crypted', seal);
}

function isStructure(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

/** A macro refers to another account's field and is not a secret itself. */
function isMacro(value: JsonValue): boolean {
  return scalarText(value)?.includes('{{ACCOUNT:') ?? false;
}
