import { memberFlag, memberList, memberText, referenceValue } from '../../../kit/document/members.ts';
import type { RuleDocument, RuleRecord, Wording } from '../../../ports/index.ts';

/** The rights that people of a group have here. */
export interface GroupMapping {
  readonly name: string;
  /** Names or ids of the accounts by which people log in; empty: any. */
  readonly methods: readonly string[];
  readonly groups: readonly string[];
  readonly rights: MappedRights;
  /** Why it decides nothing, and neither does any later one for people of its groups. */
  readonly undecided?: Wording;
}

/** Members of a user's document. */
export interface MappedRights {
  readonly api_roles: readonly string[];
  readonly global_admin: boolean;
  readonly readonly: boolean;
  readonly restrict_to_accounts: readonly string[];
  readonly restrict_to_templates: readonly string[];
}

/** The rights of a user whom none of their groups lets in. */
export const NO_RIGHTS: MappedRights = {
  api_roles: [],
  global_admin: false,
  readonly: true,
  restrict_to_accounts: [],
  restrict_to_templates: [],
};

/** `undefined` for a mapping that is switched off. */
export function readMapping({ name, document }: Pick<RuleRecord, 'name' | 'document'>): GroupMapping | undefined {
  const mapping = document.value;
  if (!memberFlag(mapping, 'enabled')) return undefined;
  return {
    name,
    methods: referencesIn(mapping, 'methods'),
    groups: [...textsIn(mapping, 'groups'), memberText(mapping, 'groups')].filter((group) => group !== ''),
    rights: {
      api_roles: textsIn(mapping, 'api_roles'),
      global_admin: memberFlag(mapping, 'global_admin'),
      readonly: memberFlag(mapping, 'readonly'),
      restrict_to_accounts: referencesIn(mapping, 'restrict_to_accounts'),
      restrict_to_templates: referencesIn(mapping, 'restrict_to_templates'),
    },
  };
}

/** A person who wants to log in, and the method. */
export interface MappedPerson {
  readonly method: { readonly id: string; readonly name: string };
  readonly groups: readonly string[];
  sameGroup(a: string, b: string): boolean;
}

/**
 * The first mapping in their order that names a group of the person. One decides, and not several together: the roles of one and the accounts of
 * another would be more than either gives. `undefined`: no group lets the person in.
 */
export function mappingOf(mappings: readonly GroupMapping[], person: MappedPerson): GroupMapping | undefined {
  return mappings.find(
    ({ methods, groups }) =>
      (methods.length === 0 || methods.includes(person.method.name) || methods.includes(person.method.id)) &&
      groups.some((group) => person.groups.some((own) => person.sameGroup(group, own))),
  );
}

function textsIn(document: RuleDocument, member: string): readonly string[] {
  return memberList(document, member).filter((item): item is string => typeof item === 'string' && item !== '');
}

function referencesIn(document: RuleDocument, member: string): readonly string[] {
  return memberList(document, member).flatMap((item) => referenceValue(item) ?? []);
}
