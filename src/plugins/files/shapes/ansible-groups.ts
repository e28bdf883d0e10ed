import type { GroupsWanted, JsonValue, TargetGroup } from '../../../ports/index.ts';
import { HostFault } from '../shape.ts';
import { indented, plainKey, unsafe } from './ansible-values.ts';
import { yamlText } from './tables.ts';

/** The group of all hosts. */
const ALL = 'all';
/** Groups that Ansible makes by itself. */
const RESERVED = new Set([ALL, 'ungrouped']);
/** Which of several groups wins: Ansible does not read it from `group_vars`. */
const PRIORITY = 'ansible_group_priority';
/** A name below `group_vars` is that of a file. */
const LONGEST = 200;

export type GroupNaming = (group: string) => string | undefined;

/** The groups of one inventory, and which hosts are in them. */
export class GroupsOfHosts {
  readonly #members = new Map<string, string[]>();
  /** Those that a group could have. */
  readonly #hostnames = new Set<string>();
  readonly #naming: GroupNaming;

  constructor(naming: GroupNaming) {
    this.#naming = naming;
  }

  /** Throws `HostFault` for a host that is in a group of which there is no name. */
  add(hostname: string, groups: readonly string[]): void {
    const names = new Set(groups.filter((group) => !RESERVED.has(group)).map((group) => this.#named(group)));
    if (this.#naming(hostname) === hostname) this.#hostnames.add(hostname);
    for (const name of names) {
      const members = this.#members.get(name);
      if (members === undefined) this.#members.set(name, [hostname]);
      else members.push(hostname);
    }
  }

  #named(group: string): string {
    const name = this.#naming(group);
    if (name !== undefined) return name;
    throw new HostFault(`its group ${JSON.stringify(group)} cannot be named in an inventory of Ansible`);
  }

  wanted(): GroupsWanted {
    return {
      used: this.#members.keys(),
      written: (group) => (RESERVED.has(group) ? undefined : this.#naming(group)),
    };
  }

  members(group: string): readonly string[] {
    return this.#members.get(group) ?? [];
  }

  /** Ansible would give the variables of the host to the group. */
  isHost(group: string): boolean {
    return this.#hostnames.has(group);
  }
}

/** Letters, digits and underscores, as names of variables are. */
export function identifier(group: string): string | undefined {
  const name = group.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
  return /[A-Za-z0-9]/.test(name) && name.length <= LONGEST ? name : undefined;
}

/** As rules name it, where that is a word that every reader takes for one. */
export function asItIs(group: string): string | undefined {
  return /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/.test(group) && group.length <= LONGEST ? group : undefined;
}

/** What a group has of its own. Of those by which Ansible connects, what rules of administrators set or `connecting` names. */
function variablesOf(group: TargetGroup, connecting: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const vouched = new Set(group.vouched);
  const known = Object.entries(group.variables).filter(
    ([name]) => !name.startsWith('ansible_') || vouched.has(name) || connecting.has(name),
  );
  const variables = new Map<string, unknown>(
    known.map(([name, value]) => [plainKey(name), unsafe(value as JsonValue)]),
  );
  for (const [name, value] of Object.entries(group.expressions)) variables.set(plainKey(name), value);
  return Object.fromEntries(variables);
}

interface Written {
  readonly hosts: GroupsOfHosts;
  readonly groups: readonly TargetGroup[];
  readonly connecting: ReadonlySet<string>;
  /** True: variables stand in files of their own, and the text has none. */
  readonly apart: boolean;
}

interface GroupTexts {
  /** What follows the hosts of `all`. */
  readonly text: string;
  /** Variables by the group, where they stand apart. */
  readonly apart: ReadonlyMap<string, string>;
}

/** Each group stands whole where it is met first, and by its name alone below its further parents. */
export function groupTexts({ hosts, groups, connecting, apart }: Written): GroupTexts {
  const shown = new Map(groups.filter(({ name }) => !hosts.isHost(name)).map((group) => [group.name, group]));
  const parents = new Set([...shown.values()].flatMap(({ name, children }) => (name === ALL ? [] : children)));
  const files = new Map<string, string>();
  const written = new Set<string>();

  function ownText(group: TargetGroup, depth: number): string {
    const { [PRIORITY]: priority, ...others } = variablesOf(group, connecting);
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
