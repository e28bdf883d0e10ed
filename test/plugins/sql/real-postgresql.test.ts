import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { postgresql } from '../../servers/postgresql.ts';
import type { Running } from '../../servers/recipe.ts';
import { describeServer } from '../../servers/servers.ts';
import { faultOf } from '../../support/read-source.ts';
import { type Dialect, describeRealServer } from './real-server.ts';
import { labelsOf, sqlSource } from './support.ts';

async function ask(server: Running, statement: string): Promise<readonly Record<string, unknown>[]> {
  const { port, username, password } = server.facts;
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(port),
    user: String(username),
    password: String(password),
    database: 'cmdb',
    ssl: { rejectUnauthorized: false },
  });
  await client.connect();
  try {
    const { rows } = await client.query(statement);
    return rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const dialect: Dialect = {
  name: 'PostgreSQL',
  rows: (count, width) =>
    `SELECT 'r' || i AS host, repeat('x', ${width}) AS filling FROM generate_series(1, ${count}) i`,
  slow: "SELECT 'a' || pg_sleep(20) AS host",
  async run(server, statement) {
    await ask(server, statement);
  },
  async others(server) {
    const [row] = await ask(
      server,
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'muster'",
    );
    return Number(row?.n);
  },
  async endOthers(server) {
    await ask(server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'muster'");
  },
};

await describeServer(postgresql, (server) => {
  describeRealServer(server, dialect);

  const source = (query: string, more: object = {}, account: object = {}) => {
    const { address = '', password = '', ca } = server().facts;
    return sqlSource({ query, ca_cert_chain: ca, ...more }, { address, password, ...account });
  };

  it('keeps values of every type', async () => {
    const query = `SELECT 'a' AS host, true AS yes, 7::int2 AS small, 9007199254740993::int8 AS big, 1.50::numeric AS exact,
      12345678901234567890.5::numeric AS long, 0.1::float8 AS part, 'NaN'::float8 AS nan, NULL AS none,
      '2024-01-31'::date AS day, '2024-01-31 12:30:00.5'::timestamp AS local, '2024-01-31 12:30:00+02'::timestamptz AS point,
      'infinity'::timestamptz AS always, '1 day 2 hours'::interval AS lasts, '10.0.0.1'::inet AS ip, '10.0.0.0/8'::cidr AS net,
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS id, '{"site": {"name": "berlin"}, "big": 12345678901234567890}'::jsonb AS facts,
      ARRAY['a,b', NULL, 'c'] AS texts, ARRAY[1, 2]::int8[] AS numbers, ARRAY['10.0.0.1']::inet[] AS ips, '\\x00ff'::bytea AS bytes`;
    expect(await labelsOf(source(query))).toEqual([
      {
        yes: true,
        small: 7,
        big: '9007199254740993',
        exact: 1.5,
        long: '12345678901234567890.5',
        part: 0.1,
        nan: 'NaN',
        none: null,
        day: '2024-01-31',
        local: '2024-01-31T12:30:00.5',
        point: '2024-01-31T10:30:00Z',
        always: 'infinity',
        lasts: 'P1DT2H',
        ip: '10.0.0.1',
        net: '10.0.0.0/8',
        id: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
        'facts.site.name': 'berlin',
        'facts.big': '12345678901234567890',
        texts: ['a,b', null, 'c'],
        numbers: [1, 2],
        ips: ['10.0.0.1'],
      },
    ]);
    expect(await labelsOf(source(query, { binary_fields: 'base64' }))).toMatchObject([{ bytes: 'AP8=' }]);
  });

  it('reads elements of types that somebody made', async () => {
    await dialect.run(server(), "CREATE TYPE colour AS ENUM ('red', 'green')");
    expect(await labelsOf(source("SELECT 'a' AS host, ARRAY['red', 'green']::colour[] AS colours"))).toEqual([
      { colours: ['red', 'green'] },
    ]);
  });

  describe('writes nothing', () => {
    it.each([
      'WITH x AS (DELETE FROM hosts RETURNING name) SELECT name AS host FROM x',
      "SELECT nextval('counting')::text AS host",
      'SELECT write_something() AS host',
      "SELECT set_config('transaction_read_only', 'off', true) || write_something() AS host",
      "SELECT set_config('default_transaction_read_only', 'off', false) || write_something() AS host",
    ])('with %s', async (query) => {
      await dialect.run(
        server(),
        `CREATE SEQUENCE IF NOT EXISTS counting; CREATE OR REPLACE FUNCTION write_something() RETURNS text LANGUAGE plpgsql AS
         $$ BEGIN INSERT INTO hosts (name) VALUES ('written'); RETURN 'written'; END $$`,
      );
      expect(await faultOf(source(query))).toMatch(
        /read-only|read only|only reads|data-modifying|read-write mode must be set before/,
      );
      const [row] = await ask(server(), "SELECT count(*)::int AS n FROM hosts WHERE name = 'written'");
      expect(row).toEqual({ n: 0 });
    });
  });

  it('says that a user may not read', async () => {
    await dialect.run(server(), "CREATE ROLE reader LOGIN PASSWORD 'readers word'");
    const fault = await faultOf(
      source('SELECT name AS host FROM hosts', {}, { username: 'reader', password: 'readers word' }),
    );
    expect(fault).toMatch(/^failed: \S+ does not let this user read that; grant SELECT on it/);
  });
});
