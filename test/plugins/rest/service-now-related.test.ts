import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { partJobs } from '../../../src/plugins/rest/jobs.ts';
import type { JsonValue, SourceItem } from '../../../src/ports/index.ts';
import { OTHER, record, sourceOf, type World, world } from '../../app/import/support.ts';
import { STORES } from '../../security/support/two-stores.ts';
import { inEnglish } from '../../support/english-wordings.ts';
import { by, json, type MisbehavingServer, misbehavingServer, status } from '../../support/misbehaving-server.ts';
import { openRest, restType } from './rest-account.ts';

const RECORDED = join(import.meta.dirname, '../../../src/plugins/rest/fixtures/servicenow-related.json');

const OPTIONS = {
  inventorize_tables: 'cmdb_ci_network_adapter:cmdb_ci, cmdb_ci_db_instance:rel',
  inventorize_fields: 'name,mac_address',
  inventorize_relation_types: 'Runs on::Runs',
  inventorize_host_label: 'name',
};
const SECTION = { inventorize_key: 'snow', rewrite_hostname: '{{ fqdn }}' };

let server: MisbehavingServer;
/** What tables hold, as recorded. */
let tables: Record<string, JsonValue[]>;
beforeEach(async () => {
  tables = JSON.parse(readFileSync(RECORDED, 'utf8'));
  server = await misbehavingServer();
  for (const table of Object.keys(tables)) {
    server.at(
      `/api/now/table/${table}`,
      by(({ path }) => {
        const asked = new URL(path, server.origin).searchParams;
        const start = Number(asked.get('sysparm_offset') ?? 0);
        return json({ result: (tables[table] ?? []).slice(start, start + Number(asked.get('sysparm_limit') ?? 1)) });
      }),
    );
  }
});
afterEach(() => server.close());

const open = (options: object = OPTIONS) =>
  openRest(
    server.origin,
    { page_size: '2', ...options },
    { type: 'servicenow', account: { username: 'muster', password: 'pass phrase 1' } },
  );

const asked = (table: string) =>
  server.requests
    .map(({ path }) => new URL(path, server.origin))
    .filter(({ pathname }) => pathname.endsWith(`/${table}`))
    .map(({ searchParams }) => searchParams);

async function inventorize({ run }: World, options: object = OPTIONS, importOptions: object = SECTION) {
  const type = await restType('servicenow');
  const parts = (type.parts ?? []).map(({ id }) => id);
  const source = await open(options);
  const settings = { parts, part: 'related', inventorize: true, options: importOptions };
  return run(source, settings);
}

async function sectionsOf({ storage }: World, hostname: string): Promise<unknown> {
  return (await storage.hosts.get(hostname, null))?.inventory.value;
}

const withId = (hostname: string, id: string): SourceItem =>
  ({ ...record(hostname), keys: { id: [id] } }) as SourceItem;

describe.each(STORES)('records that belong to hosts of ServiceNow, in %s', (_, create) => {
  it('fill a section for each table, at the host of their sys_id, then of their name', async () => {
    const opened = await create();
    try {
      const there = await world(opened.storage);
      await there.run(sourceOf([withId('lnux100.example.org', '00a96c0d3790200044e0bfc8bcbe5db4')]));
      await there.run(sourceOf([record('win2k19-db')]), { account: OTHER });
      const report = await inventorize(there);
      expect(report).toMatchObject({ status: 'done', summary: { created: 0, updated: 3, skipped: 1, archived: 0 } });
      expect(await sectionsOf(there, 'lnux100.example.org')).toEqual({
        snow_cmdb_ci_network_adapter: {
          '0_name': 'eth0',
          '0_mac_address': '00:50:56:aa:00:01',
          '0_cmdb_ci': 'lnux100',
          '1_name': 'eth1',
          '1_cmdb_ci': 'lnux100',
        },
        snow_cmdb_ci_db_instance: { '0_name': 'ORA@lnux100', '0_sys_id': 'd1b96c0d3790200044e0bfc8bcbe5d01' },
      });
      expect(await sectionsOf(there, 'win2k19-db')).toEqual({
        snow_cmdb_ci_network_adapter: {
          '0_name': 'Ethernet0',
          '0_mac_address': '00:50:56:aa:00:02',
          '0_cmdb_ci': 'win2k19-db',
        },
      });
      expect((await inventorize(there)).summary).toMatchObject({ updated: 0, unchanged: 3 });

      tables.cmdb_ci_db_instance = [];
      const gone = await inventorize(there, OPTIONS, { ...SECTION, delete_threshold_percent: 100 });
      expect(gone).toMatchObject({ status: 'done' });
    } finally {
      await opened.close();
    }
  });
});

describe('records that belong to hosts of ServiceNow', () => {
  it('are asked for with their raw values, those of the account alone, and relations of their class', async () => {
    await inventorize(await world(), { ...OPTIONS, inventorize_query: 'active=true', sysparm_query: 'os=Linux' });
    expect(Object.fromEntries(asked('cmdb_ci_network_adapter')[0] ?? [])).toMatchObject({
      sysparm_query: 'active=true^ORDERBYsys_id',
      sysparm_fields: 'name,mac_address,cmdb_ci',
      sysparm_display_value: 'all',
    });
    expect(Object.fromEntries(asked('cmdb_rel_ci')[0] ?? [])).toMatchObject({
      sysparm_query:
        'type.nameINRuns on::Runs^child.sys_class_nameINSTANCEOFcmdb_ci_db_instance^ORparent.sys_class_nameINSTANCEOFcmdb_ci_db_instance^ORDERBYsys_id',
      sysparm_fields: 'parent,child',
      sysparm_display_value: 'all',
    });
  });

  it('are found by a name that inventorize_rewrite_parent makes', async () => {
    const there = await world();
    await there.run(sourceOf([record('LNUX100.lab')]), { account: OTHER });
    await inventorize(there, { ...OPTIONS, inventorize_rewrite_parent: '{{ HOSTNAME|upper }}.lab' });
    expect(Object.keys((await sectionsOf(there, 'LNUX100.lab')) as object)).toHaveLength(2);
  });

  it('leave what is there alone where relations cannot be found or read', async () => {
    const there = await world();
    await there.run(sourceOf([record('lnux100')]), { account: OTHER });
    await inventorize(there);
    const before = await sectionsOf(there, 'lnux100');
    tables.cmdb_rel_ci = [];
    expect(inEnglish(await inventorize(there))).toMatchObject({
      status: 'partial',
      gaps: [{ what: 'cmdb_ci_db_instance, relations' }],
    });
    server.at('/api/now/table/cmdb_rel_ci', status(500));
    expect(await inventorize(there)).toMatchObject({ status: 'failed' });
    expect(await sectionsOf(there, 'lnux100')).toEqual(before);
  });

  it('leave sections alone of which a page is missing', async () => {
    const there = await world();
    await there.run(sourceOf([record('lnux100')]), { account: OTHER });
    await inventorize(there);
    const before = await sectionsOf(there, 'lnux100');
    const [first] = tables.cmdb_ci_network_adapter ?? [];
    server.at(
      '/api/now/table/cmdb_ci_network_adapter',
      by(({ path }) =>
        new URL(path, server.origin).searchParams.get('sysparm_offset') === '0'
          ? json({ result: [first, first] })
          : status(500),
      ),
    );
    expect(await inventorize(there)).toMatchObject({ status: 'partial' });
    expect(await sectionsOf(there, 'lnux100')).toEqual(before);
  });

  it.each([
    ['', 'inventorize_tables is missing'],
    ['cmdb_ci_network_adapter', 'number 1'],
    ['cmdb_ci_network_adapter:cmdb_ci, a:', 'number 2'],
  ])('need tables with what they belong to (%s)', async (inventorize_tables, message) => {
    const report = await inventorize(await world(), { ...OPTIONS, inventorize_tables });
    expect(report).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
    expect(server.requests).toEqual([]);
  });

  it('are no hosts, and what the job of existing installations reads', async () => {
    const read = (await open()).read({
      signal: new AbortController().signal,
      progress: () => undefined,
      part: 'related',
    });
    await expect(read[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'invalid_input' });
    const [job] = partJobs.filter(({ id }) => id === 'ServiceNow: Inventorize data');
    let input: unknown;
    const operation = async (_name: string, given: unknown) => {
      input = given;
      return {};
    };
    await job?.run({ account: 'snow', operation } as never);
    expect(input).toEqual({ account: 'snow', part: 'related', inventorize: true });
  });
});
