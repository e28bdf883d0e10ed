import { shown } from '../../kit/file-source/fault.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { isVaulted } from '../../kit/records/vaulted.ts';
import { phrase } from '../../kit/worded.ts';
import type { JsonObject, JsonValue, SourceItem, SourceRecord, SourceRelation } from '../../ports/index.ts';
import { ALL, type Inventory, type InventoryGroup, UNGROUPED } from './inventory.ts';
import type { AnsibleOptions } from './options.ts';

const MEMBER_OF = 'member_of';
/** The type of the objects that groups are. */
const GROUP = 'group';

/** Yields the hosts of an inventory by name, and its groups if they are objects. */
export function* recordsOf(inventory: Inventory, options: AnsibleOptions, maker: RecordMaker): Generator<SourceItem> {
  const { groups: form } = options;
  const isListed = form === 'labels' || form === 'both';
  const areObjects = form === 'relations' || form === 'both';
  const groupsOf = directGroups(inventory);
  for (const [name, variables] of inventory.hosts) {
    const position = `host ${shown(name)}`;
    const groups = groupsOf.get(name) ?? [];
    const item = made(name, { variables, position, options, maker });
    if (item?.kind !== 'record') {
      if (item !== undefined) yield item;
      continue;
    }
    yield {
      ...item,
      ...(areObjects && { type: 'host', relations: membership(groups, options) }),
      labels: isListed ? { ...item.labels, groups, group_names: withParents(groups, inventory) } : item.labels,
    };
  }
  if (!areObjects) return;
  for (const [name, group] of inventory.groups) {
    if (isImplied(name, group)) continue;
    const hostname = `${options.group_prefix}${name}`;
    const position = `group ${shown(name)}`;
    if (inventory.hosts.has(hostname)) {
      yield {
        kind: 'skipped',
        position,
        hostname,
        reason: phrase`a host has the same name; set group_prefix of the account`,
      };
      continue;
    }
    yield groupRecord(hostname, name, group, { position, options, maker });
  }
}

interface Making {
  readonly position: string;
  readonly options: AnsibleOptions;
  readonly maker: RecordMaker;
}

/** A host with its variables as the account wants them; nothing where the filter leaves it out. */
function made(
  name: string,
  { variables, position, options, maker }: Making & { readonly variables: JsonObject },
): SourceItem | undefined {
  const { variables_section: section } = options;
  const item = maker.byName(name, plainVariables(variables, false), position);
  if (section === '' || item?.kind !== 'record') return item;
  return { ...item, labels: {}, inventory: { [section]: sectionOf(variables) } };
}

/** Groups pass no filter, which is about hosts. */
function groupRecord(
  hostname: string,
  name: string,
  { parents, variables = {} }: InventoryGroup,
  { position, options, maker }: Making,
): SourceRecord {
  const { variables_section: section } = options;
  const labels: Record<string, JsonValue> = { group_name: name, parents };
  const common = { kind: 'record', position, hostname, type: GROUP, relations: membership(parents, options) } as const;
  if (section !== '') return { ...common, labels, inventory: { [section]: sectionOf(variables) } };
  const { labels: own, inventory } = maker.unfiltered(name, plainVariables(variables, false), position);
  return { ...common, labels: { ...own, ...labels }, ...(inventory !== undefined && { inventory }) };
}

/** Members of a section begin with no `$` and have names. */
function sectionOf(variables: JsonObject): JsonObject {
  const kept = Object.entries(plainVariables(variables, true)).filter(([name]) => name !== '' && !name.startsWith('$'));
  return Object.fromEntries(kept);
}

function membership(groups: readonly string[], { group_prefix }: AnsibleOptions): readonly SourceRelation[] {
  return groups
    .filter((group) => group !== ALL)
    .map((group) => ({ type: MEMBER_OF, target: `${group_prefix}${group}` }));
}

/** Whether Ansible creates the group implicitly, and it has no variables. */
function isImplied(name: string, { variables = {} }: InventoryGroup): boolean {
  return (name === ALL || name === UNGROUPED) && Object.keys(variables).length === 0;
}

function directGroups({ groups }: Inventory): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [name, { hosts }] of groups) {
    if (name === ALL || name === UNGROUPED) continue;
    for (const host of hosts) {
      const known = found.get(host);
      if (known === undefined) found.set(host, [name]);
      else known.push(name);
    }
  }
  return found;
}

/** The groups with those that they are children of, sorted. Ansible refuses circles, and a file may have one. */
function withParents(names: readonly string[], { groups }: Inventory): readonly string[] {
  const all = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (all.has(name) || name === ALL) continue;
    all.add(name);
    open.push(...(groups.get(name)?.parents ?? []));
  }
  return [...all].sort();
}

const UNSAFE = '__ansible_unsafe';
/** Text that the consumer of an inventory would evaluate as a template. */
const TEMPLATE_TEXT = /\{[{%#]/;

/**
 * Variables as they may be stored: what a vault encrypts is left out, and texts that Ansible marks as data are those texts. With
 * `keepsMarks` the mark stays on texts that a consumer would evaluate without it.
 */
function plainVariables(variables: JsonObject, keepsMarks: boolean): JsonObject {
  return members(variables, keepsMarks);
}

function members(object: JsonObject, keepsMarks: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const plain = value === undefined ? undefined : plainValue(value, keepsMarks);
      return plain === undefined ? [] : [[name, plain] as const];
    }),
  );
}

/** `undefined` for what a vault encrypts. */
function plainValue(value: JsonValue, keepsMarks: boolean): JsonValue | undefined {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => plainValue(item, keepsMarks) ?? null);
  if (isVaulted(value)) return undefined;
  if (!isJsonObject(value)) return value;
  const text = Object.hasOwn(value, UNSAFE) ? value[UNSAFE] : undefined;
  if (text === undefined) return members(value, keepsMarks);
  if (isVaulted(text)) return undefined;
  return keepsMarks && typeof text === 'string' && TEMPLATE_TEXT.test(text)
    ? { [UNSAFE]: text }
    : plainValue(text, keepsMarks);
}
