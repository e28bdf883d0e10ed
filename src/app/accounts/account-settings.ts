import { memberFlag, memberObjects, memberReference, memberText } from '../../kit/document/members.ts';
import { detailOf, saidAt, worded } from '../../kit/worded.ts';
import { AppError, type JsonObject, type JsonValue, type RuleDocument } from '../../ports/index.ts';
import type { AccountServices } from './services.ts';

/** Settings that are members of the document itself; all others are options of the type. */
const TEXT_MEMBERS = new Set(['address', 'username', 'parent', 'object_type']);
const FLAG_MEMBERS = new Set(['is_master', 'is_child', 'is_object', 'check_for_valid_hostname', 'require_fqdn']);

export type AccountSettings = Readonly<Record<string, string>>;

/** The document with settings laid over it; an empty text takes an option away, under whichever of its names it is stored. */
export function withSettings(
  document: RuleDocument,
  settings: AccountSettings,
  aliases: ReadonlyMap<string, string> = new Map(),
): RuleDocument {
  const members: Record<string, JsonValue> = {};
  const fields = new Map<string, JsonObject>(
    memberObjects(document, 'custom_fields').map((field) => [memberText(field, 'name'), field]),
  );
  const nameOf = (name: string): string => aliases.get(name) ?? name;
  for (const [name, value] of Object.entries(settings)) {
    for (const stored of fields.keys()) if (stored !== name && nameOf(stored) === nameOf(name)) fields.delete(stored);
    if (TEXT_MEMBERS.has(name)) members[name] = value;
    else if (FLAG_MEMBERS.has(name)) {
      members[name] = ['true', '1', 'yes', 'on'].includes(value.toLowerCase());
      // An option of the same name would say otherwise, and options win.
      fields.delete(name);
    } else if (value === '') fields.delete(name);
    else fields.set(name, { name, value });
  }
  return { ...document, ...members, custom_fields: [...fields.values()] };
}

/** Names that the reference of the password has among references of options. */
const PASSWORD = 'password';

/**
 * Returns the document with references to secrets applied, by `password` or name of option; an empty one removes the reference. A
 * reference replaces the value that was stored here.
 */
export function withReferences(
  document: RuleDocument,
  references: AccountSettings,
  aliases: ReadonlyMap<string, string> = new Map(),
): RuleDocument {
  const { [PASSWORD]: password, ...options } = references;
  let { custom_fields: _, ...members } = document;
  if (password !== undefined) {
    const { password_from: _from, ...others } = members;
    const { password: _clear, password_crypted: _sealed, ...bare } = others;
    members = password === '' ? others : { ...bare, password_from: password };
  }
  const nameOf = (name: string): string => aliases.get(name) ?? name;
  const named = new Map(Object.entries(options).map(([name, from]) => [nameOf(name), from]));
  const kept = memberObjects(document, 'custom_fields').filter((field) => {
    const from = named.get(nameOf(memberText(field, 'name')));
    return from === undefined || (from === '' && memberText(field, 'value_from') === '');
  });
  const added = Object.entries(options).flatMap(([name, from]) => (from === '' ? [] : [{ name, value_from: from }]));
  return { ...members, custom_fields: [...kept, ...added] };
}

/** Throws `AppError('invalid_input')` for references that cannot be asked for. */
export function checkReferences({ secretReferences }: AccountServices, references: AccountSettings): void {
  const details = Object.entries(references).flatMap(([name, reference]) => {
    const problem = reference === '' ? undefined : secretReferences.problem(reference);
    return problem === undefined ? [] : [detailOf(`secrets_from.${name}`, problem)];
  });
  const [first] = details;
  if (first === undefined) return;
  throw new AppError(
    'invalid_input',
    worded`the reference for ${{ name: first.path.slice('secrets_from.'.length) }}: ${{ problem: saidAt(first) }}`,
    { details },
  );
}

/** The options of a document and, below them, those of its parent. */
export async function effectiveOptions(
  services: AccountServices,
  document: RuleDocument,
): Promise<Record<string, string>> {
  const own = optionsOf(document);
  const reference = memberFlag(document, 'is_child') ? memberReference(document, 'parent') : undefined;
  if (reference === undefined) return own;
  const parent = (await services.accounts.byName(reference)) ?? (await services.accounts.byId(reference));
  return parent === undefined ? own : { ...optionsOf(parent.record.document.value), ...own };
}

/** As texts, for checking; sealed ones stand for themselves. */
export function optionsOf(document: RuleDocument): Record<string, string> {
  return Object.fromEntries(
    memberObjects(document, 'custom_fields').map((field) => [
      memberText(field, 'name'),
      memberText(field, 'value') || memberText(field, 'value_crypted') || memberText(field, 'value_from'),
    ]),
  );
}
