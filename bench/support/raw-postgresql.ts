import pg from 'pg';
import { type Figures, timed } from './benchmark.ts';
import { hostnameOf, labelsOf } from './hosts.ts';

/** Hosts on the bare driver, in tables with the content and the indexes of the product's. */
const TABLES = `
  CREATE SCHEMA raw;
  CREATE TABLE raw.hosts (LIKE muster.hosts INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING INDEXES);
  CREATE TABLE raw.host_marks (LIKE muster.host_marks INCLUDING ALL) WITH (fillfactor = 50)`;

interface RawHost {
  readonly hostname: string;
  readonly labels: string;
}

function hostsOf(count: number): readonly RawHost[] {
  return Array.from({ length: count }, (_, index) => ({
    hostname: hostnameOf(index),
    labels: JSON.stringify(labelsOf(index)),
  }));
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.split('?')[0] ?? '', ssl: false });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** One statement with lists in one transaction, the same hosts again with their labels read and compared, then all of them as JSON. */
export async function rawPostgresql(url: string, count: number): Promise<Figures> {
  return connected(url, async (client) => {
    await client.query(TABLES);
    const first = await timed(async () => {
      const hosts = hostsOf(count);
      const now = Date.now();
      await client.query('BEGIN');
      await client.query(
        `WITH added AS (INSERT INTO raw.hosts (hostname, account_id, is_object, object_type, created_at, created_kind, created_by, last_update, labels)
           SELECT hostname, 'a', false, 'host', $1, 'account', 'a', $1, labels FROM unnest($2::text[], $3::text[]) AS u(hostname, labels)
           RETURNING id)
         INSERT INTO raw.host_marks (id, last_seen) SELECT id, $1 FROM added`,
        [now, hosts.map(({ hostname }) => hostname), hosts.map(({ labels }) => labels)],
      );
      await client.query('COMMIT');
    });
    const again = await timed(async () => {
      const hosts = hostsOf(count);
      await client.query('BEGIN');
      const { rows } = await client.query<[string, string, string]>({
        text: `SELECT h.id, h.hostname, h.labels FROM raw.hosts h JOIN raw.host_marks m USING (id) WHERE h.hostname = ANY($1::text[])
          ORDER BY h.hostname FOR NO KEY UPDATE OF m`,
        values: [hosts.map(({ hostname }) => hostname)],
        rowMode: 'array',
      });
      const known = new Map(rows.map(([id, name, labels]) => [name, { id, labels }]));
      const same = hosts.filter(({ hostname, labels }) => known.get(hostname)?.labels === labels);
      if (same.length !== count) throw new Error(`${same.length} hosts are the same`);
      await client.query(
        'UPDATE raw.host_marks m SET last_seen = $1 FROM unnest($2::bigint[]) AS u(id) WHERE m.id = u.id',
        [Date.now(), same.map(({ hostname }) => known.get(hostname)?.id)],
      );
      await client.query('COMMIT');
    });
    const page = await timed(async () => {
      const { rows } = await client.query<RawHost>(
        `SELECT hostname, account_id, labels, inventory, created_at, last_seen, last_update FROM raw.hosts JOIN raw.host_marks USING (id)
         WHERE archived_at IS NULL AND NOT is_object ORDER BY hostname LIMIT $1`,
        [count],
      );
      if (rows.length !== count) throw new Error(`${rows.length} hosts`);
      Buffer.byteLength(JSON.stringify(rows));
    });
    return { first: first.ms, again: again.ms, page: page.ms };
  });
}
