import type { JsonObject, JsonValue } from '../../ports/json.ts';
import { type AnsibleLabelsMode, isReservedMember, withheldReason } from './ansible-names.ts';
import { identifierOf, type NameMode } from './variable-names.ts';

export interface ServedNames {
  readonly names: NameMode;
  readonly ansibleLabels: AnsibleLabelsMode;
}

export type OnWithheld = (name: string, reason: string) => void;

const PART = 'ansible_';
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const UNDERSCORE = 0x5f;
/** Served in every mode. */
const GROUPS_MEMBER = 'ansible_groups"';
/** Members that every mode except `drop` serves unchanged. */
const HARMLESS_MEMBER =
  /"ansible_(?:host":"[A-Za-z0-9_:.][A-Za-z0-9_:.-]{0,254}"|port":[1-9]\d{0,3}[,}]|user":"[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,254}"|network_os":"[A-Za-z_][A-Za-z0-9_]{0,99}")/y;

/**
 * Whether a host's variables, as plainly written JSON, may hold one that is not served. Most hosts have none, and are
 * served without being parsed. May be true for one whose variables are all served.
 */
export function needsLook(json: string, vouched: readonly string[], mode: AnsibleLabelsMode): boolean {
  for (let at = json.indexOf(PART); at >= 0; at = json.indexOf(PART, at + PART.length)) {
    const before = json.charCodeAt(at - 1);
    if (before === QUOTE) {
      if (mode === 'serve' || json.startsWith(GROUPS_MEMBER, at)) continue;
      if ((mode !== 'drop' && isHarmlessMember(json, at - 1)) || isVouched(json, at, vouched)) continue;
      return true;
    }
    if (before === APOSTROPHE) return true;
    if (before !== UNDERSCORE) continue;
    let start = at - 1;
    while (json.charCodeAt(start - 1) === UNDERSCORE) start--;
    if (json.charCodeAt(start - 1) === QUOTE) return true;
  }
  return false;
}

function isHarmlessMember(json: string, at: number): boolean {
  HARMLESS_MEMBER.lastIndex = at;
  return HARMLESS_MEMBER.test(json);
}

/** Values of what says where a host is are looked at even then. */
const PLACE = /ansible_(?:host|user)"/y;

function isVouched(json: string, at: number, vouched: readonly string[]): boolean {
  PLACE.lastIndex = at;
  if (PLACE.test(json)) return false;
  return vouched.some((name) => json.startsWith(name, at) && json.charCodeAt(at + name.length) === QUOTE);
}

/** The variables that a consumer gets; the very same object when all of them are served. */
export function servedVariables(
  variables: JsonObject,
  vouched: readonly string[],
  { names, ansibleLabels }: ServedNames,
  withheld: OnWithheld,
): JsonObject {
  let changed = false;
  const served: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(variables)) {
    const consumed = names === 'identifier' ? identifierOf(name) : name;
    const reason = withheldReason(consumed, value, ansibleLabels, vouched.includes(name));
    if (reason !== undefined) {
      withheld(name, reason);
      changed = true;
      continue;
    }
    if (isTooDeep(value, DEEPEST)) {
      withheld(name, TOO_DEEP);
      changed = true;
      continue;
    }
    const kept = withoutReservedMembers(value, withheld);
    changed ||= kept !== value;
    served.push([name, kept]);
  }
  return changed ? Object.fromEntries(served) : variables;
}

/** The value without members that a consumer reads as marks of its own, at any depth; the very same one when it has none. */
function withoutReservedMembers(value: JsonValue, withheld: OnWithheld): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const items = value.map((item) => withoutReservedMembers(item, withheld));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const members: [string, JsonValue][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (isReservedMember(name)) {
      withheld(name, withheldReason(name, null, 'serve', false) ?? '');
      changed = true;
      continue;
    }
    const kept = withoutReservedMembers(item, withheld);
    changed ||= kept !== item;
    members.push([name, kept]);
  }
  return changed ? Object.fromEntries(members) : value;
}

/** ansible-core 2.19 refuses the whole inventory for one value of about 190 levels; stored hosts have 24 at most. */
const DEEPEST = 100;
const TOO_DEEP = `it is nested deeper than ${DEEPEST} levels, for which Ansible refuses the whole inventory`;

function isTooDeep(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
