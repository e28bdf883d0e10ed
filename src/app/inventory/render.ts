import { groupFault, hostnameFault, labelsModeOf } from '../../kit/names/entity-names.ts';
import { needsLook, type ServedNames, servedVariables } from '../../kit/names/served-variables.ts';
import { brokenText, plainlyWritten, type TemplateTextMode, wrappedValue } from '../../kit/names/template-text.ts';
import { byBytes, GroupNames, identifierOf, type OnCollision, withNames } from '../../kit/names/variable-names.ts';
import {
  type InventoryDocument,
  type InventoryGroup,
  type InventoryHost,
  type JsonObject,
  type JsonValue,
  type Logger,
  StoredJson,
} from '../../ports/index.ts';
import { ALL, definedNames, groupTree, servedDefinitions, withGroupsAbove } from './group-tree.ts';
import { LeftOut } from './left-out.ts';

export interface RenderMode extends ServedNames {
  readonly templateText: TemplateTextMode;
}

export interface RenderOptions extends RenderMode {
  /** True for hosts that no evaluator of ours wrote: everything in them is looked at. */
  readonly foreign: boolean;
  readonly logger: Logger;
  /** Groups that the provider defines, in addition to those that hosts name. */
  readonly groups?: readonly InventoryGroup[];
  /** True for a document of some hosts: it leaves out groups that they are in neither directly nor through others. */
  readonly usedGroupsOnly?: boolean;
  /** Groups that the whole document does not have, since others became the same. */
  readonly lostGroups?: ReadonlySet<string>;
  /** Names of hosts of the whole document, as far as groups have them: those groups are in no part of it either. */
  readonly takenNames?: ReadonlySet<string>;
}

/** Names that the document may have for something else, which its groups are looked for without. */
const RESERVED_GROUPS = new Set(['_meta', 'all']);
const NONE: readonly never[] = [];
const SAME_NAME = 'a host has this name, and Ansible would give the host’s variables to the group';
const SAME_HOST = 'another host has this name in the inventory';

/** The beginning of a document; the variables of its hosts follow, separated by commas. */
export const HEAD = '{"_meta":{"hostvars":{';

/** A host as written in a document. */
export interface WrittenHost {
  readonly hostname: string;
  /** Its name there, as JSON. */
  readonly name: string;
  /** Name and variables: a member of `hostvars`. */
  readonly text: string;
  /** Its groups as rules name them, as JSON. */
  readonly groups: readonly string[];
}

/** Is given each host as it is written, in order, then what is behind the hosts piece by piece. */
export interface DocumentKeeper {
  add(host: WrittenHost): void;
  /** Awaited between batches. */
  settle(): Promise<void>;
  addTail(piece: string): Promise<void>;
  /** Nothing is missing. */
  end(): Promise<void>;
}

/**
 * Writes an inventory as script-inventory JSON, piece by piece. This is the only place that makes this document, for command line
 * and HTTP alike, and that decides which hosts, groups and variables a consumer can take without losing others. Hosts must come
 * in the order of the document.
 */
export async function* renderInventory(
  hosts: AsyncIterable<readonly InventoryHost[]>,
  options: RenderOptions,
  keeper?: DocumentKeeper,
): AsyncGenerator<string> {
  const writer = new DocumentWriter(options);
  const members = new Members();
  let separator = '';
  yield HEAD;
  for await (const batch of hosts) {
    let chunk = '';
    for (const host of batch) {
      const written = writer.host(host);
      if (written === undefined) continue;
      chunk += separator + written.text;
      separator = ',';
      members.add(written.name, written.groups);
      keeper?.add(written);
    }
    if (chunk !== '') yield chunk;
    if (keeper !== undefined) await keeper.settle();
  }
  for (const piece of writer.tail(members)) {
    yield piece;
    await keeper?.addTail(piece);
  }
  await keeper?.end();
  writer.report();
}

/** The hosts of a document and of its groups, in its order. Names as JSON, those of groups as rules have them. */
export class Members {
  readonly names: string[] = [];
  readonly groups = new Map<string, string[]>();

  add(name: string, groups: readonly string[]): void {
    this.names.push(name);
    for (const group of groups) addTo(this.groups, group, name);
  }
}

/** Writes the parts of one document. */
export class DocumentWriter {
  readonly #options: RenderOptions;
  readonly #leftOut: LeftOut;
  readonly #writer: HostWriter;

  constructor(options: RenderOptions, leftOut = new LeftOut(options.logger)) {
    this.#options = options;
    this.#leftOut = leftOut;
    this.#writer = hostWriter(options, this.#leftOut);
  }

  /** `undefined` for one that is left out. */
  host(host: InventoryHost): WrittenHost | undefined {
    const name = this.#writer.hostname(host);
    if (name === undefined) return undefined;
    const groups: string[] = [];
    for (const group of host.groups) {
      if (this.#options.lostGroups?.has(group)) continue;
      if (this.#writer.groupName(group) !== undefined) groups.push(JSON.stringify(group));
    }
    return { hostname: host.hostname, name, text: `${name}:${this.#writer.variables(host)}`, groups };
  }

  /** Everything behind the variables of hosts. */
  *tail(members: Members): Generator<string> {
    const { names } = members;
    yield `}},"all":{"hosts":[${names.join(',')}]`;
    const { groups: definitions = [], takenNames = NONE } = this.#options;
    const hosts = [...names, ...[...takenNames].map((name) => JSON.stringify(name))];
    const [options, writer, leftOut] = [this.#options, this.#writer, this.#leftOut];
    const groupNames = new GroupNames((group) => writer.groupName(group));
    for (const [group, hosts] of members.groups) groupNames.count(JSON.parse(group), hosts.length);
    for (const group of definedNames(definitions)) groupNames.count(group, 0);
    groupNames.settle((group, served, kept) => leftOut.collision('group', group, served, kept));
    const groups = new Map<string, string[]>();
    for (const [group, hosts] of members.groups) {
      const served = groupNames.served(JSON.parse(group));
      if (served !== undefined) groups.set(JSON.stringify(served), hosts);
    }
    if (definitions.length > 0) {
      yield definedGroups(definitions, { hosts, groups, groupNames, options, writer, leftOut });
    } else {
      for (const name of hosts) if (groups.delete(name)) leftOut.group(JSON.parse(name), SAME_NAME);
      const sorted = [...groups.keys()].sort(byBytes);
      yield sorted.length > 0 ? `,"children":[${sorted.join(',')}]}` : '}';
      for (const group of sorted) yield `,${group}:{"hosts":[${groups.get(group)?.join(',')}]}`;
    }
    yield '}';
  }

  /** Logs what was left out. */
  report(): void {
    this.#leftOut.report();
  }
}

interface Rendered {
  /** Names that no group may have, as JSON. */
  readonly hosts: readonly string[];
  /** Members by the group, names as JSON. */
  readonly groups: Map<string, string[]>;
  readonly groupNames: GroupNames;
  readonly options: RenderOptions;
  readonly writer: HostWriter;
  readonly leftOut: LeftOut;
}

/** The rest of `all`, and every group: hosts, children and variables, as far as it has some. */
function definedGroups(
  definitions: readonly InventoryGroup[],
  { hosts: taken, groups, groupNames, options, writer, leftOut }: Rendered,
): string {
  const asJson = (group: string): string | undefined => {
    const name = groupNames.served(group);
    return name === undefined ? undefined : JSON.stringify(name);
  };
  const tree = groupTree(
    servedDefinitions(definitions, asJson),
    groups.keys(),
    (group, parent) =>
      leftOut.group(
        JSON.parse(group),
        `it is above ${parent} too, and Ansible refuses groups that are below themselves`,
      ),
    (name) => (name === ALL ? ALL : groupNames.original(JSON.parse(name))),
  );
  const hosts = new Set(taken);
  const free = <Value>(each: Iterable<Value>, nameOf: (value: Value) => string): Value[] =>
    [...each].filter((value) => !hosts.has(nameOf(value)));
  const used =
    options.usedGroupsOnly === true
      ? withGroupsAbove(
          free(groups.keys(), (group) => group),
          new Map(free(tree.parents, ([group]) => group)),
        )
      : tree.names;
  const shown = [...tree.names].filter((group) => {
    if (hosts.has(group)) leftOut.group(JSON.parse(group), SAME_NAME);
    return !hosts.has(group) && used.has(group);
  });
  shown.sort(byBytes);
  const there = new Set(shown);
  const isTop = (group: string): boolean =>
    tree.top.has(group) || !tree.parents.get(group)?.some((parent) => there.has(parent));
  const top = shown.filter(isTop);
  const common = groupVariables(tree.definitions(ALL), ALL, writer);
  let text = `${top.length > 0 ? `,"children":[${top.join(',')}]` : ''}${common === undefined ? '' : `,"vars":${common}`}}`;
  for (const group of shown) {
    const members = groups.get(group) ?? [];
    const children = (tree.children.get(group) ?? []).filter((child) => there.has(child)).sort(byBytes);
    const variables = groupVariables(tree.definitions(group), JSON.parse(group), writer);
    const parts = [`"hosts":[${members.join(',')}]`];
    if (children.length > 0) parts.push(`"children":[${children.join(',')}]`);
    if (variables !== undefined) parts.push(`"vars":${variables}`);
    text += `,${group}:{${parts.join(',')}}`;
  }
  return text;
}

/** Returns the variables of a group, written like those of a host; `undefined` if it has none. */
function groupVariables(
  definitions: readonly InventoryGroup[],
  hostname: string,
  writer: HostWriter,
): string | undefined {
  const variables: Record<string, JsonValue> = Object.assign({}, ...definitions.map((each) => each.variables));
  const expressions: JsonObject = Object.assign({}, ...definitions.map((each) => each.expressions ?? {}));
  const vouched = definitions.flatMap((each) => each.vouched ?? []);
  const isMarked = Object.keys(expressions).length > 0;
  if (!isMarked && Object.keys(variables).length === 0) return undefined;
  return writer.variables({
    hostname,
    variables: StoredJson.ofValue<JsonObject>(variables),
    ...(isMarked && { expressions }),
    vouched,
    groups: [],
  });
}

/** Returns the variables of one host as in the full document, or the reason why the document leaves it out. */
export function renderHostVariables(
  host: InventoryHost,
  options: RenderOptions,
): { readonly text: string } | { readonly fault: string } {
  const fault = faultOf(host, options);
  if (fault !== undefined) return { fault };
  const leftOut = new LeftOut(options.logger);
  const text = hostWriter(options, leftOut).variables(host);
  leftOut.report();
  return { text };
}

/** Why a host is in no inventory; `undefined` when it may be. */
export function faultOf(
  { hostname, vouched = NONE }: InventoryHost,
  { ansibleLabels }: Pick<RenderMode, 'ansibleLabels'>,
): string | undefined {
  return hostnameFault(hostname, ansibleLabels === 'serve' || vouched.includes('ansible_connection'));
}

/** The hosts of a whole document, in its order. Its groups become the hosts' groups. */
export function* hostsOfDocument(document: InventoryDocument): Generator<readonly InventoryHost[]> {
  const groups = new Map<string, string[]>();
  for (const [group, members] of Object.entries(document)) {
    if (RESERVED_GROUPS.has(group)) continue;
    const hosts = Array.isArray(members) ? members : ((members as { hosts?: unknown } | null)?.hosts ?? []);
    if (!Array.isArray(hosts)) continue;
    for (const hostname of hosts) if (typeof hostname === 'string') addTo(groups, hostname, group);
  }
  const hostvars = new Map<string, JsonObject>(Object.entries(document._meta.hostvars));
  const { hosts } = document.all;
  yield hosts.map((hostname) => ({
    hostname,
    variables: StoredJson.ofValue(hostvars.get(hostname) ?? {}),
    groups: groups.get(hostname) ?? [],
  }));
}

/** Returns the name of a group in the document, or the reason why the document leaves it out. */
export function servedGroupName(
  group: string,
  { names, templateText }: Pick<RenderMode, 'names' | 'templateText'>,
): { readonly name: string } | { readonly fault: string } {
  const name = names === 'identifier' ? identifierOf(group) : group;
  const fault = groupFault(name);
  if (fault !== undefined) return { fault };
  return { name: templateText === 'serve' ? name : brokenText(name) };
}

interface HostWriter {
  /** As JSON; `undefined` for one that is left out. */
  hostname(host: InventoryHost): string | undefined;
  /** `undefined` for one that is left out. */
  groupName(group: string): string | undefined;
  variables(host: InventoryHost): string;
}

function hostWriter(options: RenderOptions, leftOut: LeftOut): HostWriter {
  const groups = new Map<string, string | undefined>();
  const { templateText: mode } = options;
  const broken = new BrokenNames();
  const isNamed = options.names === 'identifier';
  const collision: OnCollision = (name, served, kept) => leftOut.collision('variable', name, served, kept);
  return {
    hostname(host) {
      const { hostname } = host;
      const served = mode === 'serve' ? hostname : brokenText(hostname);
      const fault = faultOf(host, options) ?? (broken.isTaken(served) ? SAME_HOST : undefined);
      if (fault === undefined) return JSON.stringify(served);
      leftOut.host(hostname, fault);
      return undefined;
    },
    groupName(group) {
      // Many hosts are in few groups: each name is made once.
      const known = groups.get(group);
      if (known !== undefined || groups.has(group)) return known;
      const served = servedGroupName(group, options);
      const name = 'name' in served ? served.name : undefined;
      if ('fault' in served) leftOut.group(group, served.fault);
      groups.set(group, name);
      return name;
    },
    variables({ hostname, variables, expressions, vouched = NONE }) {
      const ansibleLabels = labelsModeOf(hostname, options.ansibleLabels);
      const served = ansibleLabels === options.ansibleLabels ? options : { ...options, ansibleLabels };
      const isPlain = options.names === 'keep' && mode !== 'wrap' && expressions === undefined;
      const written = plainlyWritten(variables.text);
      let text = mode === 'break' ? brokenText(written) : written;
      if (text !== written && BROKEN_NAME.test(text)) {
        text = brokenText(JSON.stringify(withNames(JSON.parse(written), brokenText, collision)));
      }
      if (isPlain && !options.foreign && !needsLook(text, vouched, ansibleLabels)) return text;
      const withheld = (name: string, reason: string): void => leftOut.variable(name, hostname, reason);
      const given: JsonObject = JSON.parse(text);
      let values = servedVariables(given, vouched, served, withheld);
      if (isPlain && values === given) return text;
      if (mode === 'wrap') values = wrappedValue(withNames(values, brokenText, collision)) as JsonObject;
      if (expressions !== undefined) {
        // Anyone who may let a consumer evaluate texts may set any variable.
        const names = Object.keys(expressions);
        values = { ...values, ...servedVariables(expressions, names, served, withheld) };
      }
      if (isNamed) values = withNames(values, identifierOf, collision);
      return JSON.stringify(values);
    },
  };
}

/** A member whose name was broken: another may have become the same. */
const BROKEN_NAME = /"(?:[^"\\]|\\.)*\{ [{%#](?:[^"\\]|\\.)*":/;

/** Hostnames that hold a broken opening, or are broken into one: two of those may be served as the same. */
class BrokenNames {
  readonly #seen = new Set<string>();

  isTaken(served: string): boolean {
    if (!served.includes('{ ')) return false;
    if (this.#seen.has(served)) return true;
    this.#seen.add(served);
    return false;
  }
}

/** A host is there once, also where two of its groups have one name. */
function addTo(groups: Map<string, string[]>, group: string, hostname: string): void {
  const members = groups.get(group);
  if (members === undefined) groups.set(group, [hostname]);
  else if (members.at(-1) !== hostname) members.push(hostname);
}
