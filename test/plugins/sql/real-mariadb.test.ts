import { createConnection } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { mariadb } from '../../servers/mariadb.ts';
import type { Running } from '../../servers/recipe.ts';
import { describeServer } from '../../servers/servers.ts';
import { faultOf } from '../../support/read-source.ts';
import { type Dialect, describeRealServer } from './real-server.ts';
import { labelsOf, sqlSource } from './support.ts';

async function ask(server: Running, statement: string): Promise<readonly Record<string, unknown>[]> {
  const root = await createConnection({ socketPath: String(server.facts.socket), user: 'root', database: 'cmdb' });
  try {
    const [rows] = await root.query(statement);
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
  } finally {
    await root.end();
  }
}

const OTHERS = "FROM information_schema.processlist WHERE user = 'sync'";

const dialect: Dialect = {
  name: 'MariaDB',
  rows: (count, width) => `SELECT concat('r', seq) AS host, repeat('x', ${width}) AS filling FROM seq_1_to_${count}`,
  slow: "SELECT concat('a', sleep(20)) AS host",
  async run(server, statement) {
    await ask(server, statement);
  },
  async others(server) {
    const [row] = await ask(server, `SELECT count(*) AS n ${OTHERS}`);
    return Number(row?.n);
  },
  async endOthers(server) {
    for (const { id } of await ask(server, `SELECT id ${OTHERS}`)) await ask(server, `KILL ${id}`);
  },
};

await describeServer(mariadb, (server) => {
  describeRealServer(server, dialect);

  const source = (query: string, more: object = {}, account: object = {}) => {
    const { address = '', password = '', ca } = server().facts;
    return sqlSource({ query, ca_cert_chain: ca, ...more }, { address, password, ...account });
  };

  it('keeps values of every type', async () => {
    await dialect.run(
      server(),
      `CREATE TABLE kinds (host varchar(9), yes bit(1), small tinyint, big bigint unsigned, exact decimal(9,2), part double, none text,
        day date, local datetime(3), point timestamp, never datetime, lasts time, facts json, bytes varbinary(9), kind enum('x','y'), id uuid,
        word text CHARACTER SET latin1)`,
    );
    await dialect.run(
      server(),
      `INSERT INTO kinds VALUES ('a', b'1', 7, 18446744073709551615, 1.50, 0.1, NULL, '2024-01-31', '2024-01-31 12:30:00.500',
        '2024-01-31 12:30:00', '0000-00-00', '12:30:00', '{"site": {"name": "berlin"}, "big": 12345678901234567890}', x'00ff', 'y',
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'ä')`,
    );
    expect(await labelsOf(source('SELECT * FROM kinds'))).toEqual([
      {
        yes: 1,
        small: 7,
        big: '18446744073709551615',
        exact: 1.5,
        part: 0.1,
        none: null,
        day: '2024-01-31',
        local: '2024-01-31T12:30:00.5',
        point: expect.stringMatching(/^2024-01-31T\d\d:30:00Z$/),
        never: null,
        lasts: '12:30:00',
        'facts.site.name': 'berlin',
        'facts.big': '12345678901234567890',
        kind: 'y',
        id: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
        word: 'ä',
      },
    ]);
  });

  it('names the columns of a query by fields, as existing installations do', async () => {
    const fields = { fields: 'name,place', hostname_field: 'name' };
    expect(await labelsOf(source("SELECT 'a', 'berlin', 'further'", fields))).toEqual([{ place: 'berlin' }]);
    expect(await faultOf(source("SELECT 'a'", fields))).toMatch(/fields names 2 columns, and the query gives 1/);
  });

  it('writes nothing', async () => {
    await dialect.run(server(), 'DROP FUNCTION IF EXISTS write_something');
    await dialect.run(
      server(),
      "CREATE FUNCTION write_something() RETURNS text MODIFIES SQL DATA BEGIN INSERT INTO hosts (name) VALUES ('written'); RETURN 'written'; END",
    );
    expect(await faultOf(source('SELECT write_something() AS host'))).toMatch(
      /^failed: \S+ did not do it: the statement writes/,
    );
    expect(await ask(server(), "SELECT count(*) AS n FROM hosts WHERE name = 'written'")).toEqual([{ n: 0 }]);
  });

  it('says that a user may not read', async () => {
    await dialect.run(server(), "CREATE USER reader@'%' IDENTIFIED BY 'readers word'");
    await dialect.run(server(), "GRANT SELECT ON cmdb.kinds TO reader@'%'");
    const fault = await faultOf(
      source('SELECT name AS host FROM hosts', {}, { username: 'reader', password: 'readers word' }),
    );
    expect(fault).toMatch(/^failed: \S+ does not let this user read that; grant SELECT on it/);
  });
});
