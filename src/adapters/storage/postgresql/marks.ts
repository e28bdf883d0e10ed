import type { HostMark, KeyedHost, MarkedBy, MarkKind, MarkStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Database } from './database.ts';

const MARKS = 'SELECT account_id, kind, value, hostname, at FROM muster.account_marks';
type MarkRow = readonly [string, MarkKind, string, string, number];

/** Records what accounts did to hosts, in PostgreSQL. */
export function postgresqlMarks(database: Database): MarkStore {
  async function put(accountId: string, kind: MarkKind, keys: readonly KeyedHost[], at: Date): Promise<void> {
    if (keys.length === 0) return;
    await database.run(
      `INSERT INTO muster.account_marks AS m (hostname, kind, value, account_id, at)
       SELECT DISTINCT hostname, $2, value, $1, $3::bigint FROM unnest($4::text[], $5::text[]) AS u(hostname, value) ORDER BY 1, 3
       ON CONFLICT (hostname, kind, value, account_id) DO UPDATE SET at = greatest(m.at, excluded.at)`,
      [accountId, kind, at.getTime(), ...columnsOf(keys)],
    );
  }

  async function remove(accountId: string, kind: MarkKind, keys: readonly KeyedHost[], since: Date): Promise<void> {
    if (keys.length === 0) return;
    await database.run(
      `DELETE FROM muster.account_marks m USING unnest($4::text[], $5::text[]) AS u(hostname, value)
       WHERE m.hostname = u.hostname AND m.value = u.value AND m.account_id = $1 AND m.kind = $2 AND m.at < $3`,
      [accountId, kind, since.getTime(), ...columnsOf(keys)],
    );
  }

  const columnsOf = (keys: readonly KeyedHost[]) =>
    (['hostname', 'value'] as const).map((field) => keys.map((key) => wellFormed(key[field])));

  const keysOf = (hostnames: readonly string[], value: string): readonly KeyedHost[] =>
    hostnames.map((hostname) => ({ hostname, value }));

  return {
    put: ({ accountId, kind, value, hostnames, at }) => put(accountId, kind, keysOf(hostnames, value), at),
    putKeys: ({ accountId, keys, at }) => put(accountId, 'key', keys, at),

    async count({ accountId, kind, value }) {
      const [row] = await database.rows<[number]>(
        'SELECT count(*) FROM muster.account_marks WHERE account_id = $1 AND kind = $2 AND value = $3',
        [accountId, kind, value],
      );
      return row?.[0] ?? 0;
    },

    async values({ accountId, kind }) {
      const rows = await database.rows<[string]>(
        'SELECT DISTINCT value FROM muster.account_marks WHERE account_id = $1 AND kind = $2 ORDER BY value',
        [accountId, kind],
      );
      return rows.map(([value]) => value);
    },

    async *unrenewed({ batchSize, ...mark }) {
      for await (const batch of unrenewed(database, mark, batchSize)) yield batch.map(({ hostname }) => hostname);
    },

    unrenewedKeys: ({ batchSize, ...request }) => unrenewed(database, { kind: 'key', ...request }, batchSize),

    async of(hostnames) {
      const rows = await database.rows<MarkRow>(
        `${MARKS} WHERE hostname = ANY($1::text[]) ORDER BY hostname, kind, value, account_id`,
        [hostnames.map(wellFormed)],
      );
      return rows.map(toMark);
    },

    async holders(values) {
      const rows = await database.rows<MarkRow>(
        `${MARKS} WHERE kind = 'key' AND value = ANY($1::text[]) ORDER BY value, hostname, account_id`,
        [values.map(wellFormed)],
      );
      return rows.map(toMark);
    },

    remove: ({ accountId, kind, value, hostnames, since }) => remove(accountId, kind, keysOf(hostnames, value), since),
    removeKeys: ({ accountId, keys, since }) => remove(accountId, 'key', keys, since),

    clear: (accountId) => database.run('DELETE FROM muster.account_marks WHERE account_id = $1', [accountId]),
  };
}

/** Marks that were last renewed before a time, by value, then hostname. */
async function* unrenewed(
  database: Database,
  {
    accountId,
    kind,
    value = null,
    since,
  }: Omit<MarkedBy, 'value'> & { readonly value?: string | null; readonly since: Date },
  batchSize: number,
): AsyncGenerator<readonly KeyedHost[]> {
  let last: KeyedHost = { value: '', hostname: '' };
  for (;;) {
    const rows = await database.rows<[string, string]>(
      `SELECT value, hostname FROM muster.account_marks WHERE account_id = $1 AND kind = $2 AND ($3::text IS NULL OR value = $3)
       AND (value, hostname) > ($4, $5) AND at < $6 ORDER BY value, hostname LIMIT $7`,
      [accountId, kind, value, last.value, last.hostname, since.getTime(), batchSize],
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(([own, hostname]) => ({ hostname, value: own }));
    if (rows.length < batchSize) return;
    last = { value: end[0], hostname: end[1] };
  }
}

function toMark([accountId, kind, value, hostname, at]: MarkRow): HostMark {
  return { accountId, kind, value, hostname, at: new Date(at) };
}
