import { memberText } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { TargetRecord, WantedObject } from '../../../ports/index.ts';

export const KIND = 'object';
/** The attribute that identifies an object, as its type names it. */
export const NAME = 'Name';
/** Between the number of a type and the name of an object. */
export const FAMILY = '|';

/** An object of each type that rules give attributes of. It has the name of its host, unless they say another one. */
export function wantedObjects({ hostname, outcomes }: TargetRecord): readonly WantedObject[] {
  const types = new Map<string, { attributes: Map<string, string>; rule: string }>();
  for (const { rule, value } of outcomes.jira_export ?? []) {
    if (!isJsonObject(value)) continue;
    const type = memberText(value, 'type');
    const known = types.get(type) ?? { attributes: new Map(), rule: rule.id };
    known.attributes.set(memberText(value, 'attribute'), memberText(value, 'value'));
    types.set(type, { ...known, rule: rule.id });
  }
  return [...types].map(([type, { attributes, rule }]) => {
    const name = attributes.get(NAME) ?? hostname;
    attributes.delete(NAME);
    return {
      kind: KIND,
      key: `${type}${FAMILY}${name}`,
      fields: { attributes: Object.fromEntries(attributes) },
      rule,
    };
  });
}

/** The number of the type, and the name. */
export function partsOfKey(key: string): { readonly type: string; readonly name: string } {
  const at = key.indexOf(FAMILY);
  return { type: key.slice(0, at), name: key.slice(at + FAMILY.length) };
}
