import * as z from 'zod';
import { byBytes } from '../../kit/names/variable-names.ts';
import { detailOf, worded } from '../../kit/worded.ts';
import { AppError, type HostFilter, type HostRecord, type HostScope } from '../../ports/index.ts';
import { required } from '../hosts/decisions/check.ts';
import { scopeTest } from '../hosts/decisions/scope.ts';
import { providerName } from '../inventory/provider-name.ts';
import type { KnownValues } from '../inventory/served-values.ts';
import { type Caller, hostScopeOf } from '../kernel/caller.ts';
import type { Progress } from '../kernel/operation.ts';
import { RuleLimitError } from '../rules/engine/rule-meter.ts';
import { type HeldTexts, heldTexts } from './decisions/held-texts.ts';
import { type HostField, hostField } from './decisions/host-fields.ts';
import { type FieldFacts, hostTest, neededServed, type QueryFacts, servedHosts } from './decisions/host-test.ts';
import { ListMisses } from './decisions/list-misses.ts';
import { lookupsOf } from './decisions/looked-up.ts';
import { parseQuery } from './decisions/parse-query.ts';
import { type Query, testsOf } from './decisions/query.ts';
import { inventoryFacts, lookUp, mayAskInventory } from './look-up.ts';
import type { FindServices } from './services.ts';

/** Hosts that one call looks at, so that it never takes more than some seconds. */
export const MOST_LOOKED = 250_000;
/** How many hosts that were left out are named. */
const MOST_LEFT_OUT = 20;
/** The hosts that were left out, as part of an answer. */
export const leftOutSchema = z
  .array(z.string())
  .optional()
  .describe(
    'Hosts with a text that is too long for a pattern of the query, the first twenty: they are neither found nor counted',
  );
export const notFoundSchema = z
  .object({ values: z.array(z.string()), of: z.number().int() })
  .optional()
  .describe(
    'Values of a list such as name:(web01 web02) for which no host was found, and of how many; absent where each found one',
  );
/** Records of which relations are asked for at a time. */
const RELATED_AT_ONCE = 500;
/** Records that are read at a time if their names are known. */
const SERVED_AT_ONCE = 200;

export interface SearchRequest {
  readonly where: string;
  readonly kind: HostFilter['kind'];
  readonly state: HostFilter['state'];
  readonly account?: string | undefined;
  readonly provider: string;
}

export interface SearchCall {
  /** The operation that the audit log names if the served values show secrets added by rules. */
  readonly operation: string;
  readonly services: FindServices;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** After this many seconds a search for served values returns the hosts found so far; absent: all hosts are checked. */
  readonly seconds?: number | undefined;
  progress?(progress: Progress): void;
  /** Takes hosts with a text too long for a pattern of the query; absent: such a host is an error. */
  readonly leftOut?: Set<string>;
}

/** Those of a step that are found. */
interface FoundStep {
  readonly hosts: readonly HostRecord[];
  /** How many were looked at for them, and the last of these. */
  readonly looked: number;
  readonly last: string;
}

/** A query that was read and understood, with what it needs to know of others. */
export interface OpenedSearch {
  readonly filter: HostFilter;
  /** False for an empty query: every host of the filter is found. */
  readonly asks: boolean;
  /** True where the query itself says of which state hosts are. */
  readonly asksForState: boolean;
  /** Takes the hosts that are found, and says which values of lists found none. */
  readonly misses: ListMisses;
  /** The sources for the named fields, in addition to the hosts. */
  readonly known: FieldFacts;
  /** The last host that was checked; absent if all were. */
  readonly until?: KnownValues['until'];
  found(after: string | undefined): AsyncIterable<FoundStep>;
  /** Those of these records that are found. */
  among(hosts: readonly HostRecord[]): Promise<readonly HostRecord[]>;
}

/**
 * Throws `invalid_input` for a query that cannot be read, with the place and a correction. `shown`: fields whose values of each
 * host are needed as well.
 */
export async function openSearch(
  request: SearchRequest,
  call: SearchCall,
  shown: readonly string[] = [],
): Promise<OpenedSearch> {
  const { services, caller, signal, leftOut, operation, progress = ignoreProgress } = call;
  const query = required(parseQuery(request.where));
  const seconds = neededServed(query) === undefined ? undefined : call.seconds;
  const provider = providerName(request.provider);
  const asking = { services, caller, signal, operation, provider, progress, seconds: seconds ?? Infinity };
  const [scope, accounts, found, ofInventory] = await Promise.all([
    scopeOfAccount(request.account, call),
    services.accounts.list(null),
    lookUp(query, asking),
    inventoryFacts([...servedFields(query), ...shownFields(shown, caller)], asking),
  ]);
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const filter: HostFilter = { scope, kind: request.kind, state: asksForState(query) ? 'any' : request.state };
  const edges = new Map<string, Map<string, string[]>>();
  const known: FieldFacts = { accounts: names, ...ofInventory };
  const facts: QueryFacts = {
    ...known,
    now: services.clock.now(),
    found,
    targets: (hostname, type) => edges.get(hostname)?.get(type) ?? [],
  };
  const fits = required(hostTest(query, facts));
  const asksRelations = lookupsOf(query, []).some(({ kind, test }) => kind === 'relation' && !found.has(test));
  const holding: HeldTexts = heldTexts(query, found);

  async function relate(hosts: readonly HostRecord[]): Promise<void> {
    edges.clear();
    for (let start = 0; start < hosts.length; start += RELATED_AT_ONCE) {
      const hostnames = hosts.slice(start, start + RELATED_AT_ONCE).map(({ hostname }) => hostname);
      const stored = await services.storage.relations.of(hostnames);
      const targets = [...new Set(stored.map(({ target }) => target))];
      const visible = await services.storage.hosts.visible(targets, hostScopeOf(caller));
      for (const { hostname, type, target } of stored) {
        if (!visible.has(target)) continue;
        const types = edges.get(hostname) ?? new Map<string, string[]>();
        edges.set(hostname, types.set(type, [...(types.get(type) ?? []), target]));
      }
    }
  }

  const isOfFilter = filterTest(filter);
  const served = required(servedHosts(query, ofInventory.servedHosts, facts.now));

  async function among(hosts: readonly HostRecord[]): Promise<readonly HostRecord[]> {
    const asked = hosts.filter(isOfFilter);
    if (asksRelations) await relate(asked);
    return asked.filter((host) => fitsWithinLimits(host, fits, leftOut));
  }

  /** Reads only the named hosts: no others can be found. */
  async function* foundAmong(names: readonly string[], after: string | undefined): AsyncGenerator<FoundStep> {
    const sorted = names.filter((name) => after === undefined || byBytes(name, after) > 0).sort(byBytes);
    for (let start = 0; start < sorted.length; start += SERVED_AT_ONCE) {
      signal.throwIfAborted();
      const hostnames = sorted.slice(start, start + SERVED_AT_ONCE);
      const stored = await services.storage.hosts.findEach(hostnames);
      const hosts = await among(stored.filter((host) => host !== undefined));
      yield { hosts, looked: hostnames.length, last: hostnames.at(-1) ?? '' };
    }
  }

  return {
    filter,
    asks: query.kind !== 'everything',
    asksForState: asksForState(query),
    misses: new ListMisses(query, facts),
    known,
    ...(ofInventory.until !== undefined && { until: ofInventory.until }),
    async *found(after) {
      if (served !== undefined) return yield* foundAmong(served, after);
      const steps = services.storage.hosts.search({ filter, holding, ...(after === undefined ? {} : { after }) });
      for await (const { hosts, ...step } of steps) {
        signal.throwIfAborted();
        if (asksRelations) await relate(hosts);
        yield { ...step, hosts: hosts.filter((host) => fitsWithinLimits(host, fits, leftOut)) };
      }
    },
    among,
  };
}

/** Once all hosts that are found were looked at. */
export function notFound({ misses }: Pick<OpenedSearch, 'misses'>): { not_found?: z.infer<typeof notFoundSchema> } {
  const { missed, size } = misses;
  return missed.length === 0 ? {} : { not_found: { values: [...missed], of: size } };
}

/** Applies a filter like a store, for records that were read already. */
function filterTest({ scope, kind, state }: HostFilter): (host: HostRecord) => boolean {
  const reaches = scopeTest(scope);
  return (host) =>
    reaches({ accountId: host.accountId, members: host.members.text }) &&
    (kind === 'all' || host.isObject === (kind === 'objects')) &&
    (state === 'any' || (host.archive === null) === (state === 'active'));
}

/** A text too long for a pattern is an error that names its host, unless the answer can list the host as left out. */
function fitsWithinLimits(
  host: HostRecord,
  fits: (host: HostRecord) => boolean,
  leftOut: Set<string> | undefined,
): boolean {
  try {
    return fits(host);
  } catch (error) {
    if (!(error instanceof RuleLimitError)) throw error;
    if (leftOut !== undefined) {
      if (leftOut.size < MOST_LEFT_OUT) leftOut.add(host.hostname);
      return false;
    }
    const name = JSON.stringify(host.hostname);
    const said = worded`${{ hostname: host.hostname }}: ${{ reason: error.message }}; write a smaller pattern, or write ${{ without: `-name:${name}` }} in front of it`;
    throw new AppError('invalid_input', said, { details: [detailOf('where', said)] });
  }
}

function ignoreProgress(): void {
  // This caller shows no progress.
}

function servedFields(query: Query): readonly HostField[] {
  return testsOf(query).flatMap((test): readonly HostField[] => {
    const field = test.kind === 'test' ? hostField(test.field) : {};
    return field.served === undefined ? [] : [field];
  });
}

/** A column called group is a label too: who may not ask the inventory gets that alone. */
function shownFields(shown: readonly string[], caller: Caller): readonly HostField[] {
  const fields = shown.map(hostField);
  return mayAskInventory(caller) ? fields : fields.filter(({ own }) => own !== 'group');
}

/** A query for a state means hosts of any state. */
function asksForState(query: Query): boolean {
  return testsOf(query).some((test) => {
    const own = test.kind === 'test' ? hostField(test.field).own : undefined;
    return own === 'state' || own === 'archived';
  });
}

async function scopeOfAccount(name: string | undefined, { services, caller }: SearchCall): Promise<HostScope> {
  if (name === undefined) return hostScopeOf(caller);
  const { id } = await services.accounts.inScope(name, caller.scope);
  return { accounts: [id], templates: caller.templates };
}

/** Passes on the hosts that a search finds, a batch at a time. Returns false if there were too many to examine all of them. */
export async function lookAtFound(
  { found }: Pick<OpenedSearch, 'found'>,
  progress: (progress: Progress) => void,
  look: (hosts: readonly HostRecord[]) => void,
): Promise<boolean> {
  let looked = 0;
  for await (const step of found(undefined)) {
    look(step.hosts);
    looked += step.looked;
    progress({ done: looked, unit: 'hosts' });
    if (looked >= MOST_LOOKED) return false;
  }
  return true;
}
