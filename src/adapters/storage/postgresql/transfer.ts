import { templatesOf } from '../../../kit/document/templates.ts';
import { type StorageTransfer, TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../../../ports/index.ts';
import { isRecordPart, type RecordPart, TransferredRecords } from '../records/transfer-records.ts';
import { groupBy } from '../shared/group-by.ts';
import { keyParts } from '../shared/transfer-key.ts';
import { type NextPage, pagesOf } from '../shared/transfer-pages.ts';
import { itemOf, recordOf, refuseOtherVersion, type TransferItem } from '../shared/transfer-table.ts';
import type { Database, Sql } from './database.ts';
import { bumpRevision, renewFeed } from './feed.ts';
import { TEMPLATES } from './host-changes.ts';
import { type Column, listsOf, memberName } from './lists.ts';
import { recordsOf } from './records.ts';
import { RULE_FIELDS, storeRules } from './rules.ts';

type OwnPart = Exclude<TransferPart, RecordPart>;
type Row = readonly unknown[];

/** A column of a part, and the field that it holds where that has another name; `archive.at` is a member of a field. */
type Field = readonly [column: string, type: 'text' | 'bigint' | 'boolean', path?: string];

/** The place of a part that has tables of its own. */
interface PartTable {
  readonly table: string;
  /** Source of the reading, if not the table alone. */
  readonly from?: string;
  /** Prefixes of the column names there. */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** The columns of the key, in order; the last one of a part with places is the number of its row. */
  readonly key: readonly string[];
  readonly fields: readonly Field[];
}

/** Moving everything that the database holds. */
export function postgresqlTransfer(database: Database): StorageTransfer {
  return {
    async *read(part, { after, batchSize }) {
      yield* pagesOf(readPart(database, part, after), batchSize);
    },

    async *snapshot(batchSize) {
      const sql = await database.openSnapshot();
      try {
        for (const part of TRANSFER_PARTS) {
          for await (const records of pagesOf(readPart(sql, part, undefined), batchSize)) yield { part, records };
        }
      } finally {
        await sql.end();
      }
    },

    write: (part, records) => database.transaction((sql) => writePart(sql, part, records)),

    async count(part) {
      if (isRecordPart(part)) return new TransferredRecords(recordsOf(database)).count(part);
      return (await database.rows<[number]>(`SELECT count(*) FROM muster.${TABLES[part].table}`))[0]?.[0] ?? 0;
    },

    clear: () =>
      database.transaction(async (sql) => {
        const types = await sql.rows<[string]>('SELECT DISTINCT type FROM muster.rules ORDER BY type');
        const [hosts] = await sql.rows<[boolean]>('SELECT EXISTS (SELECT 1 FROM muster.hosts)');
        for (const table of [
          'hosts',
          'host_changes',
          'relations',
          'account_marks',
          'rules',
          'rule_versions',
          'records',
        ])
          await sql.run(`DELETE FROM muster.${table}`);
        await renewFeed(sql);
        for (const [type] of types) await bumpRevision(sql, `rules/${type}`);
        if (hosts?.[0] === true) await bumpRevision(sql, 'hosts');
      }),
  };
}

function readPart(sql: Sql, part: TransferPart, after = ''): NextPage {
  if (isRecordPart(part)) {
    const records = new TransferredRecords(recordsOf(sql));
    let last = after;
    return async (limit) => {
      const found = await records.read(part, last, limit);
      last = found.at(-1)?.key ?? last;
      return { records: found, done: found.length < limit };
    };
  }
  if (part === 'rule_versions' || part === 'host_changes') return readPlaced(sql, part, after);
  return readRows(sql, part, after);
}

function readRows<Part extends OwnPart>(sql: Sql, part: Part, after: string): NextPage {
  const { select, key } = readingOf(part);
  const behind = key.map((_, index) => `$${index + 1}`);
  let last = after;
  return async (limit) => {
    const rows = await sql.rows(
      `${select} WHERE (${key}) > (${behind}) ORDER BY ${key} LIMIT ${limit}`,
      keyParts(last).slice(0, key.length),
    );
    const records = rows.map((row) => recordOf(part, itemOfRow(part, row)));
    last = records.at(-1)?.key ?? last;
    return { records, done: records.length < limit };
  };
}

/** Parts whose rows have a place among those that share the first two columns, by their numbers. */
function readPlaced<Part extends 'rule_versions' | 'host_changes'>(sql: Sql, part: Part, after: string): NextPage {
  const { select, key } = readingOf(part);
  const text = `${select} WHERE (${key}) > ($1, $2, $3) ORDER BY ${key}`;
  const [first, second, placeText] = keyParts(after);
  let shared: readonly [unknown, unknown] = [first, part === 'host_changes' ? timeOf(second) : second];
  let place = placeText === '' ? -1 : Number(placeText);
  let seq: number | undefined = place < 0 ? -1 : undefined;
  return async (limit) => {
    // Behind a place that no row has comes what follows the rule or the moment.
    seq ??= await numberAt(sql, part, shared, place);
    const rows = await sql.rows(`${text} LIMIT ${limit}`, [...shared, seq]);
    const records = rows.map((row) => {
      place = row[0] === shared[0] && row[1] === shared[1] ? place + 1 : 0;
      shared = [row[0], row[1]];
      seq = Number(row[2]);
      return recordOf(part, { ...itemOfRow(part, row), place });
    });
    return { records, done: rows.length < limit };
  };
}

function timeOf(moment: string): number {
  return moment === '' ? Number.MIN_SAFE_INTEGER : Date.parse(moment);
}

async function numberAt(
  sql: Sql,
  part: 'rule_versions' | 'host_changes',
  shared: readonly [unknown, unknown],
  place: number,
): Promise<number> {
  const { table, key } = TABLES[part];
  const rows = await sql.rows<[number]>(
    `SELECT ${key[2]} FROM muster.${table} WHERE ${key[0]} = $1 AND ${key[1]} = $2 ORDER BY ${key[2]} LIMIT 1 OFFSET ${place}`,
    [...shared],
  );
  return rows[0]?.[0] ?? Number.MAX_SAFE_INTEGER;
}

async function writePart(sql: Sql, part: TransferPart, records: readonly TransferRecord[]): Promise<void> {
  if (records.length === 0) return;
  if (isRecordPart(part)) await new TransferredRecords(recordsOf(sql)).write(part, records);
  else await putRecords(sql, part, records);
}

async function putRecords<Part extends OwnPart>(
  sql: Sql,
  part: Part,
  records: readonly TransferRecord[],
): Promise<void> {
  const items = records.map((record) => itemOf(part, record));
  // If two records share a key, the later one counts.
  const byKey = new Map(records.map(({ key }, index) => [key, items[index]]));
  const kept = [...byKey.values()].flatMap((item) => item ?? []);
  const put = SPECIAL[part];
  if (put === undefined) await putRows(sql, part, kept);
  else await put(sql, kept);
  if (part !== 'hosts' && part !== 'host_changes') return;
  await renewFeed(sql);
  if (part === 'hosts') await bumpRevision(sql, 'hosts');
}

const TABLES: { readonly [Part in OwnPart]: PartTable } = {
  rules: {
    table: 'rules',
    key: ['type', 'id'],
    fields: RULE_FIELDS,
  },
  rule_versions: {
    table: 'rule_versions',
    key: ['type', 'id', 'seq'],
    fields: [
      ['type', 'text'],
      ['id', 'text'],
      ['seq', 'bigint', 'place'],
      ['name', 'text'],
      ['version', 'bigint'],
      ['at', 'bigint'],
      ['actor', 'text'],
      ['change', 'text'],
      ['document', 'text'],
    ],
  },
  hosts: {
    table: 'hosts',
    from: 'muster.hosts h JOIN muster.host_marks m USING (id)',
    key: ['hostname'],
    fields: [
      ['hostname', 'text'],
      ['account_id', 'text'],
      ['is_object', 'boolean'],
      ['object_type', 'text'],
      ['labels', 'text'],
      ['inventory', 'text'],
      ['members', 'text'],
      ['folder', 'text'],
      ['created_at', 'bigint'],
      ['created_kind', 'text', 'createdBy.kind'],
      ['created_by', 'text', 'createdBy.name'],
      ['last_update', 'bigint'],
      ['archived_at', 'bigint', 'archive.at'],
      ['archived_by', 'text', 'archive.by'],
      ['last_seen', 'bigint'],
      ['run_id', 'text'],
    ],
  },
  contributions: {
    table: 'contributions',
    from: 'muster.contributions c JOIN muster.hosts h ON h.id = c.host_id',
    prefixes: { hostname: 'h.', account_id: 'c.', labels: 'c.' },
    key: ['hostname', 'account_id'],
    fields: [
      ['hostname', 'text'],
      ['account_id', 'text'],
      ['precedence', 'bigint'],
      ['is_owner', 'boolean', 'owner'],
      ['labels', 'text'],
      ['at', 'bigint'],
      ['run_id', 'text'],
    ],
  },
  relations: {
    table: 'relations',
    key: ['hostname', 'type', 'target', 'source'],
    fields: [
      ['hostname', 'text'],
      ['type', 'text'],
      ['target', 'text'],
      ['source', 'text'],
      ['named_at', 'bigint'],
    ],
  },
  account_marks: {
    table: 'account_marks',
    key: ['hostname', 'kind', 'value', 'account_id'],
    fields: [
      ['hostname', 'text'],
      ['kind', 'text'],
      ['value', 'text'],
      ['account_id', 'text'],
      ['at', 'bigint'],
    ],
  },
  host_changes: {
    table: 'host_changes',
    key: ['hostname', 'at', 'seq'],
    fields: [
      ['hostname', 'text'],
      ['at', 'bigint'],
      ['seq', 'bigint', 'place'],
      ['actor_kind', 'text', 'actor.kind'],
      ['actor_name', 'text', 'actor.name'],
      ['kind', 'text'],
      ['changes', 'text'],
    ],
  },
};

/** The statement that reads a part, without its condition, and the columns of its key there. */
function readingOf(part: OwnPart): { readonly select: string; readonly key: readonly string[] } {
  const { table, from = `muster.${table}`, prefixes = {}, key, fields } = TABLES[part];
  const named = (column: string): string => (prefixes[column] ?? '') + column;
  return { select: `SELECT ${fields.map(([column]) => named(column))} FROM ${from}`, key: key.map(named) };
}

function pathOf([column, , path]: Field): readonly [field: string, member?: string] {
  const [field = '', member] = (path ?? memberName(column)).split('.');
  return member === undefined ? [field] : [field, member];
}

/** The columns of a part hold the fields that its type has. */
function itemOfRow<Part extends OwnPart>(part: Part, row: Row): TransferItem<Part> {
  const item: Record<string, unknown> = {};
  for (const [index, each] of TABLES[part].fields.entries()) {
    const [field, member] = pathOf(each);
    const value = row[index];
    if (member === undefined) item[field] = value;
    else item[field] = value === null ? null : Object.assign(item[field] ?? {}, { [member]: value });
  }
  return item as TransferItem<Part>;
}

/** The columns of a part that its own table has, as lists take them. */
function columnsOf<Item>(part: OwnPart, ...without: readonly string[]): readonly Column<Item>[] {
  return TABLES[part].fields
    .filter(([column]) => !without.includes(column))
    .map((each): Column<Item> => {
      const [field, member] = pathOf(each);
      return [
        each[0],
        each[1],
        (item) => {
          const value: unknown = Reflect.get(Object(item), field);
          return (member === undefined || value === null ? value : Reflect.get(Object(value), member)) ?? null;
        },
      ];
    });
}

/** Stores rows in place of those with their key. */
async function putRows<Item>(
  sql: Sql,
  part: OwnPart,
  items: readonly Item[],
  columns: readonly Column<Item>[] = columnsOf(part),
  key: readonly string[] = TABLES[part].key,
): Promise<void> {
  if (items.length === 0) return;
  const { names, rows, values } = listsOf(items, columns);
  const replaced = columns.map(([name]) => name).filter((name) => !key.includes(name));
  await sql.run(
    `INSERT INTO muster.${TABLES[part].table} (${names}) SELECT ${names} FROM ${rows}
     ON CONFLICT (${key}) DO UPDATE SET ${replaced.map((name) => `${name} = excluded.${name}`)}`,
    values,
  );
}

/** Parts that are more than rows to be replaced. */
const SPECIAL: { readonly [Part in OwnPart]?: (sql: Sql, items: readonly TransferItem<Part>[]) => Promise<void> } = {
  rules: storeRules,

  rule_versions: (sql, items) =>
    putPlaced(sql, 'rule_versions', items, {
      shared: ({ type, id }) => [type, id],
      check: (row, item) => refuseOtherVersion(itemOfRow('rule_versions', row), item),
    }),

  async hosts(sql, items) {
    await putRows(sql, 'hosts', items, columnsOf('hosts', 'last_seen', 'run_id'));
    const { rows, values } = listsOf(items, [
      ['hostname', 'text'],
      ['templates', 'text', ({ members }) => JSON.stringify(templatesOf(members))],
      ['last_seen', 'bigint'],
      ['run_id', 'text'],
    ]);
    await sql.run(
      `WITH u AS MATERIALIZED (SELECT * FROM ${rows}),
       named AS (UPDATE muster.hosts h SET templates = ${TEMPLATES} FROM u WHERE h.hostname = u.hostname AND (u.templates <> '[]' OR h.templates <> '{}'))
       INSERT INTO muster.host_marks (id, last_seen, run_id)
       SELECT h.id, u.last_seen, u.run_id FROM u JOIN muster.hosts h USING (hostname)
       ON CONFLICT (id) DO UPDATE SET last_seen = excluded.last_seen, run_id = excluded.run_id`,
      values,
    );
  },

  async contributions(sql, items) {
    const { names, rows, values } = listsOf(items, columnsOf('contributions'));
    const own = names.replace('hostname, ', '');
    const replaced = own.split(', ').map((name) => `${name} = excluded.${name}`);
    await sql.run(
      `WITH put AS (INSERT INTO muster.contributions (host_id, ${own})
         SELECT h.id, ${own.split(', ').map((name) => `u.${name}`)} FROM ${rows} JOIN muster.hosts h USING (hostname)
         ON CONFLICT (host_id, account_id) DO UPDATE SET ${replaced} RETURNING host_id)
       UPDATE muster.hosts SET contributed = true WHERE id IN (SELECT host_id FROM put)`,
      values,
    );
  },

  async host_changes(sql, items) {
    // Changes of hosts that are not there are left out.
    const rows = await sql.rows<[string]>('SELECT hostname FROM muster.hosts WHERE hostname = ANY($1::text[])', [
      items.map(({ hostname }) => hostname),
    ]);
    const known = new Set(rows.map(([name]) => name));
    const kept = items.filter(({ hostname }) => known.has(hostname));
    await putPlaced(sql, 'host_changes', kept, { shared: ({ hostname, at }) => [hostname, String(at)] });
  },
};

interface Placing<Item> {
  /** The two texts that its place is among. */
  shared(item: Item): readonly [string, string];
  /** Throws where the row may not be replaced. */
  check?(row: Row, item: Item): void;
}

/** Stores each row under the number of the one that has its place, or as the newest. */
async function putPlaced<Item extends { readonly place: number }>(
  sql: Sql,
  part: 'rule_versions' | 'host_changes',
  items: readonly Item[],
  { shared, check }: Placing<Item>,
): Promise<void> {
  if (items.length === 0) return;
  const { select, key } = readingOf(part);
  const found = await sql.rows(
    `${select} WHERE (${key[0]}, ${key[1]}::text) IN (SELECT * FROM unnest($1::text[], $2::text[])) ORDER BY ${key}`,
    [items.map((item) => shared(item)[0]), items.map((item) => shared(item)[1])],
  );
  const present = groupBy(found, (row) => `${row[0]}\u0000${row[1]}`);
  const replaced: Item[] = [];
  const added: Item[] = [];
  for (const item of items) {
    const row = present.get(shared(item).join('\u0000'))?.[item.place];
    if (row === undefined) added.push(item);
    else {
      check?.(row, item);
      replaced.push({ ...item, place: Number(row[2]) });
    }
  }
  await putRows(sql, part, replaced, columnsOf(part), ['seq']);
  if (added.length === 0) return;
  const { names, rows, values } = listsOf(added, columnsOf(part, 'seq'));
  await sql.run(`INSERT INTO muster.${part} (${names}) SELECT ${names} FROM ${rows} ORDER BY number`, values);
}
