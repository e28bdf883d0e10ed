import { counted } from '../../../kit/words/amounts.ts';
import type { StorageProblem } from '../../../ports/index.ts';
import type { Connection } from './connection.ts';
import { isDamage, toAppError } from './errors.ts';
import { TRUE_ACCOUNTS, TRUE_SEEN } from './true-counters.ts';

/** Subject of the problems that the writer can put right. */
export const COUNTERS = 'counters';

/** Looks for damage and for what does not fit together. Each look is one statement over a whole table. */
export function* findProblems(read: Connection, only: 'damage' | undefined): Generator<StorageProblem> {
  const damaged = [...damage(read)];
  yield* damaged;
  // The other looks would stumble over it.
  if (damaged.length > 0) return;
  yield* brokenJson(read);
  if (only === 'damage') return;
  for (const look of [lostRows, unknownAccounts]) yield* look(read);
  for (const message of wrongCounters(read)) yield problem(COUNTERS, message);
}

function problem(subject: string, message: string): StorageProblem {
  return { subject, message, fixed: false };
}

function damage(read: Connection): StorageProblem[] {
  let rows: [string][];
  try {
    rows = read.allRaw<[string]>('PRAGMA integrity_check(20)');
  } catch (error) {
    // A page that this look itself stumbles over.
    if (isDamage(error)) return [problem('database', toAppError(error, read.path).message)];
    throw error;
  }
  return rows
    .filter(([message]) => message !== 'ok')
    .map(([message]) => problem('database', `${message.replaceAll('\n', '; ')}; restore a backup`));
}

const JSON_TEXTS: readonly (readonly [subject: string, sql: string])[] = [
  [
    'host',
    `SELECT hostname FROM hosts WHERE NOT ${isObject('labels')} OR NOT ${isObject('inventory')} OR NOT ${isObject('members')}`,
  ],
  ['host', `SELECT h.hostname FROM contributions c JOIN hosts h ON h.id = c.host_id WHERE NOT ${isObject('c.labels')}`],
  ['rule', `SELECT type || '/' || id FROM rules WHERE NOT ${isObject('document')}`],
];

function isObject(column: string): string {
  return `CASE WHEN json_valid(${column}) THEN json_type(${column}) = 'object' ELSE 0 END`;
}

function brokenJson(read: Connection): StorageProblem[] {
  return JSON_TEXTS.flatMap(([subject, sql]) =>
    read
      .allRaw<[string]>(`${sql} LIMIT 100`)
      .map(([name]) => problem(`${subject} ${name}`, 'its text is not a JSON object; restore a backup')),
  );
}

function lostRows(read: Connection): StorageProblem[] {
  const keys = read
    .allRaw<[string, number]>('PRAGMA foreign_key_check')
    .map(([table, row]) => problem(`${table} ${row}`, 'belongs to a host that does not exist'));
  const marks = read
    .allRaw<[string]>('SELECT hostname FROM hosts WHERE id NOT IN (SELECT id FROM host_marks) LIMIT 100')
    .map(([name]) => problem(`host ${name}`, 'has no row for when it was seen'));
  return [...keys, ...marks];
}

function unknownAccounts(read: Connection): StorageProblem[] {
  const rows = read.allRaw<[string, number]>(
    `SELECT account_id, count(*) FROM hosts WHERE account_id IS NOT NULL
     AND account_id NOT IN (SELECT id FROM rules WHERE type = 'accounts') GROUP BY account_id`,
  );
  return rows.map(([id, count]) =>
    problem(`account ${id}`, `${counted(count, 'host belongs', 'hosts belong')} to an account that does not exist`),
  );
}

/** Finds counters with wrong values, in one state of the database. */
function wrongCounters(read: Connection): string[] {
  return read.snapshot(() => {
    const wrong: string[] = [];
    const accounts = 'SELECT account_id, hosts, objects, archived_hosts, archived_objects FROM account_counters';
    const nonZero = 'hosts <> 0 OR objects <> 0 OR archived_hosts <> 0 OR archived_objects <> 0';
    if (differ(read, `${accounts} WHERE ${nonZero}`, TRUE_ACCOUNTS))
      wrong.push('hosts of accounts are counted wrongly');
    if (differ(read, 'SELECT account_id, unit, at, hosts FROM seen_counts', TRUE_SEEN)) {
      wrong.push('sightings of hosts are counted wrongly');
    }
    const ranges = read.getRaw<[number]>(
      `SELECT count(*) FROM host_ranges r WHERE hosts <> (SELECT count(*) FROM hosts INDEXED BY hosts_active
       WHERE archived_at IS NULL AND is_object = 0 AND hostname >= r.first
       AND hostname < coalesce((SELECT min(first) FROM host_ranges WHERE first > r.first), hostname || 'a'))`,
    );
    const covered = read.getRaw<[number]>(
      "SELECT count(*) FROM host_ranges WHERE first = '' OR NOT EXISTS (SELECT 1 FROM hosts WHERE is_object = 0 AND archived_at IS NULL)",
    );
    const any = read.getRaw('SELECT 1 FROM hosts WHERE is_object = 0 AND archived_at IS NULL LIMIT 1') !== undefined;
    if ((ranges?.[0] ?? 0) > 0 || (any && (covered?.[0] ?? 0) === 0))
      wrong.push('ranges of hostnames are counted wrongly');
    return wrong;
  });
}

function differ(read: Connection, left: string, right: string): boolean {
  const sql = `SELECT 1 WHERE EXISTS (SELECT * FROM (${left}) EXCEPT SELECT * FROM (${right}))
    OR EXISTS (SELECT * FROM (${right}) EXCEPT SELECT * FROM (${left}))`;
  return read.getRaw(sql) !== undefined;
}
