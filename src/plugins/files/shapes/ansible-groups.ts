import { isAnsibleVariable } from '../../../kit/names/ansible-names.ts';
import { groupFault } from '../../../kit/names/entity-names.ts';
import { GroupNames, identifierOf, type NameMode, withNames } from '../../../kit/names/variable-names.ts';
import type { GroupsWanted, JsonObject, TargetGroup } from '../../../ports/index.ts';
import { HostFault, type LeftOut, lostName } from '../shape.ts';
import { indented, plainKey, unsafe } from './ansible-values.ts';
import { yamlText } from './tables.ts';

/** The group of all hosts. */
const ALL = 'all';
/** Groups that Ansible makes by itself, and every host is in. */
const OWN = new Set([ALL, 'ungrouped']);
/** Which of several groups wins: Ansible does not read it from `group_vars`. */
const PRIORITY = 'ansible_group_priority';
/** A name below `group_vars` is that of a file. */
const LONGEST = 200;
/** Different variables that are reported. */
const MOST_LOST = 1_000;

export type GroupNaming = (group: string) => string | undefined;

/** The groups of one inventory, and which hosts are in them. */
export class GroupsOfHosts {
  readonly #members = new Map<string, string[]>();
  /** Those that a group could have. */
  readonly #hostnames = new Set<string>();
  readonly #naming: GroupNaming;
  readonly #names: GroupNames;
  /** Groups as they are written, also those that rules alone name, with the name that they were made of. */
  readonly #written = new Map<string, string>();
  readonly lost = new Map<string, LeftOut>();

  constructor(naming: GroupNaming) {
    this.#naming = naming;
    this.#names = new GroupNames((group) => this.#servable(group));
  }

  /** Throws `HostFault` for a host that is in a group of which there is no name. */
  add(hostname: string, groups: readonly string[]): void {
    const wanted = [...new Set(groups)].filter((group) => !OWN.has(group));
    const nameless = wanted.find((group) => this.#naming(group) === undefined);
    if (nameless !== undefined) {
      throw new HostFault(`its group ${JSON.stringify(nameless)} cannot be named in an inventory of Ansible`);
    }
    if (this.#naming(hostname) === hostname) this.#hostnames.add(hostname);
    for (const group of wanted) {
      if (this.#servable(group) === undefined) continue;
      this.#names.count(group);
      const members = this.#members.get(group);
      if (members === undefined) this.#members.set(group, [hostname]);
      else members.push(hostname);
    }
  }

  #servable(group: string): string | undefined {
    const name = this.#naming(group);
    const fault = name === undefined ? undefined : groupFault(name);
    if (fault === undefined) return name;
    if (!OWN.has(group)) this.lost.set(group, { name: `group ${group}`, reason: fault });
    return undefined;
  }

  /** To be asked once all hosts are known. */
  wanted(): GroupsWanted {
    const lose = (group: string, served: string, kept: string): void => {
      this.lost.set(group, lostName('group', group, served, kept));
    };
    this.#names.settle(lose);
    const written = (group: string): string | undefined => {
      const name = OWN.has(group) ? undefined : this.#names.served(group);
      if (name === undefined) return undefined;
      const other = this.#written.get(name);
      if (other === undefined) this.#written.set(name, group);
      else if (other !== group) lose(group, name, other);
      return other === undefined || other === group ? name : undefined;
    };
    return {
      used: [...this.#members.keys()].flatMap((group) => written(group) ?? []),
      written,
      original: (name) => this.#written.get(name) ?? name,
    };
  }

  members(name: string): readonly string[] {
    return this.#members.get(this.#written.get(name) ?? name) ?? [];
  }

  /** Ansible would give the variables of the host to the group. */
  isHost(group: string): boolean {
    const isTaken = this.#hostnames.has(group);
    if (isTaken) this.lost.set(group, { name: `group ${group}`, reason: 'a host has this name' });
    return isTaken;
  }
}

/** Letters, digits and underscores, as names of variables are. */
export function identifier(group: string): string | undefined {
  const name = identifierOf(group);
  return /[A-Za-z0-9]/.test(name) && name.length <= LONGEST ? name : undefined;
}

/** As rules name it, where that is a word that every reader takes for one. */
export function asItIs(group: string): string | undefined {
  return /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/.test(group) && group.length <= LONGEST ? group : undefined;
}

/**
 * Returns the own variables of a group. Of the variables that control how Ansible connects, only those that rules of
 * administrators set or `connecting` names.
 */
function variablesOf(
  { name: group, variables, expressions, vouched }: TargetGroup,
  naming: VariableNaming,
): Readonly<Record<string, unknown>> {
  return naming.named(`group ${group}`, { ...unsafeOnes(variables), ...expressions }, [
    ...vouched,
    ...Object.keys(expressions),
  ]);
}

/** How variables are written, and which of them are. */
export class VariableNaming {
  readonly #made: (name: string) => string;
  readonly #connecting: ReadonlySet<string>;
  readonly lost = new Map<string, LeftOut>();

  constructor(mode: NameMode, connecting: readonly string[]) {
    this.#made = mode === 'identifier' ? identifierOf : plainKey;
    this.#connecting = new Set(connecting);
  }

  /** Variables by which Ansible connects are decided on by the name that it will read. */
  named(
    of: string,
    variables: Readonly<Record<string, unknown>>,
    vouched: readonly string[],
  ): Readonly<Record<string, unknown>> {
    const given = Object.entries(variables).filter(([name]) => {
      const read = this.#made(name);
      const connects = read.startsWith('ansible_') || isAnsibleVariable(read);
      return !connects || vouched.includes(name) || this.#connecting.has(read);
    });
    return withNames(Object.fromEntries(given), this.#made, (name, served, kept) => {
      if (this.lost.size < MOST_LOST) this.lost.set(name, lostName(`variable of ${of}:`, name, served, kept));
    });
  }
}

/** Values with every text marked as none to evaluate. */
export function unsafeOnes(variables: JsonObject): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, unsafe(value)]));
}

interface Written {
  readonly hosts: GroupsOfHosts;
  readonly groups: readonly TargetGroup[];
  readonly naming: VariableNaming;
  /** If true, variables are written to separate files, and the text has none. */
  readonly apart: boolean;
}

interface GroupTexts {
  /** The text after the hosts of `all`. */
  readonly text: string;
  /** Variables by group, if they are in separate files. */
  readonly apart: ReadonlyMap<string, string>;
}

/** Writes each group in full at its first occurrence, and only its name below further parents. */
export function groupTexts({ hosts, groups, naming, apart }: Written): GroupTexts {
  const shown = new Map(groups.filter(({ name }) => !hosts.isHost(name)).map((group) => [group.name, group]));
  const parents = new Set([...shown.values()].flatMap(({ name, children }) => (name === ALL ? [] : children)));
  const files = new Map<string, string>();
  const written = new Set<string>();

  function ownText(group: TargetGroup, depth: number): string {
    const { [PRIORITY]: priority, ...others } = variablesOf(group, naming);
    const first = priority === undefined ? {} : { [PRIORITY]: priority };
    const isApart = apart && Object.keys(others).length > 0;
    if (isApart) files.set(group.name, yamlText(others));
    const here = apart ? first : { ...first, ...others };
    if (Object.keys(here).length === 0) return '';
    return `${' '.repeat(depth)}vars:\n${indented(yamlText(here), depth + 2)}`;
  }

  function groupText(name: string, depth: number): string {
    const group = shown.get(name);
    const key = `${' '.repeat(depth)}${JSON.stringify(name)}:`;
    if (group === undefined) return '';
    if (written.has(name)) return `${key} {}\n`;
    written.add(name);
    const inner = ' '.repeat(depth + 2);
    const members = hosts.members(name).map((member) => `${inner}  ${JSON.stringify(member)}:\n`);
    let text = members.length === 0 ? '' : `${inner}hosts:\n${members.join('')}`;
    const children = group.children.map((child) => groupText(child, depth + 4)).join('');
    if (children !== '') text += `${inner}children:\n${children}`;
    text += ownText(group, depth + 2);
    return text === '' ? `${key} {}\n` : `${key}\n${text}`;
  }

  const all = shown.get(ALL);
  let text = all === undefined ? '' : ownText(all, 2);
  const top = [...shown.values()].filter(({ name, isTop }) => name !== ALL && (isTop || !parents.has(name)));
  const children = top.map(({ name }) => groupText(name, 4)).join('');
  if (children !== '') text += `  children:\n${children}`;
  return { text, apart: files };
}
