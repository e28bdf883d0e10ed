import {
  memberFlag,
  memberObjects,
  memberReference,
  memberText,
  ownMember,
  referenceValue,
  scalarText,
} from '../../kit/document/members.ts';
import type {
  EvaluatedHost,
  HostRecord,
  InventoryGroup,
  InventoryRequest,
  InventoryRule,
  ProviderServices,
} from '../../ports/index.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import { withoutMarks } from '../shared/rule-types/unsafe-texts.ts';

const TYPE = 'automation_groups';
const BATCH_SIZE = 250;
const DEFAULT_PROJECT = 'Default';

type Services = Pick<ProviderServices, 'rules' | 'hosts'>;

/** The enabled documents about groups of a project, or of none. */
async function documentsOf({ rules }: Services, project: string | null): Promise<readonly JsonObject[]> {
  const documents = await rules.enabled(TYPE);
  if (documents.length === 0) return documents;
  const ids = new Map<string, string>();
  for (const each of await rules.all('automation_projects')) {
    const id = referenceValue(ownMember(each, '_id'));
    if (id !== undefined) ids.set(id, memberText(each, 'name'));
  }
  return documents.filter((document) => {
    const reference = memberReference(document, 'project') ?? DEFAULT_PROJECT;
    return (ids.get(reference) ?? reference) === (project ?? DEFAULT_PROJECT);
  });
}

/** The documents that wait for an administrator. */
export async function pendingGroups(services: Services, project: string | null) {
  const documents = await documentsOf(services, project);
  return documents.length === 0 ? [] : services.rules.waiting(TYPE, documents);
}

/** The rule by which hosts are in the groups that their label `groups` names, because groups are objects; `undefined` when there is none. */
export async function labelGroupsRule(services: Services, project: string | null): Promise<InventoryRule | undefined> {
  const documents = await documentsOf(services, project);
  const found = documents.find((each) =>
    memberObjects(each, 'outcomes').some((outcome) => memberText(outcome, 'from_objects') !== ''),
  );
  return found === undefined ? undefined : ruleOf(found);
}

/** A host in the groups of its label too. */
export function inLabelGroups(host: EvaluatedHost, record: HostRecord): EvaluatedHost {
  const named = labelGroups(record);
  return named.length === 0 ? host : { ...host, groups: [...new Set([...host.groups, ...named])] };
}

/** The groups that the label of a host names. */
export function labelGroups({ labels }: HostRecord): readonly string[] {
  return namesOf(labels.value.groups).filter((group) => group !== 'all' && group !== '_meta');
}

function ruleOf(document: JsonObject): InventoryRule {
  return { type: TYPE, id: referenceValue(ownMember(document, '_id')) ?? '', name: memberText(document, 'name') };
}

/** Returns the groups of an inventory that rules define. Objects are limited to those that the caller may access. */
export async function groupsOf(
  services: Services,
  project: string | null,
  request: InventoryRequest,
): Promise<readonly InventoryGroup[]> {
  const groups: InventoryGroup[] = [];
  for (const document of await documentsOf(services, project)) {
    const isConfirmed = services.rules.isConfirmed(document);
    const rule = ruleOf(document);
    for (const outcome of memberObjects(document, 'outcomes')) {
      const type = memberText(outcome, 'from_objects');
      const made =
        type === ''
          ? [named(outcome, isConfirmed)]
          : await fromObjects(services, outcome, { type, isConfirmed, request });
      for (const group of made) groups.push({ ...group, rule });
    }
  }
  return groups;
}

function named(outcome: JsonObject, isConfirmed: boolean): InventoryGroup {
  const variables: [string, JsonValue][] = [];
  const expressions: [string, JsonValue][] = [];
  for (const each of memberObjects(outcome, 'group_variables')) {
    const entry: [string, JsonValue] = [memberText(each, 'variable_name'), ownMember(each, 'variable_value') ?? ''];
    if (!memberFlag(each, 'expression')) variables.push(entry);
    else if (isConfirmed) expressions.push(entry);
  }
  return {
    name: memberText(outcome, 'group_name').trim(),
    parents: namesIn(outcome, 'parent_groups'),
    children: namesIn(outcome, 'child_groups'),
    variables: Object.fromEntries(variables),
    ...(expressions.length > 0 && { expressions: Object.fromEntries(expressions) }),
    vouched: isConfirmed ? variables.map(([name]) => name) : [],
  };
}

interface Objects {
  readonly type: string;
  readonly isConfirmed: boolean;
  readonly request: InventoryRequest;
}

async function fromObjects(
  { hosts }: Services,
  outcome: JsonObject,
  { type, isConfirmed, request }: Objects,
): Promise<readonly InventoryGroup[]> {
  const groups: InventoryGroup[] = [];
  const evaluated = memberFlag(outcome, 'expression');
  const section = memberText(outcome, 'section');
  const { scope } = request;
  for await (const batch of hosts.scan({ scope, kind: 'objects', state: 'active' }, BATCH_SIZE, request)) {
    for (const object of batch) {
      if (object.objectType !== type) continue;
      const { name, parents, variables } = readObject(object, section);
      const own = Object.entries(variables).map(([key, value]) => [key, withoutMarks(value as JsonValue, evaluated)]);
      const common = { name, parents, children: [] };
      if (!evaluated) groups.push({ ...common, variables: Object.fromEntries(own) });
      // Unconfirmed expressions are not evaluated, and serving them as text would change their meaning.
      else groups.push({ ...common, variables: {}, ...(isConfirmed && { expressions: Object.fromEntries(own) }) });
    }
  }
  return groups;
}

function readObject(
  { hostname, labels, inventory }: HostRecord,
  section: string,
): { readonly name: string; readonly parents: readonly string[]; readonly variables: JsonObject } {
  const { group_name: name, parents, ...rest } = labels.value;
  const variables = section === '' ? rest : (inventory.value[section] ?? {});
  return { name: typeof name === 'string' && name !== '' ? name : hostname, parents: namesOf(parents), variables };
}

/** The names in a member: a list, or one text with commas between them. */
function namesIn(document: JsonObject, member: string): readonly string[] {
  return namesOf(ownMember(document, member));
}

function namesOf(value: JsonValue | undefined): readonly string[] {
  const names = Array.isArray(value) ? value.map(scalarText) : (scalarText(value) ?? '').split(',');
  return [...new Set(names.map((name = '') => name.trim()).filter((name) => name !== ''))];
}
