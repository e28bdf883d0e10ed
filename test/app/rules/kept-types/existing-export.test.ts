import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getHost } from '../../../../src/app/hosts/operations/get-host.ts';
import { exportRules } from '../../../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../../../src/app/rules/operations/import-rules.ts';
import type { JsonObject } from '../../../../src/ports/json.ts';
import { readPage } from '../../../docs/support/markdown.ts';
import { fixtureText } from '../../../oracle/fixtures.ts';
import { PluginWorld } from '../../../security/support/plugin-world.ts';
import { THOROUGH_STORES } from '../../../security/support/two-stores.ts';
import type { OperationsApp } from '../../operations/operations-app.ts';

const EXPORT = 'everything/export.jsonl';
const ALL = { include_hosts: true, include_accounts: true, include_users: true, include_passwords: true };

/** Documents that are kept though they cannot work here, each with what is said of it. */
const CANNOT_WORK = [
  'automation_customvars "Lists: cannot be read" list_source',
  'automation_customvars "Lists: nothing in it" list_source',
  'automation_rewrite "ansible_rewrite complete" outcomes.5.new_value',
  'idoit_rewrite "idoit_rewrite complete" outcomes.5.new_value',
  'idoit_rules "idoit_rules from a list" rule_source',
  'jira_export "jira_export from a list" rule_source',
  'jira_filter "jira_filter complete" outcomes.0.action',
  'jira_filter "jira_filter complete" outcomes.1.action',
  'jira_rewrite "jira_rewrite complete" outcomes.5.new_value',
  'netbox_cluster "netbox_cluster from a list" rule_source',
  'netbox_contacts "netbox_contacts from a list" rule_source',
  'netbox_dcim_interfaces "netbox_dcim_interfaces from a list" rule_source',
  'netbox_devices "netbox_devices from a list" rule_source',
  'netbox_ips "netbox_ips from a list" rule_source',
  'netbox_prefixes "netbox_prefixes from a list" rule_source',
  'netbox_rewrites "netbox_rewrites complete" outcomes.5.new_value',
  'netbox_virtual_interfaces "netbox_virtual_interfaces from a list" rule_source',
  'netbox_vms "netbox_vms from a list" rule_source',
];

/** Which members of which types come back otherwise, as the page says. */
const LISTED = new Set(
  [...readPage('docs/migration.md').matchAll(/^\| `([a-z_]+)` \| `([a-z_]+)` \|/gm)].map(
    ([, type, member]) => `${type}.${member}`,
  ),
);

function documentsOf(text: string): Map<string, JsonObject[]> {
  const documents = new Map<string, JsonObject[]>();
  let current: JsonObject[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const document = JSON.parse(line) as JsonObject;
    if (Object.keys(document).join() !== 'rule_type') current.push(document);
    else {
      current = [];
      documents.set(String(document.rule_type).replace(/^ansible_/, 'automation_'), current);
    }
  }
  return documents;
}

const idOf = (document: JsonObject): string => JSON.stringify(document._id);

/** The document without what the page lists for its type. */
function comparable(type: string, document: JsonObject): JsonObject {
  const isListed = (name: string): boolean =>
    LISTED.has(`${type}.${name}`) || LISTED.has(`${type}.${name.replace(/_crypted$/, '')}`);
  return Object.fromEntries(Object.entries(document).filter(([name]) => !isListed(name)));
}

describe.each(THOROUGH_STORES)('%s: an export of an existing installation', (store, create) => {
  const onOneStore = it.runIf(store === 'SQLite');
  let world: PluginWorld;
  let muster: OperationsApp;

  beforeEach(async () => {
    world = await PluginWorld.create(create);
    muster = await world.program();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await world.close();
  });

  const exported = async (program = muster) =>
    ((await program.read(exportRules, ALL)) as { rules: Record<string, JsonObject[]> }).rules;

  it('comes back document for document, but for what the page on migration lists', async () => {
    const answer = await muster.run(importRules, { text: fixtureText(EXPORT) });
    expect(answer.details).toEqual([]);
    const told = (answer.cannot_work ?? []).map(
      ({ rule_type, name, path }) => `${rule_type} ${JSON.stringify(name)} ${path}`,
    );
    expect(told).toEqual(CANNOT_WORK);
    const ours = await exported();
    for (const [type, documents] of documentsOf(fixtureText(EXPORT))) {
      const byId = new Map((ours[type] ?? []).map((document) => [idOf(document), document]));
      for (const document of documents) {
        const found = byId.get(idOf(document));
        const text = found === undefined ? 'missing' : JSON.stringify(comparable(type, found));
        expect(`${type} ${text}`).toBe(`${type} ${JSON.stringify(comparable(type, document))}`);
      }
    }
    // And once more into another installation of ours: nothing moves any more.
    await muster.run(importRules, { rules: ours, override: true });
    expect(await exported()).toEqual(ours);
  });

  onOneStore('says the same by the command and over REST, and shows no secret in clear', async () => {
    const ran = await world.command(['rules', 'import', '-', '--json'], {}, fixtureText(EXPORT));
    expect(JSON.parse(ran.stdout)).toMatchObject({
      imported: { host_objects: 127, users: 41 },
      duplicate: { users: 0 },
    });
    const request = await world.http(muster);
    const again = await request('/api/v1/rules/import', fixtureText(EXPORT));
    expect(JSON.parse(again.body)).toMatchObject({ total: 0, duplicate: { host_objects: 127 } });
    const full = await request(
      '/api/v1/rules/export?include_hosts=1&include_accounts=1&include_users=1&include_passwords=1',
    );
    expect(full.body).not.toMatch(/throw-away (?:for Checkmk|first password|subscription)|JBSWY3DPEHPK3PXP/);
  });

  onOneStore('gives hosts their sections, labels, edges and archive', async () => {
    await muster.run(importRules, { text: fixtureText(EXPORT) });
    const hosts = (documentsOf(fixtureText(EXPORT)).get('host_objects') ?? []) as (JsonObject & {
      hostname: string;
      inventory: JsonObject;
    })[];
    const archived = hosts.filter(({ deleted_at }) => deleted_at !== undefined).map(({ hostname }) => hostname);
    expect(archived.length).toBeGreaterThan(2);
    for (const hostname of archived) {
      await expect(muster.run(getHost, { hostname })).rejects.toMatchObject({ code: 'not_found' });
    }
    const ours = (await exported()).host_objects as JsonObject[];
    const by = new Set(
      ours.flatMap(({ archived: state }) => (state === undefined ? [] : (state as { by: string }).by)),
    );
    expect([...by]).toEqual(expect.arrayContaining(['import', 'operator']));
    const withFacts = hosts.find(({ inventory }) => Object.hasOwn(inventory, 'facts__os'));
    const shown = ours.find(({ hostname }) => hostname === withFacts?.hostname);
    expect(shown?.inventory).toMatchObject({ facts: { os: { name: 'Debian' }, uptime: 12 } });
    const edged = ours.flatMap(({ relations }) => (relations as JsonObject[] | undefined) ?? []);
    expect(edged.length).toBeGreaterThan(0);
    for (const edge of edged)
      expect(edge).toEqual({ type: expect.any(String), target: expect.any(String), source: expect.any(String) });
  });

  it('is the same in the end when it was cut off and run again', async () => {
    const text = fixtureText('thousand/export.jsonl.gz');
    const { putDocuments } = muster.storage.hosts;
    let calls = 0;
    vi.spyOn(muster.storage.hosts, 'putDocuments').mockImplementation((...args) => {
      if (++calls === 2) throw new Error('cut off');
      return putDocuments.apply(muster.storage.hosts, args);
    });
    await expect(muster.run(importRules, { text })).rejects.toThrow();
    vi.restoreAllMocks();
    const answer = await muster.run(importRules, { text });
    expect(answer.details).toEqual([]);
    const hosts = documentsOf(text).get('host_objects') ?? [];
    expect((answer.imported.host_objects ?? 0) + (answer.duplicate.host_objects ?? 0)).toBe(hosts.length);
    const ours = await exported();
    const names = new Set((ours.host_objects ?? []).map(({ hostname }) => hostname));
    expect(hosts.filter(({ hostname }) => !names.has(hostname as string))).toEqual([]);
    const other = await PluginWorld.create(create);
    const whole = await other.program();
    await whole.run(importRules, { text });
    const timeless = (rules: Record<string, JsonObject[]>) => ({
      ...rules,
      // Secrets are sealed anew each time, and hosts without a time of their own are made now.
      accounts: rules.accounts?.map(({ _id, name }) => ({ _id, name })),
      host_objects: rules.host_objects?.map(({ create_time: _, ...rest }) => rest),
    });
    expect(timeless(ours)).toEqual(timeless(await exported(whole)));
    await other.close();
  }, 60_000);
});
