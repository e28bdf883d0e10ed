import { createHash } from 'node:crypto';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type GroupRules,
  type InventoryDocument,
  type InventoryGroup,
  type InventoryHost,
  type InventoryProvider,
  type InventoryProviderFamily,
  type InventoryRequest,
  type Logger,
  type ProviderServices,
  StoredJson,
  type WaitingRule,
} from '../../ports/index.ts';
import type { StreamAnswer } from '../kernel/operation.ts';
import { guarded } from '../kernel/plugin-host/guard.ts';
import { guardedStream } from '../kernel/plugin-host/guarded-stream.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import type { HostToExplain } from '../rules/services.ts';
import { InventoryIndex } from './inventory-index.ts';
import type { KeptInventories } from './kept/kept-inventories.ts';
import type { InventorySource } from './kept/kept-inventory.ts';
import { KeptByRevision } from './kept-by-revision.ts';
import { membershipsOf, withoutGroups } from './memberships.ts';
import { reportOfNames, type TroubledName } from './name-report.ts';
import {
  faultOf,
  hostsOfDocument,
  type RenderMode,
  type RenderOptions,
  renderHostVariables,
  renderInventory,
  servedGroupName,
} from './render.ts';
import { type KnownValues, type ReadingTime, type ServedValues, ServedValuesReading } from './served-values.ts';
import { orAborted, SharedRenderings } from './shared-renderings.ts';

export interface InventoryCatalogueDeps {
  readonly plugins: PluginRegistry;
  readonly services: ProviderServices;
  readonly timeoutSeconds: number;
  /** Keeps whole inventories for later requests; absent in processes that end after the first. */
  readonly kept?: KeptInventories;
  readonly logger: Logger;
}

export interface InventoryQuery {
  readonly provider: string;
  /** One host's variables instead of the whole document. */
  readonly hostname?: string;
  /** Only these hosts of the whole document, with their groups. All of them, or the answer breaks off with `not_found`. */
  readonly hostnames?: readonly string[];
  /** With `hostname`: the document of that one host and its groups, as consumers of the whole one read it. */
  readonly asDocument?: boolean;
  readonly request: InventoryRequest;
  readonly render: RenderMode;
  /** Tags of answers that the caller already has. */
  readonly knownTags?: readonly string[];
}

interface FoundProvider {
  readonly pluginId: string;
  readonly provider: InventoryProvider;
}

/** Its hosts are what the rules made, within the limits of stored hosts and documents. */
const OWN_PLUGIN = 'automation-inventory';
const MEDIA_TYPE = 'application/json';
const INDEXES_KEPT = 4;
const FIELDS_KEPT = 8;
const NO_VALUES: ServedValues = new Map();

/** All inventory providers under their names, and the one way to get an answer out of them. */
export class InventoryCatalogue {
  readonly #deps: InventoryCatalogueDeps;
  readonly #providers = new Map<string, FoundProvider>();
  readonly #families = new Map<string, InventoryProviderFamily>();
  readonly #indexes = new KeptByRevision<InventoryIndex>(INDEXES_KEPT);
  readonly #reports = new KeptByRevision<readonly TroubledName[]>(INDEXES_KEPT);
  readonly #values = new KeptByRevision<ServedValues>(FIELDS_KEPT);
  readonly #readings = new KeptByRevision<ServedValuesReading>(FIELDS_KEPT);
  readonly #renderings = new SharedRenderings();

  constructor(deps: InventoryCatalogueDeps) {
    this.#deps = deps;
  }

  /** Names of all providers, sorted. A family that fails is left out and logged. */
  async names(): Promise<readonly string[]> {
    const names = new Set(this.#deps.plugins.providers().keys());
    for (const [family, { pluginId }] of this.#deps.plugins.families()) {
      try {
        const found = await this.#call(pluginId, `inventory providers ${family}`, () => this.#family(family).names());
        for (const name of found) names.add(name);
      } catch (error) {
        this.#deps.logger.error('inventory providers left out of the list', { family, error });
      }
    }
    return [...names].sort();
  }

  /** The answer of one provider, tagged by what it depends on. Unknown provider or host: `not_found`. */
  async answer(query: InventoryQuery): Promise<StreamAnswer> {
    const found = await this.#find(query.provider);
    const label = `inventory provider ${query.provider}`;
    const revision = await this.#call(
      found.pluginId,
      label,
      () => found.provider.revision?.(query.request),
      query.request.signal,
    );
    const etag =
      revision === undefined
        ? undefined
        : tagOf([
            query.provider,
            query.hostname ?? null,
            query.hostnames ?? null,
            query.asDocument === true,
            query.request.scope,
            query.render,
            revision,
          ]);
    if (etag !== undefined && query.knownTags?.includes(etag)) return unchanged(etag);
    const logger = this.#deps.logger.child({ provider: query.provider });
    const options: RenderOptions = { ...query.render, logger, foreign: found.pluginId !== OWN_PLUGIN };
    if (etag === undefined) return hashedAnswer(await this.#body(found, label, query, options), query.knownTags ?? []);
    const body =
      query.hostname === undefined && query.hostnames === undefined
        ? await this.#wholeBody(
            found,
            label,
            // A process that ends after the first would wait for a replica that is away, and tell of it, again each time.
            { ...query, request: { ...query.request, mayReadReplica: this.#deps.kept !== undefined } },
            options,
            etag,
          )
        : await this.#body(found, label, query, options);
    return { mediaType: MEDIA_TYPE, etag, unchanged: false, body };
  }

  /** The whole document: what was kept of it with what changed since, or rendered. */
  async #wholeBody(
    found: FoundProvider,
    label: string,
    query: InventoryQuery,
    options: RenderOptions,
    etag: string,
  ): Promise<AsyncIterable<string | Uint8Array>> {
    const { kept } = this.#deps;
    const source = kept === undefined ? undefined : await this.#source(found, label, query.request, options);
    if (kept === undefined || source === undefined) {
      return this.#sharedBody(etag, query.request, (request) =>
        this.#body(found, label, { ...query, request }, options),
      );
    }
    const key = tagOf([query.provider, query.request.scope, query.render]);
    return (
      (await kept.read(key, source)) ??
      this.#sharedBody(etag, query.request, async (request) =>
        kept.render(key, source, await this.#hosts(found, label, request)),
      )
    );
  }

  /** How parts of the whole document are made; `undefined` where its provider makes all of it at once. */
  async #source(
    found: FoundProvider,
    label: string,
    request: InventoryRequest,
    options: RenderOptions,
  ): Promise<InventorySource | undefined> {
    const parts = await this.#call(found.pluginId, label, () => found.provider.parts?.(request), request.signal);
    if (parts === undefined) return undefined;
    if (typeof parts?.revision !== 'string' || typeof parts.hosts !== 'function') {
      throw new AppError(
        'failed',
        `plugin ${found.pluginId}: ${label} did not answer parts of an inventory; parts() must return {revision, hosts} or undefined`,
      );
    }
    return {
      parts: {
        revision: parts.revision,
        hosts: (hostnames) => this.#call(found.pluginId, label, () => parts.hosts(hostnames)),
      },
      options: { ...options, groups: await this.#groups(found, label, request) },
    };
  }

  /**
   * Returns the whole document, shared by all who request it at the same time. A request after a write has another tag, and so
   * gets another rendering. A rendering continues for the others if the one who began it leaves.
   */
  async #sharedBody(
    etag: string,
    request: InventoryRequest,
    make: (request: InventoryRequest) => Promise<AsyncIterable<string>>,
  ): Promise<AsyncIterable<string>> {
    const given = new AbortController();
    const { signal } = request;
    const abort = (): void => given.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const body = await make({ ...request, signal: given.signal });
      return this.#renderings.read(etag, { body, abort: () => given.abort() }, signal);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #body(
    found: FoundProvider,
    label: string,
    query: InventoryQuery,
    options: RenderOptions,
  ): Promise<AsyncIterable<string>> {
    const { hostname } = query;
    if (hostname !== undefined && !query.asDocument) {
      return single(await this.#hostText(found, label, hostname, query, options));
    }
    const { request } = query;
    const groups = await this.#groups(found, label, request);
    if (hostname === undefined) {
      const hosts = await this.#hosts(found, label, request);
      if (query.hostnames === undefined) return renderInventory(hosts, { ...options, groups });
      const { lostGroups, takenNames } = await this.index(query);
      const some = onlyHosts(hosts, query.hostnames, query);
      return renderInventory(some, { ...options, groups, usedGroupsOnly: true, lostGroups, takenNames });
    }
    const host = await this.#hostWithGroups(found, label, hostname, query);
    const lostGroups = await this.#lostGroups(query, host.groups);
    const memberships = membershipsOf({ groups: host.groups, groupRules: {} }, groups, (group) =>
      lostGroups.has(group) ? undefined : nameOfGroup(group, query.render),
    );
    const names = memberships.map(({ group }) => group);
    const takenNames = await this.#hostsAmong(found, label, names, query);
    return renderInventory(iterate([[host]]), { ...options, groups, usedGroupsOnly: true, lostGroups, takenNames });
  }

  /** Which of one host's groups are not served; only names that change can be, and then all hosts are looked at. */
  async #lostGroups(query: InventoryQuery, groups: readonly string[]): Promise<ReadonlySet<string>> {
    const isSame = (group: string): boolean => (nameOfGroup(group, query.render) ?? group) === group;
    return groups.every(isSame) ? new Set() : (await this.index(query)).lostGroups;
  }

  /** Whether its hosts are stored ones as the rules make them. Unknown provider: `not_found`. */
  async isOfRules(provider: string): Promise<boolean> {
    return (await this.#find(provider)).pluginId === OWN_PLUGIN;
  }

  /** Documents that keep playbooks from running with this inventory until an administrator confirms them. */
  async waiting(provider: string): Promise<readonly WaitingRule[]> {
    const found = await this.#find(provider);
    const label = `inventory provider ${provider}`;
    return (await this.#call(found.pluginId, label, () => found.provider.waiting?.())) ?? [];
  }

  /**
   * Reports what consumers find in the names of an inventory: names that became one, hosts and groups that are left out, and
   * variables that Ansible refuses or reserves. `most`: number of hosts after which it ends; absent: all are read, and the report
   * is kept until what it depends on changes.
   */
  async nameReport(
    query: Omit<InventoryQuery, 'hostname' | 'knownTags'>,
    most = Number.POSITIVE_INFINITY,
  ): Promise<readonly TroubledName[]> {
    const { provider, request, render } = query;
    const found = await this.#find(provider);
    const label = `inventory provider ${provider}`;
    const make = async (asked: InventoryRequest): Promise<readonly TroubledName[]> =>
      reportOfNames(
        await this.#hosts(found, label, asked),
        { ...render, foreign: found.pluginId !== OWN_PLUGIN, groups: await this.#groups(found, label, asked) },
        most,
      );
    const revision = await this.#call(found.pluginId, label, () => found.provider.revision?.(request), request.signal);
    if (revision === undefined || most !== Number.POSITIVE_INFINITY) return make(request);
    const shared = this.#reports.get(tagOf([provider, request.scope, render]), revision, () => make(unending(request)));
    return orAborted(shared, request.signal);
  }

  /** Which hosts and groups the whole document has; kept until what it depends on changes. */
  async index({ provider, request, render }: Omit<InventoryQuery, 'hostname' | 'knownTags'>): Promise<InventoryIndex> {
    const found = await this.#find(provider);
    const label = `inventory provider ${provider}`;
    const revision = await this.#call(found.pluginId, label, () => found.provider.revision?.(request), request.signal);
    const make = async (asked: InventoryRequest): Promise<InventoryIndex> =>
      InventoryIndex.of(await this.#hosts(found, label, asked), {
        isServed: (host) => faultOf(host, render) === undefined,
        groupName: (group) => nameOfGroup(group, render),
        definitions: await this.#groups(found, label, asked),
      });
    if (revision === undefined) return make(request);
    const shared = this.#indexes.get(tagOf([provider, request.scope, render]), revision, () => make(unending(request)));
    return orAborted(shared, request.signal);
  }

  /**
   * Returns the served values of its hosts at each of these places; kept until what they depend on changes. All hosts are read, despite the
   * time limit, in an inventory that is not kept or not in order of hostname.
   */
  async values(
    { provider, request, render }: Omit<InventoryQuery, 'hostname' | 'knownTags'>,
    paths: readonly (readonly string[])[],
    time: ReadingTime,
  ): Promise<KnownValues> {
    const found = await this.#find(provider);
    const label = `inventory provider ${provider}`;
    const revision = await this.#call(found.pluginId, label, () => found.provider.revision?.(request), request.signal);
    const all = { ...time, seconds: Number.POSITIVE_INFINITY };
    if (revision === undefined) {
      return new ServedValuesReading(await this.#hosts(found, label, request), render, paths).known(all);
    }
    const keyOf = (path: readonly string[]): string => tagOf([provider, request.scope, render, path]);
    const kept = await Promise.all(paths.map((path) => this.#values.known(keyOf(path), revision)));
    const missing = paths.filter((_, at) => kept[at] === undefined);
    if (missing.length === 0) return { values: kept.map((values) => values ?? NO_VALUES) };
    const key = tagOf([provider, request.scope, render, missing]);
    const reading = await this.#readings.get(key, revision, async () => {
      return new ServedValuesReading(await this.#hosts(found, label, unending(request)), render, missing);
    });
    const known = await reading.known(found.pluginId === OWN_PLUGIN ? time : all).finally(() => {
      if (reading.hasFailed) this.#readings.forget(key);
    });
    if (known.until === undefined) {
      this.#readings.forget(key);
      missing.forEach((path, at) => {
        void this.#values.get(keyOf(path), revision, async () => known.values[at] ?? NO_VALUES);
      });
    }
    const read = new Map(missing.map((path, at) => [path, known.values[at]]));
    return { ...known, values: paths.map((path, at) => kept[at] ?? read.get(path) ?? NO_VALUES) };
  }

  /** Returns why a host is in its groups. `record`: the stored host, if it is one. Throws `not_found` for an unknown provider. */
  async memberships(query: Omit<InventoryQuery, 'hostname' | 'knownTags'>, host: HostToExplain) {
    const { provider, request, render } = query;
    const found = await this.#find(provider);
    const label = `inventory provider ${provider}`;
    const { groups, record } = host;
    const groupRules = record === undefined ? undefined : (await this.groupRules(provider, request.signal))?.(record);
    const definitions = await this.#groups(found, label, request);
    const lost = await this.#lostGroups(query, [...groups, ...Object.keys(groupRules ?? {})]);
    const memberships = membershipsOf({ groups, groupRules: groupRules ?? {} }, definitions, (group) =>
      lost.has(group) ? undefined : nameOfGroup(group, render),
    );
    const names = memberships.map(({ group }) => group);
    return withoutGroups(memberships, await this.#hostsAmong(found, label, names, query));
  }

  /** Which of these names are hosts of the inventory. */
  async #hostsAmong(
    found: FoundProvider,
    label: string,
    names: readonly string[],
    query: InventoryQuery,
  ): Promise<ReadonlySet<string>> {
    const each = [...new Set(names)];
    if (each.length === 0) return new Set();
    const { request, render } = query;
    const parts = await this.#call(found.pluginId, label, () => found.provider.parts?.(request), request.signal);
    const hosts =
      parts === undefined
        ? await Promise.all(each.map((name) => this.#hostIfAny(found, label, name, query)))
        : await this.#call(found.pluginId, label, () => parts.hosts(each), request.signal);
    const served = hosts.filter((host) => host !== undefined && faultOf(host, render) === undefined);
    return new Set(served.flatMap((host) => host?.hostname ?? []));
  }

  /**
   * Returns the groups that stored hosts are in, in addition to those that their variables name. Throws `not_found` for an
   * unknown provider.
   */
  async groupRules(provider: string, signal?: AbortSignal): Promise<GroupRules | undefined> {
    const { pluginId, provider: found } = await this.#find(provider);
    return this.#call(pluginId, `inventory provider ${provider}`, () => found.groupRules?.(), signal);
  }

  /** Returns the groups of its inventory as defined by rules. Throws `not_found` for an unknown provider. */
  async groups(provider: string, request: InventoryRequest): Promise<readonly InventoryGroup[]> {
    return this.#groups(await this.#find(provider), `inventory provider ${provider}`, request);
  }

  async #groups(
    { pluginId, provider }: FoundProvider,
    label: string,
    request: InventoryRequest,
  ): Promise<readonly InventoryGroup[]> {
    return (await this.#call(pluginId, label, () => provider.groups?.(request), request.signal)) ?? [];
  }

  async #hosts(
    found: FoundProvider,
    label: string,
    request: InventoryRequest,
  ): Promise<AsyncIterable<readonly InventoryHost[]>> {
    const answer = await this.#call(found.pluginId, label, () => found.provider.full(request), request.signal);
    if (isStream(answer)) {
      const { timeoutSeconds } = this.#deps;
      return guardedStream({ pluginId: found.pluginId, what: label, timeoutSeconds, signal: request.signal }, answer);
    }
    return iterate(hostsOfDocument(checkedDocument(answer, found.pluginId, label)));
  }

  async #hostText(
    found: FoundProvider,
    label: string,
    hostname: string,
    query: InventoryQuery,
    options: RenderOptions,
  ): Promise<string> {
    const rendered = renderHostVariables(await this.#host(found, label, hostname, query), options);
    if ('text' in rendered) return rendered.text;
    throw leftOut(query.provider, hostname, rendered.fault);
  }

  async #host(found: FoundProvider, label: string, hostname: string, query: InventoryQuery): Promise<InventoryHost> {
    const host = await this.#hostIfAny(found, label, hostname, query);
    if (host !== undefined) return host;
    throw new AppError(
      'not_found',
      worded`inventory provider ${{ provider: query.provider }} has no host ${{ hostname }}`,
    );
  }

  async #hostIfAny(
    found: FoundProvider,
    label: string,
    hostname: string,
    query: InventoryQuery,
  ): Promise<InventoryHost | undefined> {
    const variables = await this.#call(
      found.pluginId,
      label,
      () => found.provider.host(hostname, query.request),
      query.request.signal,
    );
    if (variables === false || variables === null || typeof variables !== 'object') return undefined;
    if (isInventoryHost(variables)) return variables;
    return { hostname, variables: StoredJson.ofValue(variables), groups: [] };
  }

  /** Returns a host with its groups. If the provider answers variables only, the groups are taken from its whole document. */
  async #hostWithGroups(
    found: FoundProvider,
    label: string,
    hostname: string,
    query: InventoryQuery,
  ): Promise<InventoryHost> {
    const { signal } = query.request;
    const host = await this.#host(found, label, hostname, query);
    const fault = faultOf(host, query.render);
    if (fault !== undefined) throw leftOut(query.provider, hostname, fault);
    const answer = await this.#call(found.pluginId, label, () => found.provider.full(query.request), signal);
    if (isStream(answer)) return host;
    const all = [...hostsOfDocument(checkedDocument(answer, found.pluginId, label))].flat();
    return { ...host, groups: all.find((other) => other.hostname === hostname)?.groups ?? [] };
  }

  async #find(name: string): Promise<FoundProvider> {
    const known = this.#providers.get(name);
    if (known !== undefined) return known;
    const registered = this.#deps.plugins.providers().get(name);
    if (registered !== undefined) {
      const { pluginId } = registered;
      const provider = await this.#call(pluginId, `inventory provider ${name}`, () =>
        registered.item(this.#deps.services),
      );
      const found = { pluginId, provider };
      this.#providers.set(name, found);
      return found;
    }
    for (const [family, { pluginId }] of this.#deps.plugins.families()) {
      const provider = await this.#call(pluginId, `inventory provider ${name}`, () =>
        this.#family(family).provider(name),
      );
      if (provider !== undefined) return { pluginId, provider };
    }
    const names = await this.names();
    throw new AppError(
      'not_found',
      worded`there is no inventory provider ${{ name }}; known ones: ${{ names: names.join(', ') }}`,
    );
  }

  #family(name: string): InventoryProviderFamily {
    let family = this.#families.get(name);
    if (family === undefined) {
      const registered = this.#deps.plugins.families().get(name);
      if (registered === undefined) throw new AppError('internal', `family ${name} vanished`);
      family = registered.item(this.#deps.services);
      this.#families.set(name, family);
    }
    return family;
  }

  #call<T>(pluginId: string, what: string, run: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const { timeoutSeconds } = this.#deps;
    return guarded({ pluginId, what, timeoutSeconds, ...(signal === undefined ? {} : { signal }) }, run);
  }
}

export function nameOfGroup(group: string, render: RenderMode): string | undefined {
  const served = servedGroupName(group, render);
  return 'name' in served ? served.name : undefined;
}

/** The same request for what later callers get too, so that a caller who leaves does not end it for them. */
function unending(request: InventoryRequest): InventoryRequest {
  return { ...request, signal: new AbortController().signal };
}

function leftOut(provider: string, hostname: string, fault: string): AppError {
  return new AppError(
    'not_found',
    worded`inventory provider ${{ provider }} leaves the host ${{ hostname }} out: ${{ fault }}`,
  );
}

/** Names are compared as they are: none is a pattern. */
async function* onlyHosts(
  batches: AsyncIterable<readonly InventoryHost[]>,
  hostnames: readonly string[],
  { provider, render }: InventoryQuery,
): AsyncGenerator<readonly InventoryHost[]> {
  const wanted = new Set(hostnames);
  const missing = new Set(hostnames);
  for await (const batch of batches) {
    const hosts = batch.filter((host) => wanted.has(host.hostname) && faultOf(host, render) === undefined);
    for (const { hostname } of hosts) missing.delete(hostname);
    if (hosts.length > 0) yield hosts;
  }
  const [hostname] = missing;
  if (hostname === undefined) return;
  throw new AppError('not_found', worded`inventory provider ${{ provider }} has no host ${{ hostname }}`);
}

function tagOf(parts: readonly unknown[]): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
}

function unchanged(etag: string): StreamAnswer {
  return { mediaType: MEDIA_TYPE, etag, unchanged: true, body: single('') };
}

/** Makes the tag from the answer itself, if there is no revision: it is produced as a whole and hashed. */
async function hashedAnswer(body: AsyncIterable<string>, knownTags: readonly string[]): Promise<StreamAnswer> {
  const chunks: string[] = [];
  const hash = createHash('sha256');
  for await (const chunk of body) {
    chunks.push(chunk);
    hash.update(chunk);
  }
  const etag = `"${hash.digest('base64url').slice(0, 27)}"`;
  if (knownTags.includes(etag)) return unchanged(etag);
  return { mediaType: MEDIA_TYPE, etag, unchanged: false, body: iterate(chunks) };
}

async function* single(text: string): AsyncGenerator<string> {
  yield text;
}

async function* iterate<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

function isStream(answer: unknown): answer is AsyncIterable<readonly InventoryHost[]> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/** Providers of streams may answer a host in the stream's form, which keeps what the author marked as expression. */
function isInventoryHost(value: object): value is InventoryHost {
  return 'variables' in value && value.variables instanceof StoredJson;
}

function checkedDocument(value: unknown, pluginId: string, label: string): InventoryDocument {
  const document = value as Partial<InventoryDocument> | null | undefined;
  const hostvars: unknown = document?._meta?.hostvars;
  const hosts: unknown = document?.all?.hosts;
  const named = Array.isArray(hosts) && hosts.every((host) => typeof host === 'string');
  if (typeof hostvars !== 'object' || hostvars === null || !named) {
    throw new AppError(
      'failed',
      `plugin ${pluginId}: ${label} did not answer an inventory; it must return {_meta: {hostvars}, all: {hosts}}`,
    );
  }
  return document as InventoryDocument;
}
