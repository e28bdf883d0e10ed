import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { required } from '../hosts/decisions/check.ts';
import type { IndexedHost, InventoryIndex } from '../inventory/inventory-index.ts';
import { browseInventory } from '../inventory/operations/browse-inventory.ts';
import { noteSecrets } from '../inventory/operations/render-inventory.ts';
import { renderMode } from '../inventory/render-mode.ts';
import type { KnownValues, ServedValues } from '../inventory/served-values.ts';
import { type Caller, hostScopeOf } from '../kernel/caller.ts';
import { denialOf } from '../kernel/may.ts';
import type { Progress } from '../kernel/operation.ts';
import { valueTest } from './decisions/compare-values.ts';
import type { HostField } from './decisions/host-fields.ts';
import type { FieldFacts, QueryFacts } from './decisions/host-test.ts';
import { type Lookup, lookupsOf } from './decisions/looked-up.ts';
import type { FieldTest, Query } from './decisions/query.ts';
import type { FindServices } from './services.ts';

export interface Asking {
  readonly services: FindServices;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly operation: string;
  /** The inventory that `group` and `served` ask. */
  readonly provider: string;
  /** After this many seconds the served values known so far are enough. */
  readonly seconds: number;
  progress(progress: Progress): void;
}

/** Facts of the inventory about hosts. */
export interface InventoryFacts extends Pick<FieldFacts, 'groups' | 'served'> {
  /** Returns the hosts with values at one of the requested places. */
  servedHosts(path: readonly string[]): ServedValues;
  /** The last host that was checked; absent if all were. */
  readonly until?: KnownValues['until'];
}

/** The hosts that keys, relations and groups of a query lead to, by the test that asks for them. */
export async function lookUp(query: Query, asking: Asking): Promise<QueryFacts['found']> {
  const found = new Map<Lookup['test'], Set<string>>();
  for (const lookup of lookupsOf(query, asking.services.config.WORTHLESS_VALUES)) {
    const names = await namesOf(lookup, asking);
    if (names === undefined) continue;
    const known = found.get(lookup.test) ?? new Set();
    for (const name of names) known.add(name);
    found.set(lookup.test, known);
  }
  return found;
}

function namesOf(lookup: Lookup, asking: Asking): Promise<Iterable<string> | undefined> {
  if (lookup.kind === 'key') return holdersOf(lookup.key, asking);
  return lookup.kind === 'group' ? hostsInGroups(lookup.test, asking) : sourcesOf(lookup.test, lookup.type, asking);
}

async function holdersOf(key: string, { services }: Asking): Promise<readonly string[]> {
  return (await services.storage.marks.holders([key])).map(({ hostname }) => hostname);
}

/** From the other end, where that is one host by name; `undefined` where each host has to be asked for its relations. */
async function sourcesOf(
  { comparison, value, isQuoted }: FieldTest,
  type: string,
  { services, caller }: Asking,
): Promise<readonly string[] | undefined> {
  if (comparison !== '=' || (!isQuoted && value.includes('*'))) return undefined;
  const relations = await services.storage.relations.list(value, hostScopeOf(caller));
  return relations?.inbound.filter((edge) => edge.type === type).map(({ hostname }) => hostname);
}

async function hostsInGroups(test: FieldTest, asking: Asking): Promise<readonly string[]> {
  const fits = required(valueTest(test, asking.services.clock.now()));
  const index = await indexOf(asking);
  const wanted = new Set([...index.groups.keys()].filter(fits));
  const isWanted = (host: IndexedHost): boolean => [...index.groupsOf(host)].some((group) => wanted.has(group));
  return index.hosts.filter(isWanted).map(({ hostname }) => hostname);
}

/** Facts of the inventory for these fields; it is asked only if one of them is a group, or part of the served values. */
export async function inventoryFacts(fields: readonly HostField[], asking: Asking): Promise<InventoryFacts> {
  const paths = new Map(fields.flatMap(({ served }) => (served === undefined ? [] : [[placeOf(served), served]])));
  const [groups, { values, until }] = await Promise.all([
    fields.some(({ own }) => own === 'group') ? groupsByHost(asking) : () => [],
    paths.size === 0 ? NOTHING : valuesAt([...paths.values()], asking),
  ]);
  const byPlace = new Map([...paths.keys()].map((place, index) => [place, values[index]]));
  const servedHosts = (path: readonly string[]): ServedValues => byPlace.get(placeOf(path)) ?? NO_HOSTS;
  return {
    groups,
    servedHosts,
    served: (hostname, path) => servedHosts(path).get(hostname) ?? NONE,
    ...(until !== undefined && { until }),
  };
}

const NO_HOSTS: ServedValues = new Map();
const NOTHING: KnownValues = { values: [] };
const NONE: readonly never[] = [];

function placeOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

async function valuesAt(paths: readonly (readonly string[])[], asking: Asking): Promise<KnownValues> {
  const { services, caller, operation, provider, seconds, signal } = asking;
  const progress = (looked: number): void => asking.progress({ done: looked, unit: 'hosts' });
  const known = await services.inventories.values(inventoryOf(asking, 'served.'), paths, { seconds, signal, progress });
  noteSecrets(services, caller, { operation, subject: provider });
  return known;
}

async function groupsByHost(asking: Asking): Promise<FieldFacts['groups']> {
  const index = await indexOf(asking);
  const hosts = new Map(index.hosts.map((host) => [host.hostname, host]));
  return (hostname) => {
    const host = hosts.get(hostname);
    return host === undefined ? NONE : index.groupsOf(host);
  };
}

async function indexOf(asking: Asking): Promise<InventoryIndex> {
  return asking.services.inventories.index(inventoryOf(asking, 'group:'));
}

function inventoryOf({ services, caller, signal, provider }: Asking, written: string) {
  requireInventory(caller, written);
  return { provider, request: { scope: hostScopeOf(caller), signal }, render: renderMode(services, caller) };
}

/** Throws `forbidden` for a caller who may not ask the inventory, which this part of the query does. */
export function requireInventory(caller: Caller, written: string): void {
  if (mayAskInventory(caller)) return;
  throw new AppError(
    'forbidden',
    worded`${{ written }} asks the inventory, which needs the role automation; leave it out, or ask an administrator for the role`,
  );
}

export function mayAskInventory(caller: Caller): boolean {
  return denialOf(caller, browseInventory) === undefined;
}
