import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { localFiles } from '../../../src/adapters/files/local-files.ts';
import { processIdentity } from '../../../src/adapters/process-identity.ts';
import { sqlOptions } from '../../../src/plugins/sql/options.ts';
import { readSql } from '../../../src/plugins/sql/read.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { world } from '../../app/import/support.ts';
import { temporaryFile, temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { faultOf, itemsOf } from '../../support/read-source.ts';
import { recordingLogger } from '../../support/recording-logger.ts';
import { ACCOUNT, type Fields, labelsOf, sqlSource } from './support.ts';

const HOSTS = `CREATE TABLE hosts (host TEXT, site TEXT);
  INSERT INTO hosts VALUES ('web1', 'berlin'), ('web2', 'paris'), ('web3', NULL)`;

async function databaseOf(...statements: readonly string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'hosts.db');
  const database = new Database(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  return path;
}

async function sqlite(fields: Fields, ...statements: readonly string[]) {
  return sqlSource({ engine: 'sqlite', path: await databaseOf(...statements), ...fields });
}

describe('a SQLite file', () => {
  it('is read by table, by query, and by address', async () => {
    const path = await databaseOf(HOSTS);
    const expected = [{ site: 'berlin' }, { site: 'paris' }, { site: null }];
    expect(await labelsOf(sqlSource({ path, table: 'hosts' }))).toEqual(expected);
    expect(await labelsOf(sqlSource({ table: 'hosts ORDER BY host' }, { address: `sqlite:${path}` }))).toEqual(
      expected,
    );
    const query = 'SELECT host AS name, upper(site) AS "net.site" FROM hosts LIMIT 1;';
    expect(await itemsOf(sqlSource({ path, query, hostname_field: 'name' }))).toEqual([
      { kind: 'record', position: 'row 1', hostname: 'web1', labels: { 'net.site': 'BERLIN' } },
    ]);
  });

  it('leaves out rows that record_filter is not for, also by members of JSON, and says how many', async () => {
    const path = await databaseOf(HOSTS);
    const query = `SELECT host, site, '{"state": "' || CASE site WHEN 'paris' THEN 'down' ELSE 'up' END || '"}' AS facts FROM hosts`;
    const items = await itemsOf(
      sqlSource({ path, query, json_fields: 'facts', record_filter: 'host~^web and facts.state=up, site!=' }),
    );
    expect(items).toMatchObject([
      { kind: 'record', position: 'row 1', hostname: 'web1' },
      { kind: 'left_out', count: 2, reason: 'left out by record_filter' },
    ]);
    expect(await faultOf(sqlSource({ path, query, json_fields: 'facts', record_filter: 'facts=1' }))).toContain(
      'name one of its members: "facts.state"',
    );
  });

  it('keeps every digit, and makes members of JSON', async () => {
    const query = `SELECT 'a' AS host, 9007199254740993 AS big, 7 AS small, 1.5 AS part, 9e999 AS endless, NULL AS none, x'00ff' AS bytes,
      '{"site": {"name": "berlin"}, "tags": ["a", "b"]}' AS facts, 'no json' AS text, '' AS empty, 5 AS "__proto__"`;
    const labels = {
      big: '9007199254740993',
      small: 7,
      part: 1.5,
      endless: 'Infinity',
      none: null,
      facts: '{"site": {"name": "berlin"}, "tags": ["a", "b"]}',
      text: 'no json',
      empty: '',
    };
    const [plain] = await labelsOf(await sqlite({ query }));
    expect(JSON.stringify(plain)).toBe(JSON.stringify(labels).replace(/\}$/, ',"__proto__":5}'));
    const [parsed] = await labelsOf(await sqlite({ query, json_fields: 'facts,text', binary_fields: 'base64' }));
    expect(parsed).toMatchObject({
      'facts.site.name': 'berlin',
      'facts.tags': ['a', 'b'],
      text: 'no json',
      bytes: 'AP8=',
    });
    const [section] = await itemsOf(await sqlite({ query, json_fields: 'facts', inventory_fields: 'facts' }));
    expect(section).toMatchObject({ inventory: { facts: { site: { name: 'berlin' } } } });
  });

  it('skips rows without a name by their number', async () => {
    const source = await sqlite(
      { table: 'hosts' },
      HOSTS,
      "INSERT INTO hosts VALUES (NULL, 'x'), (' ', 'y'), (12, 'z')",
    );
    expect((await itemsOf(source)).slice(3)).toEqual([
      {
        kind: 'skipped',
        position: 'row 4',
        reason: expect.objectContaining({ text: 'has no name: "host" is null' }),
        labels: { host: null, site: 'x' },
      },
      {
        kind: 'skipped',
        position: 'row 5',
        reason: expect.objectContaining({ text: 'has no name: "host" is empty' }),
        labels: { host: ' ', site: 'y' },
      },
      { kind: 'record', position: 'row 6', hostname: '12', labels: { site: 'z' } },
    ]);
  });

  it('takes the last of columns with the same name', async () => {
    const query = "SELECT 'a' AS host, 'x' AS site, 'b' AS host, 'y' AS site";
    expect(await itemsOf(await sqlite({ query }))).toMatchObject([{ hostname: 'b', labels: { site: 'y' } }]);
    const nested = { query: `${query}, '[1]' AS list`, json_fields: 'list' };
    expect(await itemsOf(await sqlite(nested))).toMatchObject([{ hostname: 'b', labels: { site: 'y', list: [1] } }]);
  });

  it('is not written to, whatever the query says', async () => {
    const path = await databaseOf(HOSTS);
    for (const query of [
      "WITH x AS (SELECT 1) INSERT INTO hosts SELECT 'a', 'b' FROM x",
      'WITH x AS (SELECT 1) DELETE FROM hosts RETURNING host',
    ]) {
      expect(await faultOf(sqlSource({ path, query }))).toMatch(/writes, and a source only reads|readonly/);
    }
    expect(await itemsOf(sqlSource({ path, table: 'hosts' }))).toHaveLength(3);
  });

  it('is read while another program writes to it', async () => {
    const path = await databaseOf('PRAGMA journal_mode = WAL', HOSTS);
    const writer = new Database(path);
    writer.exec("BEGIN IMMEDIATE; INSERT INTO hosts VALUES ('web4', 'rome')");
    expect(await itemsOf(sqlSource({ path, table: 'hosts' }))).toHaveLength(3);
    writer.exec('COMMIT');
    writer.close();
    expect(await itemsOf(sqlSource({ path, table: 'hosts' }))).toHaveLength(4);
  });

  it('holds the event loop for some milliseconds at most', async () => {
    const many =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) SELECT 'h' || i AS host FROM n";
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    expect(await itemsOf(await sqlite({ query: many }))).toHaveLength(60_000);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('gets every row of a process that is done long before its reader', async () => {
    const many =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000) SELECT 'h' || i AS host FROM n";
    const source = await sqlite({ query: many });
    let count = 0;
    for await (const batch of source.read({ signal: new AbortController().signal, progress: () => undefined })) {
      count += batch.length;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(count).toBe(40_000);
  });

  it('stops when the run is called off', async () => {
    const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'h' || i AS host FROM n";
    const source = await sqlite({ query: endless });
    const controller = new AbortController();
    const reading = itemsOf(source, controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await expect(reading).rejects.toThrow('enough');
  });

  it.each<[Fields, RegExp]>([
    [{ table: 'nope' }, /^failed: .*hosts\.db cannot be asked this: no such table: nope$/],
    [{ query: 'SELEC 1' }, /begins with SELEC/],
    [{ query: 'SELECT host FROM hosts WHERE' }, /cannot be asked this: incomplete input/],
    [
      { table: 'hosts', hostname_field: 'name' },
      /has no column "name"; its columns: "host", "site"; correct hostname_field/,
    ],
    [{ table: 'hosts', json_fields: 'facts' }, /has no column "facts".*correct json_fields/],
    [{}, /table is missing/],
  ])('with %j fails with a reason', async (fields, message) => {
    expect(await faultOf(await sqlite(fields, HOSTS))).toMatch(message);
  });

  it('that is missing, none, or cut off fails with a reason', async () => {
    const whole = await databaseOf(HOSTS);
    expect(await faultOf(sqlSource({ path: `${whole}.gone`, table: 'hosts' }))).toMatch(/does not exist/);
    expect(await faultOf(sqlSource({ path: await temporaryFile('host,site\nweb1,berlin\n'), table: 'hosts' }))).toMatch(
      /is not a SQLite database/,
    );
    expect(await faultOf(sqlSource({ engine: 'sqlite', table: 'hosts' }))).toMatch(/path is missing/);
  });

  it('out of the folders of sources is not opened', async () => {
    const path = await databaseOf(HOSTS);
    const files = localFiles({
      absoluteFolders: [],
      workingDirectory: process.cwd(),
      process: processIdentity(),
      sourceFolders: ['/nonexistent/imports'],
      targetFolders: [],
      dataFolder: '/nonexistent/data',
      openInData: [],
      configurationFolders: [],
      programs: [],
      secretFiles: [],
    }).sources({ anywhere: false, advice: 'ask the operator' });
    const options = sqlOptions().parse({ path, table: 'hosts' });
    const services = { files, logger: recordingLogger([]) };
    const source = { read: (context: never) => readSql({ options, account: ACCOUNT, services }, context) };
    expect(await faultOf(source)).toMatch(/is outside the folders that sources read/);
  });

  it('archives nothing when it is empty, or has lost its table', async () => {
    const muster = await world();
    const run = async (...statements: readonly string[]) =>
      muster.run(await sqlite({ table: 'hosts' }, ...statements), {
        options: { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 },
      });
    expect((await run(HOSTS)).summary).toMatchObject({ created: 3 });
    expect(await run('CREATE TABLE other (host TEXT)')).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    expect(await run('CREATE TABLE hosts (host TEXT)')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('has no records'),
    });
    expect(await muster.active()).toEqual(['web1', 'web2', 'web3']);
    const twice = await run(HOSTS, "INSERT INTO hosts VALUES ('web1', 'rome')");
    expect(twice.summary).toMatchObject({ unchanged: 3, skipped: 1 });
    expect((await run(HOSTS, "DELETE FROM hosts WHERE host = 'web3'")).summary).toMatchObject({ archived: 1 });
  });
});

describeSourceContract('sql over SQLite', {
  healthy: async () => ({
    source: await sqlite({ table: 'hosts', key_fields: 'serial:site' }, HOSTS),
    hostname: 'web2',
    keys: { hostname: 'web1', values: { serial: ['berlin'] } },
  }),
  broken: async () => sqlite({ table: 'nope' }, HOSTS),
});
