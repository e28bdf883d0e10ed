import type { HostMark, HostRecord, MarkStore } from '../../ports/index.ts';
import { keyOfText } from './decisions/host-keys.ts';

/** The keys of a host: their names with their values. */
export type KeyValues = Readonly<Record<string, readonly string[]>>;

/** Returns the keys of each of these hosts, from every source; hosts without any are absent. */
export async function keysOfHosts(
  marks: MarkStore,
  hostnames: readonly string[],
): Promise<ReadonlyMap<string, KeyValues>> {
  return keysOfMarks(await marks.of(hostnames));
}

/** The keys among marks, by host. */
export function keysOfMarks(marks: readonly HostMark[]): ReadonlyMap<string, KeyValues> {
  return byHost(marks.filter(({ kind }) => kind === 'key'));
}

/** Those that the owner of each host gave. */
export async function ownKeysOfHosts(
  marks: MarkStore,
  hosts: readonly Pick<HostRecord, 'hostname' | 'accountId'>[],
): Promise<ReadonlyMap<string, KeyValues>> {
  const owners = new Map(hosts.map(({ hostname, accountId }) => [hostname, accountId]));
  const found = await marks.of([...owners.keys()]);
  return byHost(found.filter((mark) => mark.kind === 'key' && owners.get(mark.hostname) === mark.accountId));
}

function byHost(marks: readonly HostMark[]): ReadonlyMap<string, KeyValues> {
  const found = new Map<string, HostMark[]>();
  for (const mark of marks) {
    const known = found.get(mark.hostname);
    if (known === undefined) found.set(mark.hostname, [mark]);
    else known.push(mark);
  }
  return new Map([...found].map(([hostname, own]) => [hostname, keyValues(own)]));
}

function keyValues(marks: readonly HostMark[]): KeyValues {
  const values = new Map<string, Set<string>>();
  for (const mark of marks) {
    const { name, value } = keyOfText(mark.value);
    values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return Object.fromEntries([...values].map(([name, found]) => [name, [...found]]));
}

export interface GivenKey {
  name: string;
  value: string;
  /** By name, each once. */
  accounts: string[];
}

/** The keys among the marks of one host, each with the account that gave it. */
export function givenKeys(marks: readonly HostMark[], accountName: (id: string) => string): GivenKey[] {
  const given = new Map<string, GivenKey>();
  for (const { kind, value: text, accountId } of marks) {
    if (kind !== 'key') continue;
    const key = given.get(text) ?? { ...keyOfText(text), accounts: [] };
    const account = accountName(accountId);
    if (!key.accounts.includes(account)) key.accounts.push(account);
    given.set(text, key);
  }
  return [...given.values()];
}
