import { memberText, ownMember, referenceValue } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { JsonValue } from '../../ports/json.ts';
import type { RuleReference, RuleType } from '../../ports/rule-type.ts';
import { sealedName } from '../shared/rule-types/secrets.ts';
import { KeptSecrets } from './seal.ts';
import type { KeptTypeRow } from './table.ts';

/** The type that keeps the documents of a row. */
export function keptType({ ident, title, system, reason, noRule, named = 'name', ...row }: KeptTypeRow): RuleType {
  const declared = row.secrets ?? [];
  const secrets = new KeptSecrets(declared);
  const references = Object.entries(row.references ?? {});
  return {
    id: ident,
    aliases: [],
    title,
    description: `Kept as documents, without effect: they ${reason}.`,
    kept: { system, reason, ...(noRule && { noRule }) },
    keyedBy: named,
    // Elsewhere such a document may be without a name, or have the one that all of its type have.
    ...(named === 'name' ? {} : { nameOf: (document) => memberText(document, 'name') }),
    uniqueNames: row.repeats !== true,
    conditional: false,
    exportGroup: 'rules',
    secretMembers: declared.flatMap((member) => [member, sealedName(member)]),
    schema: { type: 'object' },
    check: () => [],
    prepare: (document, { seal }) => secrets.sealed(document, seal),
    holdsClearSecrets: (document) => secrets.isClear(document),
    references: (document) => references.flatMap(([path, type]) => referencesAt(document, path.split('.'), '', type)),
    // It is not known yet which hosts they would affect, and how.
    visible: (_document, { accounts, templates }) => accounts === null && templates === null,
  };
}

function referencesAt(
  value: JsonValue,
  names: readonly string[],
  path: string,
  type: string,
): readonly RuleReference[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue, index) => referencesAt(item, names, `${path}.${index}`, type));
  }
  const [name, ...rest] = names;
  if (name === undefined) {
    const target = referenceValue(value);
    return target === undefined || target === '' ? [] : [{ path, type, target }];
  }
  const member = isJsonObject(value) ? ownMember(value, name) : undefined;
  return member === undefined ? [] : referencesAt(member, rest, path === '' ? name : `${path}.${name}`, type);
}
