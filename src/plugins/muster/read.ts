import { shown } from '../../kit/file-source/fault.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { RecordKeys } from '../../kit/records/record-keys.ts';
import { WholeList } from '../../kit/records/whole-list.ts';
import { phrase, type Said, saidBy, worded } from '../../kit/worded.ts';
import {
  AppError,
  type HttpClient,
  type HttpContext,
  HttpError,
  type JsonObject,
  type JsonValue,
  type ReadContext,
  type SourceItem,
  type SourceRecord,
  type SourceRelation,
  type Wording,
} from '../../ports/index.ts';
import type { MusterOptions } from './options.ts';

const HOSTS = 'api/v1/objects/all';
const RELATIONS_AT_ONCE = 4;

interface Page {
  readonly results: readonly JsonValue[];
  /** How many hosts there are in all. */
  readonly size: number;
}

/** How many hosts the other installation shows. */
export async function hostCount(client: HttpClient, context: HttpContext): Promise<number> {
  return (await pageAt(client, { start: 0, limit: 1 }, context)).size;
}

/**
 * Pages are positions in a list by name, which shift when hosts are added or removed. Each page therefore begins with the last
 * host of the previous one: if it finds a different host there, some may have been skipped, and the run must not count as
 * complete.
 */
export async function* readHosts(
  client: HttpClient,
  options: MusterOptions,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const { page_size: limit } = options;
  let last: string | undefined;
  for (let start = 0; ; ) {
    const from = last === undefined ? start : start - 1;
    const page = await pageAt(client, { start: from, limit }, context);
    const [first] = page.results;
    if (last !== undefined && nameOf(first) !== last) {
      yield [{ kind: 'gap', what: hostsFrom(start + 1), reason: MOVED }];
      last = undefined;
      if (start >= page.size) return;
      continue;
    }
    const fresh = last === undefined ? page.results : page.results.slice(1);
    if (fresh.length > 0) yield await itemsOf(client, fresh, { first: start, options, context });
    start += fresh.length;
    context.progress(start, page.size);
    if (start >= page.size) return;
    if (fresh.length === 0) {
      const reason = worded`the other Muster says that there are ${{ count: String(page.size) }}, and gives no more`;
      yield [{ kind: 'gap', what: hostsFrom(start + 1), reason }];
      return;
    }
    last = nameOf(fresh.at(-1));
  }
}

const MOVED = phrase`hosts were added or removed during the read; the next run reads them all`;

function hostsFrom(number: number): Wording {
  return worded`hosts from number ${{ number: String(number) }} on`;
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

async function pageAt(
  client: HttpClient,
  query: { readonly start: number; readonly limit: number },
  context: HttpContext,
): Promise<Page> {
  const { value = null, ...head } = await client.json({ path: HOSTS, query: { ...query, keys: 'true' } }, context);
  const { results, size } = membersOf(value);
  if (!Array.isArray(results) || typeof size !== 'number') {
    throw new AppError(
      'failed',
      worded`the answer to ${{ path: HOSTS }} is not a list of hosts; url must be the address of a Muster, without /api/v1`,
    );
  }
  const refusal = new WholeList([], 'results')
    .document(value, ['results'])
    .head(head.status, head.headers)
    .refusal(undefined);
  if (refusal !== undefined)
    throw new AppError(
      'failed',
      worded`the answer to ${{ path: HOSTS }} is not the whole list: ${{ reason: refusal }}`,
    );
  return { results: results as readonly JsonValue[], size };
}

async function itemsOf(
  client: HttpClient,
  hosts: readonly JsonValue[],
  {
    first,
    options,
    context,
  }: { readonly first: number; readonly options: MusterOptions; readonly context: HttpContext },
): Promise<readonly SourceItem[]> {
  const keys = new RecordKeys(options.key_fields);
  const items = hosts.map((host, index) => itemOf(host, `host ${first + index + 1}`, keys, options.inventory));
  if (!options.relations) return items;
  const related: SourceItem[] = [];
  for (let start = 0; start < items.length; start += RELATIONS_AT_ONCE) {
    const part = items.slice(start, start + RELATIONS_AT_ONCE);
    const asked = part.map((item) => (item.kind === 'record' ? withRelations(client, item, context) : [item]));
    related.push(...(await Promise.all(asked)).flat());
  }
  return related;
}

function itemOf(host: JsonValue, position: string, keys: RecordKeys, takesInventory: boolean): SourceItem {
  if (!isJsonObject(host)) return { kind: 'skipped', position, reason: phrase`is not an object` };
  const { hostname, labels, inventory } = host;
  const known = together(keysOf(host.keys), keys.of(isJsonObject(labels ?? null) ? (labels as JsonObject) : {}));
  if (typeof hostname !== 'string')
    return { kind: 'skipped', position, reason: phrase`has no hostname`, ...(known && { keys: known }) };
  if (labels === undefined || !isJsonObject(labels)) {
    return { kind: 'skipped', position, hostname, reason: phrase`has no labels` };
  }
  const record: SourceRecord = { kind: 'record', position, hostname, labels, ...(known && { keys: known }) };
  if (!takesInventory || inventory === undefined || !isJsonObject(inventory)) return record;
  return { ...record, inventory: inventory as Readonly<Record<string, JsonObject>> };
}

type Keys = Readonly<Record<string, readonly string[]>>;

/** An installation that gives no keys has older hosts; what an account there alone calls a host is nothing to us. */
function keysOf(given: JsonValue | undefined): Keys {
  const known = Object.entries(membersOf(given)).filter(([name, values]) => name !== 'id' && Array.isArray(values));
  return Object.fromEntries(known) as Keys;
}

function together(given: Keys, found: Keys | undefined): Keys | undefined {
  const made: Record<string, readonly string[]> = { ...given };
  for (const [name, values] of Object.entries(found ?? {}))
    made[name] = [...new Set([...(made[name] ?? []), ...values])];
  return Object.keys(made).length === 0 ? undefined : made;
}

/** Returns the host with its outgoing edges, and a gap if they could not be read. */
async function withRelations(
  client: HttpClient,
  record: SourceRecord,
  context: HttpContext,
): Promise<readonly SourceItem[]> {
  const path = `api/v1/objects/${encodeURIComponent(record.hostname)}/relations`;
  try {
    const { status, value } = await client.json({ path, accept: [404] }, context);
    if (status === 404)
      return [record, missing(record, phrase`the other Muster has CMDB_MODE off, or the host went meanwhile`)];
    const { outgoing } = membersOf(value);
    if (!Array.isArray(outgoing)) return [record, missing(record, phrase`the answer has none`)];
    return [{ ...record, relations: (outgoing as readonly JsonValue[]).flatMap(relationOf) }];
  } catch (error) {
    // Without a connection every further host would wait as long.
    if (error instanceof HttpError && error.fault === 'status') return [record, missing(record, saidBy(error))];
    throw error;
  }
}

function relationOf(edge: JsonValue): readonly SourceRelation[] {
  if (!isJsonObject(edge)) return [];
  const { type, target } = edge;
  return typeof type === 'string' && typeof target === 'string' ? [{ type, target }] : [];
}

function missing({ hostname }: SourceRecord, reason: Said): SourceItem {
  return { kind: 'gap', what: worded`the relations of ${{ hostname: shown(hostname) }}`, reason };
}

function nameOf(host: JsonValue | undefined): string | undefined {
  const name = host !== undefined && isJsonObject(host) ? host.hostname : undefined;
  return typeof name === 'string' ? name : undefined;
}
