import type { TransferPart } from '../../../ports/index.ts';
import { keyParts } from '../shared/transfer-key.ts';
import type { NextPage } from '../shared/transfer-pages.ts';
import { recordOf } from '../shared/transfer-table.ts';
import type { Connection, SqlValue } from './connection.ts';
import { PART_ROWS } from './transfer-rows.ts';

/** Reads a part in order of its keys, from behind `after` on. Every page is found by an index, however deep it is. */
export function readPart(connection: Connection, part: TransferPart, after = ''): NextPage {
  if (part === 'rule_versions' || part === 'host_changes') return readPlaced(connection, part, after);
  return part === 'contributions' ? readContributions(connection, after) : readRows(connection, part, after);
}

/** Rows that follow each other by the texts of their keys. */
function readRows<Part extends TransferPart>(connection: Connection, part: Part, after: string): NextPage {
  const rows = PART_ROWS[part];
  const key = rows.key.join(', ');
  const sql = `${rows.select} WHERE (${key}) > (${rows.key.map(() => '?')}) ORDER BY ${key} LIMIT ?`;
  let last = after;
  return (limit) => {
    const behind = keyParts(last).slice(0, rows.key.length);
    const found = connection.allRaw<SqlValue[]>(sql, ...behind, limit);
    const records = found.map((row) => recordOf(part, rows.item(row)));
    last = records.at(-1)?.key ?? last;
    return { records, done: records.length < limit };
  };
}

/** Parts whose rows have a place among those that share the first two columns, by their numbers. */
export type PlacedPart = 'rule_versions' | 'host_changes';

type PlacedRow = [first: SqlValue, second: SqlValue, seq: number, ...others: SqlValue[]];

/** The row that has this place among those of a rule, or of a moment of a host. */
export function rowAt(
  connection: Connection,
  part: PlacedPart,
  [first, second, place]: readonly [SqlValue, SqlValue, number],
): PlacedRow | undefined {
  const { select, key } = PART_ROWS[part];
  const sql = `${select} WHERE ${key[0]} = ? AND ${key[1]} = ? ORDER BY seq LIMIT 1 OFFSET ?`;
  return connection.getRaw<PlacedRow>(sql, first, second, place);
}

function readPlaced<Part extends PlacedPart>(connection: Connection, part: Part, after: string): NextPage {
  const rows = PART_ROWS[part];
  const key = rows.key.join(', ');
  const sql = `${rows.select} WHERE (${key}) > (?, ?, ?) ORDER BY ${key} LIMIT ?`;
  const [afterFirst, afterSecond, afterPlace] = keyParts(after);
  let first: SqlValue = afterFirst;
  let second: SqlValue = part === 'host_changes' ? timeOf(afterSecond) : afterSecond;
  let place = afterPlace === '' ? -1 : Number(afterPlace);
  let seq = -1;
  // Behind a place that no row has comes what follows the rule or the moment.
  if (place >= 0) seq = rowAt(connection, part, [first, second, place])?.[2] ?? Number.MAX_SAFE_INTEGER;
  return (limit) => {
    const found = connection.allRaw<PlacedRow>(sql, first, second, seq, limit);
    const records = found.map((row) => {
      place = row[0] === first && row[1] === second ? place + 1 : 0;
      [first, second, seq] = row;
      return recordOf(part, { ...rows.item(row), place });
    });
    return { records, done: found.length < limit };
  };
}

/** Before all times without one. */
function timeOf(moment: string): number {
  return moment === '' ? Number.MIN_SAFE_INTEGER : Date.parse(moment);
}

/** Few hosts have contributions, so hosts are walked by their index, this many at a time, and looked up. */
const HOSTS_A_STEP = 2_000;

function readContributions(connection: Connection, after: string): NextPage {
  const rows = PART_ROWS.contributions;
  const sql = `SELECT ${rows.columns} FROM (SELECT id, hostname FROM hosts WHERE hostname >= ? AND hostname <= ?) h
    CROSS JOIN contributions c ON c.host_id = h.id WHERE h.hostname > ? OR c.account_id > ?
    ORDER BY h.hostname, c.account_id LIMIT ?`;
  const stepEnd = `SELECT max(hostname) FROM
    (SELECT hostname FROM hosts WHERE hostname >= ? ORDER BY hostname LIMIT ${HOSTS_A_STEP})`;
  let [hostname, accountId] = keyParts(after);
  return (limit) => {
    const end = connection.getRaw<[string | null]>(stepEnd, hostname)?.[0] ?? null;
    if (end === null) return { records: [], done: true };
    const found = connection.allRaw<SqlValue[]>(sql, hostname, end, hostname, accountId, limit);
    const items = found.map((row) => rows.item(row));
    const last = items.at(-1);
    const finished = items.length < limit;
    const done = finished && end === hostname;
    if (!finished && last !== undefined) ({ hostname, accountId } = last);
    else {
      // Everything up to the end of the step is read; no account comes behind this one.
      hostname = end;
      accountId = '\u{10ffff}';
    }
    return { records: items.map((item) => recordOf('contributions', item)), done };
  };
}
