import {
  type Actor,
  type HostFilter,
  type HostRecord,
  type HostScope,
  type HostStore,
  type InventoryOutcome,
  type JsonObject,
  type LabelOutcome,
  type Labels,
  type LabelWrite,
  type RuleOutcome,
  type RuleStore,
  type RuleWrite,
  StoredJson,
  type WritingAccount,
} from '../ports/index.ts';

/** Values and short ways to write them for the contract suites. */

export const actor: Actor = { kind: 'user', name: 'ada' };

export const red: WritingAccount = { id: 'aaaaaaaaaaaaaaaaaaaaaaaa', isObject: false, objectType: 'host' };
export const blue: WritingAccount = { id: 'bbbbbbbbbbbbbbbbbbbbbbbb', isObject: false, objectType: 'host' };
export const nets: WritingAccount = { id: 'cccccccccccccccccccccccc', isObject: true, objectType: 'network' };

export const activeHosts: HostFilter = { scope: null, kind: 'hosts', state: 'active' };

/** How many active records an account owns. */
export function countOwned(hosts: Pick<HostStore, 'count'>, accountId: string): Promise<number> {
  return hosts.count({ scope: ofAccounts(accountId), kind: 'all', state: 'active' });
}

/** The scope of a user restricted to these accounts. */
export function ofAccounts(...accounts: readonly string[]): HostScope {
  return { accounts, templates: null };
}

/** The scope of a user restricted to these templates, and to these accounts if given. */
export function ofTemplates(templates: readonly string[], accounts: readonly string[] | null = null): HostScope {
  return { accounts, templates };
}

/** A moment; each number is a minute. */
export function minute(number: number): Date {
  return new Date(Date.UTC(2026, 0, 1, 0, number));
}

export function labelsOf(labels: Labels): StoredJson<Labels> {
  return StoredJson.ofValue(labels);
}

/** A label set as JSON text, for keys that JavaScript objects would not keep in place. */
export function labelsText(text: string): StoredJson<Labels> {
  return StoredJson.ofText(text);
}

export type Entries = Readonly<Record<string, Labels>> | readonly (readonly [hostname: string, labels: Labels])[];

export function labelWrite(entries: Entries, options: Partial<Omit<LabelWrite, 'entries'>> = {}): LabelWrite {
  const pairs = isPairs(entries) ? entries : Object.entries(entries);
  return {
    account: red,
    at: minute(1),
    actor,
    ...options,
    entries: pairs.map(([hostname, labels]) => ({ hostname, labels: labelsOf(labels) })),
  };
}

function isPairs(entries: Entries): entries is readonly (readonly [string, Labels])[] {
  return Array.isArray(entries);
}

export function save(
  hosts: HostStore,
  entries: Entries,
  options?: Partial<Omit<LabelWrite, 'entries'>>,
): Promise<readonly LabelOutcome[]> {
  return hosts.saveLabels(labelWrite(entries, options));
}

/** Hosts of these names with one label each. */
export async function saveNames(
  hosts: HostStore,
  names: readonly string[],
  options?: Partial<Omit<LabelWrite, 'entries'>>,
): Promise<void> {
  await save(
    hosts,
    names.map((name): [string, Labels] => [name, { os: 'linux' }]),
    options,
  );
}

export async function saveSection(
  hosts: HostStore,
  hostname: string,
  key: string,
  section: JsonObject,
  number = 2,
): Promise<InventoryOutcome | undefined> {
  const entries = [{ hostname, key, section: StoredJson.ofValue(section) }];
  return (await hosts.saveInventory({ entries, scope: null, at: minute(number), actor }))[0];
}

export function archiveNames(
  hosts: HostStore,
  hostnames: readonly string[],
  by: 'api' | 'operator' | 'import' = 'api',
) {
  return hosts.archive({ hostnames, by, at: minute(5), scope: null, actor });
}

export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

export async function namesOf(records: Promise<readonly HostRecord[]>): Promise<string[]> {
  return (await records).map((record) => record.hostname);
}

/** A record as plain values, for comparing. */
export function plain(record: HostRecord | undefined): unknown {
  if (record === undefined) return undefined;
  const { labels, inventory, members, ...rest } = record;
  return { ...rest, labels: labels.value, inventory: inventory.value, members: members.value };
}

/** A record for `putDocuments`. */
export function documentOf(hostname: string, values: Partial<HostRecord> = {}): HostRecord {
  return {
    hostname,
    accountId: red.id,
    isObject: false,
    objectType: 'host',
    labels: labelsOf({ os: 'linux' }),
    inventory: StoredJson.ofValue({}),
    members: StoredJson.ofValue({}),
    folder: null,
    createdAt: minute(0),
    lastSeen: null,
    lastUpdate: null,
    archive: null,
    ...values,
  };
}

export function ruleWrite(
  id: number,
  name: string,
  document: JsonObject = {},
  more: Partial<RuleWrite> = {},
): RuleWrite {
  const oid = ruleId(id);
  return {
    type: 'custom_attributes',
    id: oid,
    name,
    uniqueName: true,
    document: StoredJson.ofValue({ _id: { $oid: oid }, name, ...document }),
    confirmedBy: 'operator',
    ...more,
  };
}

export function ruleId(number: number): string {
  return number.toString(16).padStart(24, '0');
}

export function writeRules(
  rules: RuleStore,
  entries: readonly RuleWrite[],
  mode: 'skip' | 'replace' = 'skip',
  number = 1,
): Promise<readonly RuleOutcome[]> {
  return rules.write({ entries, mode, at: minute(number), actor });
}

/** Text whose order differs between UTF-8 bytes, UTF-16 units and people's alphabets; in byte order. */
export const byteOrdered = [
  'A',
  'B',
  'Z',
  '_',
  'a',
  'ab',
  'b',
  'z',
  'Ä',
  'ä',
  'é',
  'Ω',
  '中',
  '\uffff',
  '\u{10000}',
  '\u{1f600}',
];
