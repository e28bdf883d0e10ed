import { fileFault, shown } from '../../kit/file-source/fault.ts';
import { parseExact } from '../../kit/json/exact-numbers.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { FILE_REMEDY, WholeList } from '../../kit/records/whole-list.ts';
import { worded } from '../../kit/worded.ts';
import type { JsonObject, JsonValue } from '../../ports/index.ts';

export interface InventoryGroup {
  /** Direct members. */
  readonly hosts: readonly string[];
  readonly children: readonly string[];
  /** The parent groups; `all`, the parent of every group, only if it is listed together with others. */
  readonly parents: readonly string[];
  /** Its own variables; absent where the form of the answer has none. */
  readonly variables?: JsonObject;
}

/** Hosts and groups that ansible-inventory reports, by name. */
export interface Inventory {
  readonly hosts: ReadonlyMap<string, JsonObject>;
  readonly groups: ReadonlyMap<string, InventoryGroup>;
}

interface Draft {
  hosts: readonly string[];
  children: readonly string[];
  parents: string[];
  variables?: JsonObject;
}

/** The group of all hosts. */
export const ALL = 'all';
/** Hosts that are in no other group. */
export const UNGROUPED = 'ungrouped';

/**
 * Parses the output of `ansible-inventory --list`. Throws `AppError('failed')` for any other text, and for output that was cut
 * off.
 */
export function readOutput(text: string, path: string): Inventory {
  const document = parsed(text, path);
  const meta = document._meta;
  const hostvars = meta !== undefined && isJsonObject(meta) ? meta.hostvars : undefined;
  const all = document[ALL];
  if (hostvars === undefined || !isJsonObject(hostvars) || all === undefined || !isJsonObject(all)) {
    throw fileFault(
      path,
      worded`gives no answer of "ansible-inventory --list": that has the members _meta.hostvars and all; is it a file with an inventory? Then set reads=inventory of the account`,
    );
  }
  const whole = new WholeList([], 'hostvars').document(meta ?? null, ['hostvars']);
  // Groups may have any name, and have no members but theirs.
  for (const [name, group = null] of Object.entries(document)) {
    const members = isJsonObject(group) && name !== '_meta' ? Object.keys(group) : [];
    if (members.length > 0 && !members.some((member) => ['hosts', 'children', 'vars'].includes(member)))
      whole.member([name], group);
  }
  const refusal = whole.refusal({ records: Object.keys(hostvars).length, remedy: FILE_REMEDY });
  if (refusal !== undefined) throw fileFault(path, worded`is not the whole inventory: ${{ reason: refusal }}`);
  const drafts = new Map<string, Draft>();
  for (const [name, group] of Object.entries(document)) {
    if (name !== '_meta') drafts.set(name, draftOf(name, group ?? null, path));
  }
  // Groups without hosts, variables and children only appear in the lists of other groups.
  for (const [name, { children }] of [...drafts]) {
    for (const child of children) {
      const known = drafts.get(child);
      if (known === undefined) drafts.set(child, { hosts: [], children: [], parents: [name] });
      else known.parents.push(name);
    }
  }
  for (const draft of drafts.values()) if (draft.parents.every((parent) => parent === ALL)) draft.parents = [];
  const hosts = new Map<string, JsonObject>();
  for (const [name, variables] of Object.entries(hostvars)) {
    if (variables === undefined || !isJsonObject(variables))
      throw fileFault(path, worded`has no variables for the host ${{ name: shown(name) }}`);
    hosts.set(name, variables);
  }
  for (const { hosts: members } of drafts.values()) {
    for (const name of members) if (!hosts.has(name)) hosts.set(name, {});
  }
  return { hosts, groups: drafts };
}

function parsed(text: string, path: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseExact(text, { inexact: true }) as JsonValue;
  } catch (error) {
    // The parser's message quotes the text around the fault.
    const what = text.trim() === '' ? worded`gives nothing` : worded`gives no valid JSON; was it cut off?`;
    throw fileFault(path, what, error instanceof SyntaxError ? undefined : error);
  }
  if (!isJsonObject(value))
    throw fileFault(path, worded`gives no JSON object, as "ansible-inventory --list" writes it`);
  return value;
}

function draftOf(name: string, group: JsonValue, path: string): Draft {
  if (!isJsonObject(group)) throw fileFault(path, worded`has no object for the group ${{ name: shown(name) }}`);
  const { hosts = [], children = [], vars } = group;
  if (!isNames(hosts) || !isNames(children) || (vars !== undefined && !isJsonObject(vars))) {
    throw fileFault(
      path,
      worded`has a group ${{ name: shown(name) }} whose hosts, children or vars are something else`,
    );
  }
  return { hosts, children, parents: [], ...(vars !== undefined && { variables: vars }) };
}

function isNames(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
