import { describe, expect, it } from 'vitest';
import { openMssql } from '../../../src/plugins/sql/engines/mssql.ts';
import { mssqlValue } from '../../../src/plugins/sql/engines/mssql-types.ts';
import { sqlOptions } from '../../../src/plugins/sql/options.ts';
import { checkSql } from '../../../src/plugins/sql/read.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { world } from '../../app/import/support.ts';
import { sourceFiles } from '../../support/files.ts';
import { faultOf, itemsOf } from '../../support/read-source.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';
import { type Answered, fakeSqlServer } from './fake-sql-server.ts';
import { ACCOUNT, type Fields, sqlSource } from './support.ts';

const HOSTS: Answered = {
  columns: ['host', 'site', 'big'],
  rows: [
    ['web1', 'berlin', 9007199254740993n],
    ['web2', null, 7n],
  ],
};

function source(port: number, fields: Fields = {}) {
  const account = { address: `127.0.0.1,${port}`, username: 'reader' };
  return sqlSource({ engine: 'mssql', database: 'cmdb', table: 'hosts', ...fields }, account);
}

describe('SQL Server', () => {
  it('is read in a transaction that is rolled back', async () => {
    const { port, asked } = await fakeSqlServer(() => HOSTS);
    expect(await itemsOf(source(port))).toEqual([
      { kind: 'record', position: 'row 1', hostname: 'web1', labels: { site: 'berlin', big: '9007199254740993' } },
      { kind: 'record', position: 'row 2', hostname: 'web2', labels: { site: null, big: 7 } },
    ]);
    expect(asked).toEqual(['BEGIN', 'SELECT * FROM hosts', 'ROLLBACK']);
  });

  it('waits for a slow reader', async () => {
    function* many() {
      for (let index = 0; index < 5000; index++) yield [`h${index}`, 'x'.repeat(500)];
    }
    const { port } = await fakeSqlServer(() => ({ columns: ['host', 'filling'], rows: many() }));
    const sizes: number[] = [];
    for await (const batch of source(port).read({ signal: new AbortController().signal, progress: () => undefined })) {
      sizes.push(batch.length);
      if (sizes.length < 4) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(5000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
  });

  it('is never sent what could write', async () => {
    const { port, asked } = await fakeSqlServer(() => HOSTS);
    expect(await faultOf(source(port, { table: undefined, query: 'SELECT 1 AS host DELETE FROM hosts' }))).toMatch(
      /has the word DELETE/,
    );
    expect(asked).toEqual([]);
  });

  it.each<[string, Answered, RegExp]>([
    [
      'an error',
      { error: { number: 208, message: "Invalid object name 'hosts'." } },
      /^failed: \S+ has no such table.*Invalid object/,
    ],
    ['a missing right', { error: { number: 229, message: 'denied' } }, /does not let this user read that/],
    ['an error in the middle', { ...HOSTS, error: { number: 1205, message: 'deadlock' } }, /in favour of another one/],
    ['half of it', { ...HOSTS, end: 'cut' }, /^unavailable: .*(ended|closed) .*connection|the connection ended/],
    ['nothing', { end: 'silent' }, /^unavailable: .*did not answer within 0\.2 seconds/],
    ['other columns', { columns: ['name'], rows: [['a']] }, /has no column "host"; its columns: "name"/],
  ])('that answers %s fails, and nothing is archived', async (_what, bad, message) => {
    const muster = await world();
    let given: Answered = HOSTS;
    const { port } = await fakeSqlServer(() => given);
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    const run = () => muster.run(source(port, { query_timeout: 0.2 }), { options });
    expect((await run()).summary).toMatchObject({ created: 2 });
    given = bad;
    expect(await faultOf(source(port, { query_timeout: 0.2 }))).toMatch(message);
    expect(await run()).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    expect(await muster.active()).toEqual(['web1', 'web2']);
  });

  it('that has no rows gives none', async () => {
    const { port } = await fakeSqlServer(() => ({ columns: ['host'] }));
    expect(await itemsOf(source(port))).toEqual([]);
  });

  it('says that a login is refused, and not the password', async () => {
    const { port } = await fakeSqlServer(() => HOSTS, { number: 18456, message: "Login failed for user 'reader'." });
    const fault = await faultOf(source(port));
    expect(fault).toMatch(/^failed: \S+ refuses the login; check username and password/);
    expect(fault).not.toContain(ACCOUNT.password);
  });

  it('without encryption gets no password, unless the account allows that', async () => {
    const { port, asked } = await fakeSqlServer(() => HOSTS);
    const settings = {
      engine: 'mssql',
      host: '127.0.0.1',
      port,
      database: undefined,
      instance: undefined,
      username: 'reader',
      password: ACCOUNT.password,
      encryption: { required: true, verify: true, certificates: {}, isHere: false },
      connectSeconds: 5,
      querySeconds: 5,
    } as const;
    const lines: LoggedLine[] = [];
    const signal = new AbortController().signal;
    await expect(openMssql(settings, recordingLogger(lines), signal)).rejects.toThrow(/offers no encryption/);
    expect(asked).toEqual([]);
    const allowed = { ...settings, encryption: { ...settings.encryption, required: false } };
    await (await openMssql(allowed, recordingLogger(lines), signal)).close();
    expect(lines).toMatchObject([{ level: 'warn' }]);
  });

  it('is given up when the run is called off', async () => {
    const { port, asked } = await fakeSqlServer(() => ({ end: 'silent' }));
    const controller = new AbortController();
    const reading = itemsOf(source(port), controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 150);
    await expect(reading).rejects.toThrow('enough');
    await expect.poll(() => asked).toContain('ATTENTION');
  });

  it('says who is logged in', async () => {
    const { port } = await fakeSqlServer(() => ({ columns: ['a', 'b'], rows: [['reader', '16.0.4135.4']] }));
    const options = sqlOptions().parse({ engine: 'mssql', table: 'hosts' });
    const account = { ...ACCOUNT, address: `127.0.0.1:${port}`, username: 'reader' };
    const services = { files: sourceFiles, logger: recordingLogger([]) };
    expect(await checkSql({ options, account, services }, { signal: new AbortController().signal })).toBe(
      'SQL Server 16.0.4135.4 as reader',
    );
  });

  it('has values of its types', () => {
    const date = Object.assign(new Date('2024-01-31T12:30:00.123Z'), { nanosecondsDelta: 0.0004567 });
    expect(mssqlValue(date, 'DateTime2', false)).toBe('2024-01-31T12:30:00.1234567');
    expect(mssqlValue(date, 'DateTimeOffset', false)).toBe('2024-01-31T12:30:00.1234567Z');
    expect(mssqlValue(new Date('2024-01-31T00:00:00Z'), 'Date', false)).toBe('2024-01-31');
    expect(mssqlValue(new Date('2024-01-31T12:30:00Z'), 'DateTimeN', false)).toBe('2024-01-31T12:30:00');
    expect(mssqlValue(new Date('1970-01-01T12:30:00Z'), 'Time', false)).toBe('12:30:00');
    expect(mssqlValue('9007199254740993', 'BigInt', false)).toBe('9007199254740993');
    expect(mssqlValue('12', 'IntN', false)).toBe(12);
    expect(mssqlValue('12', 'NVarChar', false)).toBe('12');
    expect(mssqlValue(true, 'BitN', false)).toBe(true);
    expect(mssqlValue(Buffer.from([0, 255]), 'VarBinary', false)).toBeUndefined();
    expect(mssqlValue(Buffer.from([0, 255]), 'VarBinary', true)).toBe('AP8=');
    expect(mssqlValue(null, 'NVarChar', false)).toBeNull();
  });
});

describeSourceContract('sql over SQL Server', {
  healthy: async () => ({ source: source((await fakeSqlServer(() => HOSTS)).port), hostname: 'web2' }),
  broken: async () => source((await fakeSqlServer(() => ({ ...HOSTS, end: 'cut' }))).port),
});
