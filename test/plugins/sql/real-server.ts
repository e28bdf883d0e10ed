import { expect, it } from 'vitest';
import type { Source } from '../../../src/ports/index.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { world } from '../../app/import/support.ts';
import type { Running } from '../../servers/recipe.ts';
import { bytesInUse } from '../../support/collect-garbage.ts';
import { cuttableLine } from '../../support/cuttable-line.ts';
import { faultOf, itemsOf } from '../../support/read-source.ts';
import { type Fields, sqlSource } from './support.ts';

/** What differs between servers. */
export interface Dialect {
  readonly name: string;
  /** A query of so many rows with the column host, and one of that many characters. */
  rows(count: number, width: number): string;
  /** A query that takes seconds until its first row. */
  readonly slow: string;
  /** Runs a statement as somebody who may write. */
  run(server: Running, statement: string): Promise<void>;
  /** Statements of other sessions that the server works on. */
  others(server: Running): Promise<number>;
  /** Ends the connections of others. */
  endOthers(server: Running): Promise<void>;
}

/** The faults of a database server, over a real one. */
export function describeRealServer(server: () => Running, dialect: Dialect): void {
  const source = (fields: Fields, changed: Running['facts'] = {}): Source => {
    const { address = '', password = '', ca } = { ...server().facts, ...changed };
    return sqlSource({ ca_cert_chain: ca, hostname_field: 'name', ...fields }, { address, password });
  };
  const query = (text: string, more: Fields = {}): Source => source({ query: text, hostname_field: 'host', ...more });

  it('reads a table whole', async () => {
    const items = await itemsOf(source({ table: 'hosts' }));
    expect(items).toHaveLength(1000);
    expect(items.find((item) => item.kind === 'record' && item.hostname === 'h7')).toMatchObject({
      labels: { ip: '10.0.0.7', site: 'berlin', updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
    });
    expect(await itemsOf(source({ table: "hosts WHERE name = 'h7'", fields: 'name,site' }))).toEqual([
      { kind: 'record', position: 'row 1', hostname: 'h7', labels: { site: 'berlin' } },
    ]);
  });

  it('says what is wrong with login, certificate, database, table, column', async () => {
    const table = { table: 'hosts' };
    expect(await faultOf(source(table, { password: 'not the word' }))).toMatch(/^failed: \S+ refuses the login/);
    expect(await faultOf(source({ ...table, verify_cert: 'yes', ca_cert_chain: undefined }))).toMatch(
      /^failed: \S+ (has a certificate|does not send).*ca_cert_chain/,
    );
    expect(await faultOf(source({ ...table, database: 'nope' }))).toMatch(/^failed: \S+ has no database of that name/);
    expect(await faultOf(source({ table: 'nope' }))).toMatch(/^failed: \S+ has no such table/);
    expect(await faultOf(source({ ...table, fields: 'name,nope' }))).toMatch(/^failed: \S+ has no such column/);
    expect(await faultOf(query('SELECT FROM WHERE'))).toMatch(/^failed: \S+ (cannot read the statement|refuses)/);
  });

  it('never shows the password', async () => {
    const word = 'not the word';
    expect(await faultOf(source({ table: 'hosts' }, { password: word }))).not.toContain(word);
  });

  it('gives up a statement that takes too long, and ends it on the server', async () => {
    expect(await faultOf(query(dialect.slow, { query_timeout: 0.5 }))).toMatch(/query_timeout/);
    await expect.poll(() => dialect.others(server()), { timeout: 5000 }).toBe(0);
  });

  it('stops when the run is called off, and so does the server', async () => {
    const controller = new AbortController();
    const reading = itemsOf(query(dialect.slow), controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 300);
    await expect(reading).rejects.toThrow('enough');
    await expect.poll(() => dialect.others(server()), { timeout: 5000 }).toBe(0);
  });

  it('ends quietly when its reader has enough', async () => {
    for await (const batch of query(dialect.rows(50_000, 10)).read({
      signal: new AbortController().signal,
      progress: () => undefined,
    })) {
      if (batch.length > 0) break;
    }
    await expect.poll(() => dialect.others(server()), { timeout: 5000 }).toBe(0);
  });

  it('waits for a slow reader', async () => {
    let seen = 0;
    for await (const batch of query(dialect.rows(3000, 1000), { query_timeout: 1 }).read({
      signal: new AbortController().signal,
      progress: () => undefined,
    })) {
      if (seen === 0 && batch.length > 0) await new Promise((resolve) => setTimeout(resolve, 1500));
      seen += batch.length;
    }
    expect(seen).toBe(3000);
  });

  it('reads large rows one after the other', async () => {
    const before = bytesInUse();
    let most = 0;
    let seen = 0;
    for await (const batch of query(dialect.rows(120, 5_000_000)).read({
      signal: new AbortController().signal,
      progress: () => undefined,
    })) {
      seen += batch.length;
      most = Math.max(most, bytesInUse() - before);
    }
    expect(seen).toBe(120);
    // All of them are 600 million characters. What is held, not what was not yet collected, which is a matter of the machine's load.
    expect(most).toBeLessThan(200_000_000);
  });

  it('archives nothing when the connection is cut, or the server ends it, in the middle', async () => {
    const muster = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    expect((await muster.run(source({ table: 'hosts' }), { options })).summary).toMatchObject({ created: 1000 });
    const big = dialect.rows(200_000, 200);

    const line = await cuttableLine(String(server().facts.address));
    const port = String(line.port);
    let seen = 0;
    const cut = await muster.run(query(big, { port }), {
      options,
      progress: (progress) => {
        if (seen === 0 && progress.seen > 0) void line.cut();
        seen = progress.seen;
      },
    });
    await line.close();
    expect(cut).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    expect(cut.message).toMatch(/^127\.0\.0\.1:\d+ (closed|ended) the connection/);

    let killed = false;
    const ended = await muster.run(query(big), {
      options,
      progress: (progress) => {
        if (!killed && progress.seen > 0) void dialect.endOthers(server());
        killed ||= progress.seen > 0;
      },
    });
    expect(ended).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    expect(ended.message).toMatch(/(closed|ended) the (connection|statement)/);
    const active = await muster.active();
    for (let index = 1; index <= 1000; index++) expect(active).toContain(`h${index}`);
  });

  it('fails when the table is empty, and counts a name that stands twice once', async () => {
    const muster = await world();
    const options = { delete_host_if_not_found_on_import: true };
    expect(await muster.run(source({ table: 'hosts WHERE 1 = 2' }), { options })).toMatchObject({ status: 'failed' });
    const twice = "SELECT 'a' AS host UNION ALL SELECT 'a' UNION ALL SELECT 'b'";
    expect((await muster.run(query(twice))).summary).toMatchObject({ created: 2, skipped: 1 });
  });

  describeSourceContract(`sql over ${dialect.name}`, {
    healthy: () => Promise.resolve({ source: source({ table: 'hosts ORDER BY name' }), hostname: 'h7' }),
    broken: () => Promise.resolve(source({ table: 'nope' })),
  });
}
