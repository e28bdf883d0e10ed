import { setOwn } from '../../../kit/file-source/own-property.ts';
import { httpClientOf } from '../../../kit/http-account/client.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { compileHostnameTemplate } from '../../../kit/options/hostname-template.ts';
import { withBeats } from '../../../kit/records/heartbeat.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import {
  AppError,
  type HttpClient,
  type JsonObject,
  type JsonValue,
  type ReadContext,
  type SourceItem,
} from '../../../ports/index.ts';
import { planOf } from '../plan.ts';
import type { RestRequest } from '../read.ts';
import { readList } from '../read-list.ts';
import { type RelatedOptions, type RelatedTable, relatedTables, relationQuery } from './related-options.ts';

/** Records of one table, and relations of them, are held in memory. */
const MOST_RECORDS = 500_000;
const BATCH_SIZE = 200;
const RELATIONS = 'cmdb_rel_ci';

export interface RelatedRequest {
  readonly request: RestRequest;
  readonly related: RelatedOptions;
}

/** A configuration item that records belong to. */
interface Item {
  readonly id: string;
  readonly name: string;
}

/** The account's settings for requests, and the client for them. */
interface Reading extends RelatedRequest {
  readonly client: HttpClient;
  readonly signal: AbortSignal;
}

/**
 * Reads the records of further tables and gives them to the hosts that they belong to: for each host and table a record that fills the
 * section of that table. References are read with the `sys_id` of what they lead to, which is the key `id` of hosts that were imported.
 */
export async function* readRelated(
  { request, related }: RelatedRequest,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const tables = relatedTables(related);
  const { options } = await planOf(request);
  const client = await httpClientOf(options, request.account, request.services, context);
  const reading: Reading = { request, related, client, signal: context.signal };
  try {
    for (const table of tables) yield* withBeats(itemsOf(reading, table));
  } finally {
    await client.close();
  }
}

async function* itemsOf(
  reading: Reading,
  { table, field }: RelatedTable,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const relations = field === undefined ? await relationsOf(reading, table) : undefined;
  const found = new Map<string, { readonly item: Item; readonly records: JsonObject[] }>();
  let count = 0;
  let alone = 0;
  let isPart = false;
  const { inventorize_query: sysparm_query = '', inventorize_fields: fields = '' } = reading.related;
  // The fields that identify a record and its item are always read.
  const sysparm_fields = fields === '' ? '' : [fields, field ?? 'sys_id'].join(',');
  for await (const part of rowsOf(reading, { tables: table, sysparm_query, sysparm_fields })) {
    if (!isRow(part)) {
      isPart = true;
      yield [{ ...part, what: worded`${{ list: table }}, ${{ part: part.what }}` }];
      continue;
    }
    if (++count > MOST_RECORDS) {
      throw new AppError(
        'failed',
        worded`${{ table }} has more than ${{ most: String(MOST_RECORDS) }} records; have inventorize_query ask for fewer of them`,
      );
    }
    const items =
      relations === undefined ? itemAt(part.row, field ?? '') : (relations.get(rawAt(part.row, 'sys_id')) ?? []);
    if (items.length === 0) alone++;
    for (const item of items) {
      const known = found.get(item.id);
      if (known === undefined) found.set(item.id, { item, records: [part.row] });
      else known.records.push(part.row);
    }
  }
  if (relations?.size === 0 && count > 0) {
    const reason = phrase`no relation of its records could be found, so that none of them has a host; check inventorize_relation_types, and what the user may read of cmdb_rel_ci`;
    yield [{ kind: 'gap', what: worded`${{ table }}, relations`, reason }];
  }
  if (isPart) yield [...found.values()].map(({ item }) => unsure(table, item));
  else yield* filling(reading, table, [...found.values()]);
  const reason = `of ${table} belong to no configuration item`;
  if (alone > 0) yield [{ kind: 'left_out', count: alone, reason }];
}

/** A section with a part of its records would lose the others. */
function unsure(table: string, { name }: Item): SourceItem {
  const reason = phrase`not all of its records could be read`;
  return { kind: 'skipped', position: `${table}, ${name}`, hostname: name, reason };
}

async function* filling(
  { request, related }: Reading,
  table: string,
  found: readonly { readonly item: Item; readonly records: readonly JsonObject[] }[],
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const template = compileHostnameTemplate(related.inventorize_rewrite_parent ?? '', {}, 'inventorize_rewrite_parent');
  const isRaw = request.parameters?.sysparm_display_value === 'false';
  for (let start = 0; start < found.length; start += BATCH_SIZE) {
    yield found.slice(start, start + BATCH_SIZE).map(({ item, records }): SourceItem => {
      const position = `${table}, ${item.name}`;
      const content = numbered(records.map((record) => flat(record, isRaw)));
      const fills = { suffix: table, content, named: true } as const;
      const keys = { id: [item.id] };
      if (template === undefined) return { kind: 'record', position, hostname: item.name, labels: {}, keys, fills };
      try {
        const scope = new Map<string, JsonValue>([['HOSTNAME', item.name]]);
        const hostname = template({ get: (name) => scope.get(name), attributes: () => scope });
        return { kind: 'record', position, hostname, labels: {}, keys, fills };
      } catch (error) {
        const reason = `inventorize_rewrite_parent makes no name of it: ${error instanceof Error ? error.message : String(error)}`;
        return { kind: 'skipped', position, hostname: item.name, reason };
      }
    });
  }
}

/** By the `sys_id` of an item those at the other ends of its relations, whichever direction they have. */
async function relationsOf(reading: Reading, table: string): Promise<ReadonlyMap<string, readonly Item[]>> {
  const index = new Map<string, Item[]>();
  let count = 0;
  const add = (from: Item, to: Item): void => {
    const known = index.get(from.id);
    if (known === undefined) index.set(from.id, [to]);
    else if (known.every(({ id }) => id !== to.id)) known.push(to);
  };
  const asked = {
    tables: RELATIONS,
    sysparm_query: relationQuery(table, reading.related),
    sysparm_fields: 'parent,child',
  };
  for await (const part of rowsOf(reading, asked)) {
    if (!isRow(part)) {
      // Records without their relations would be taken from their hosts.
      throw new AppError(
        'failed',
        worded`${{ table: RELATIONS }} cannot be read as a whole: ${{ what: part.what }}: ${{ reason: part.reason }}`,
      );
    }
    if (++count > MOST_RECORDS) {
      throw new AppError(
        'failed',
        worded`${{ table }} has more than ${{ most: String(MOST_RECORDS) }} relations; have inventorize_relation_types name those that count`,
      );
    }
    const [parent] = itemAt(part.row, 'parent');
    const [child] = itemAt(part.row, 'child');
    if (parent === undefined || child === undefined) continue;
    add(parent, child);
    add(child, parent);
  }
  return index;
}

type Part = { readonly row: JsonObject } | Extract<SourceItem, { readonly kind: 'gap' }>;

function isRow(part: Part): part is { readonly row: JsonObject } {
  return 'row' in part;
}

/** The records of a table, each field with its value and how people read it. */
async function* rowsOf(
  { request, client, signal }: Reading,
  parameters: Readonly<Record<string, string>>,
): AsyncGenerator<Part, void, undefined> {
  const { api_path } = request.parameters ?? {};
  const plan = await planOf({
    ...request,
    parameters: { ...(api_path === undefined ? {} : { api_path }), ...parameters, sysparm_display_value: 'all' },
  });
  for (const { request: list } of plan.lists) {
    for await (const part of readList(client, list, { signal })) {
      if (part.kind === 'gap') yield part;
      else for (const row of part.records) if (isJsonObject(row)) yield { row };
    }
  }
}

/** Returns the item that a reference points to; nothing for an empty reference. */
function itemAt(row: JsonObject, field: string): readonly Item[] {
  const id = rawAt(row, field);
  return id === '' ? [] : [{ id, name: shownAt(row, field) || id }];
}

function rawAt(row: JsonObject, field: string): string {
  return memberAt(row, field, 'value');
}

function shownAt(row: JsonObject, field: string): string {
  return memberAt(row, field, 'display_value');
}

function memberAt(row: JsonObject, field: string, member: 'value' | 'display_value'): string {
  const found = Object.hasOwn(row, field) ? row[field] : undefined;
  const value = found !== undefined && isJsonObject(found) ? found[member] : found;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The fields that are not empty, as the account reads them. */
function flat(row: JsonObject, isRaw: boolean): ReadonlyMap<string, string> {
  const read = isRaw ? rawAt : shownAt;
  return new Map(
    Object.keys(row)
      .map((field) => [field, read(row, field)] as const)
      .filter(([, value]) => value !== ''),
  );
}

/** As existing installations keep several records: every field behind the number of its record. */
function numbered(records: readonly ReadonlyMap<string, string>[]): JsonObject {
  const content: Record<string, JsonValue> = {};
  for (const [index, record] of records.entries()) {
    for (const [field, value] of record) setOwn(content, `${index}_${field}`, value);
  }
  return content;
}
