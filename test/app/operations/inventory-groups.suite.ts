import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { explainHost } from '../../../src/app/explain/operations/explain-host.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { browseInventory } from '../../../src/app/inventory/operations/browse-inventory.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { KEPT_WHOLE, SERVED_AS_IT_WAS } from '../../plugins/ansible/served-again.ts';
import { OPERATOR, OperationsApp } from './operations-app.ts';

interface Group {
  readonly hosts?: readonly string[];
  readonly children?: readonly string[];
  readonly vars?: JsonObject;
}

interface List extends Record<string, Group> {
  readonly all: Group;
}

/** What rules say of groups. Run over every storage adapter. */
export function describeInventoryGroups(name: string, create: StorageHarness['create']): void {
  describe(`${name}: groups of an inventory`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red', 'blue');
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'berlin', role: 'web' } });
      await muster.run(saveHost, { hostname: 'db1', account: 'blue', labels: { site: 'paris', role: 'db' } });
      await store({
        automation_customvars: [
          {
            name: 'groups of facts',
            enabled: true,
            condition_typ: 'anyway',
            outcomes: [{ attribute_name: 'ansible_groups', attribute_value: '{{ role }},site_{{ site }}' }],
          },
        ],
      });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const store = (rules: Readonly<Record<string, readonly JsonObject[]>>, caller = OPERATOR) =>
      muster.run(importRules, { rules, override: true }, caller);
    const groups = (...outcomes: JsonObject[]) =>
      store({ automation_groups: [{ name: 'tree', enabled: true, outcomes }] });
    const list = (input: object = {}, caller = OPERATOR): Promise<List> =>
      muster.read(renderInventory, { provider: 'automation', ...input }, caller);

    it('have parents, children and variables, and are there without hosts', async () => {
      const before = await list();
      expect(before.all.children).toEqual(['db', 'site_berlin', 'site_paris', 'web']);
      await groups(
        {
          group_name: 'production',
          child_groups: ['web', 'db'],
          group_variables: [{ variable_name: 'env', variable_value: 'prod' }],
        },
        { group_name: 'site_*', parent_groups: 'sites, everywhere' },
        { group_name: 'spare' },
        { group_name: 'all', group_variables: [{ variable_name: 'ntp', variable_value: ['a', { b: 1 }] }] },
      );
      const after = await list();
      expect(after.all).toEqual({
        hosts: ['db1', 'web1'],
        children: ['everywhere', 'production', 'sites', 'spare'],
        vars: { ntp: ['a', { b: 1 }] },
      });
      expect(after.production).toEqual({ hosts: [], children: ['db', 'web'], vars: { env: 'prod' } });
      expect(after.sites).toEqual({ hosts: [], children: ['site_berlin', 'site_paris'] });
      expect(after.spare).toEqual({ hosts: [] });
      expect(after.web).toEqual({ hosts: ['web1'] });
      expect(after._meta).toEqual(before._meta);
    });

    it('are in the document of one host as far as it is in them', async () => {
      await groups({ group_name: 'production', child_groups: 'web,db' }, { group_name: 'spare' });
      const { all, ...others } = await list({ host: 'web1', document: true });
      expect(all.children).toEqual(['production', 'site_berlin']);
      expect(Object.keys(others).sort()).toEqual(['_meta', 'production', 'site_berlin', 'web']);
    });

    it('stand in the list of groups with what is above and below them, and with the hosts below', async () => {
      await groups(
        { group_name: 'production', child_groups: ['web', 'db'], parent_groups: 'world' },
        { group_name: 'site_*', parent_groups: 'sites' },
        { group_name: 'spare' },
        { group_name: 'db1', child_groups: 'db' },
        { group_name: 'all', group_variables: [{ variable_name: 'ntp', variable_value: 'x' }] },
      );
      const { groups: found, group_count } = await muster.run(browseInventory, { provider: 'automation' });
      expect(group_count).toBe(8);
      expect(found.map(({ name, hosts, parents, children }) => [name, hosts, parents, children])).toEqual([
        ['db', 1, ['production'], []],
        ['production', 2, ['world'], ['db', 'web']],
        ['site_berlin', 1, ['sites'], []],
        ['site_paris', 1, ['sites'], []],
        ['sites', 2, [], ['site_berlin', 'site_paris']],
        ['spare', 0, [], []],
        ['web', 1, ['production'], []],
        ['world', 2, [], ['production']],
      ]);
      const of = async (group: string) =>
        (await muster.run(browseInventory, { provider: 'automation', group })).hosts.map(({ hostname }) => hostname);
      expect(await of('world')).toEqual(['db1', 'web1']);
      expect(await of('site_paris')).toEqual(['db1']);
      expect(await of('spare')).toEqual([]);
    });

    it('are explained: who put a host into each, and which rule says what stands above', async () => {
      const explained = async (hostname: string) =>
        (await muster.run(explainHost, { hostname })).groups.map(({ group, above, origin }) => [
          group,
          above,
          origin?.kind === 'rule' ? `${origin.type} ${origin.name}` : origin,
        ]);
      const byFacts = 'automation_customvars groups of facts';
      expect(await explained('web1')).toEqual([
        ['web', null, byFacts],
        ['site_berlin', null, byFacts],
      ]);
      await groups(
        { group_name: 'production', child_groups: ['web', 'site_berlin'] },
        { group_name: 'site_*', parent_groups: 'sites' },
        { group_name: 'production', parent_groups: 'world' },
      );
      await store({
        automation_groups: [
          { name: 'nobody’s', outcomes: [{ group_name: 'world', parent_groups: 'x' }] },
          { name: 'of objects', enabled: true, outcomes: [{ from_objects: 'group' }] },
        ],
      });
      await muster.run(saveHost, {
        hostname: 'web1',
        account: 'red',
        labels: { site: 'berlin', role: 'web', groups: ['web', 'lab'] },
      });
      const tree = 'automation_groups tree';
      expect((await explained('web1')).sort()).toEqual([
        ['lab', null, 'automation_groups of objects'],
        ['production', 'site_berlin', tree],
        ['production', 'web', tree],
        ['site_berlin', null, byFacts],
        ['sites', 'site_berlin', tree],
        ['web', null, byFacts],
        ['world', 'production', tree],
      ]);
      const { groups: inventory } = await muster.run(browseInventory, { provider: 'automation', text: 'web1' });
      expect(new Set((await explained('web1')).map(([group]) => group))).toEqual(
        new Set(
          inventory
            .filter(({ hosts }) => hosts > 0)
            .map(({ name }) => name)
            .filter((name) => !/^(db|site_paris)$/.test(name)),
        ),
      );
    });

    it('are not explained where a host has the name, nor is what stands above such a name alone', async () => {
      await groups(
        { group_name: 'web', parent_groups: 'tier' },
        { group_name: 'tier', parent_groups: 'top' },
        { group_name: 'site_berlin', parent_groups: 'db1,sites' },
      );
      await muster.run(saveHost, { hostname: 'web', account: 'red', labels: {} });
      const { web, db1 } = await list();
      expect([web, db1]).toEqual([undefined, undefined]);
      const { groups: found } = await muster.run(explainHost, { hostname: 'web1' });
      expect(found.map(({ group }) => group)).toEqual(['site_berlin', 'sites']);
    });

    it('of the name of a host are in no part of the inventory either, whichever hosts it has', async () => {
      await groups(
        { group_name: 'web', parent_groups: 'tier' },
        { group_name: 'site_berlin', parent_groups: 'sites' },
        { group_name: 'sites', parent_groups: 'db1,top' },
      );
      await muster.run(saveHost, { hostname: 'web', account: 'red', labels: {} });
      const whole = await list();
      for (const part of [await list({ host: 'web1', document: true }), await list({ hosts: ['web1'] })]) {
        const { _meta, all, ...others } = part;
        expect(all).toEqual({ hosts: ['web1'], children: ['top'] });
        expect(others).toEqual({ site_berlin: whole.site_berlin, sites: whole.sites, top: whole.top });
      }
      await store({ automation_groups: [{ name: 'tree', enabled: false, outcomes: [{ group_name: 'x' }] }] });
      const { _meta, ...plain } = await list({ host: 'web1', document: true });
      expect(plain).toEqual({ all: { hosts: ['web1'], children: ['site_berlin'] }, site_berlin: { hosts: ['web1'] } });
    });

    it('fail as other rules do while the id of their project is of none', async () => {
      const id = 'd'.repeat(24);
      await store({
        automation_groups: [
          { name: 'lost', enabled: true, project: { $oid: id }, outcomes: [{ group_name: 'spare' }] },
          { name: 'late', enabled: true, project: 'late', outcomes: [{ group_name: 'later' }] },
        ],
      });
      await expect(list()).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(`its project ${id} does not exist`),
      });
      await store({ automation_projects: [{ _id: { $oid: id }, name: 'Default', enabled: true }] });
      const { spare, later } = await list();
      expect([spare, later]).toEqual([{ hosts: [] }, undefined]);
    });

    it('are served without circles, and without groups of the name of a host', async () => {
      await groups(
        { group_name: 'a', child_groups: 'b' },
        { group_name: 'b', child_groups: 'c' },
        { group_name: 'c', child_groups: 'a,c' },
        { group_name: 'web1', child_groups: 'web' },
      );
      const { all, a, b, c, web1 } = await list();
      expect([a, b, c].map((group) => group?.children)).toEqual([['b'], ['c'], undefined]);
      expect(web1).toBeUndefined();
      expect(all.children).toEqual(['a', 'db', 'site_berlin', 'site_paris', 'web']);
    });

    it('break template text in variables, unless a rule of an administrator lets it be evaluated', async () => {
      const variables = [
        { variable_name: 'plain', variable_value: '{{ x }}' },
        { variable_name: 'urls', variable_value: [{ url: 'http://{{ base }}' }], expression: true },
        { variable_name: 'ansible_connection', variable_value: 'local' },
      ];
      await groups({ group_name: 'web', group_variables: variables });
      expect((await list()).web?.vars).toEqual({
        plain: '{ { x }}',
        urls: [{ url: 'http://{{ base }}' }],
        ansible_connection: 'local',
      });
      const writer = await muster.addCaller('writer', { roles: ['rules'] });
      await store(
        {
          automation_groups: [
            {
              name: 'tree',
              enabled: true,
              outcomes: [{ group_name: 'web', group_variables: variables }],
              documentation: 'x',
            },
          ],
        },
        writer,
      );
      expect((await list()).web?.vars).toEqual({ plain: '{ { x }}' });
    });

    it('are those of the project', async () => {
      await store({
        automation_projects: [{ name: 'shop', enabled: true }],
        automation_groups: [
          { name: 'of the shop', enabled: true, project: 'shop', outcomes: [{ group_name: 'spare' }] },
        ],
      });
      expect((await list()).spare).toBeUndefined();
      expect((await list({ provider: 'shop' })).spare).toEqual({ hosts: [] });
    });

    it('change the tag of the inventory', async () => {
      const tag = async () => {
        const value = { kind: 'value', value: { provider: 'automation' } } as const;
        const answer = await muster.app.executor.stream(renderInventory, value, OPERATOR);
        for await (const _ of answer.body);
        return answer.etag;
      };
      const first = await tag();
      expect(await tag()).toBe(first);
      await groups({ group_name: 'spare' });
      expect(await tag()).not.toBe(first);
    });

    it('made of objects have the same hosts in exports as in the inventory, by the same rule', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-groups-'));
      const path = join(folder, 'hosts.json');
      await muster.run(addAccount, { name: 'out', type: 'json_file', settings: { path } });
      const labels = { role: 'web', site: 'berlin', groups: 'prod, web' };
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels });
      const exported = async (): Promise<Record<string, readonly string[]>> => {
        expect(await muster.run(exportAccount, { account: 'out' })).toMatchObject({ status: 'done' });
        const text = await readFile(path, 'utf8');
        const lines = text.trim().split('\n');
        const hosts = lines.map((line) => JSON.parse(line) as { hostname: string; groups: readonly string[] });
        return Object.fromEntries(hosts.map((host) => [host.hostname, host.groups]));
      };
      // Without such a rule the label is a label.
      expect(await exported()).toEqual({ db1: ['db', 'site_paris'], web1: ['web', 'site_berlin'] });
      await groups({ from_objects: 'group' });
      const after = await exported();
      expect(after).toEqual({ db1: ['db', 'site_paris'], web1: ['web', 'site_berlin', 'prod'] });
      const inventory = await list();
      for (const group of new Set(Object.values(after).flat())) {
        const members = Object.keys(after).filter((host) => after[host]?.includes(group));
        expect(inventory[group]?.hosts).toEqual(members);
      }
      const explained = await muster.run(explainHost, { hostname: 'web1', target: 'out' });
      expect(explained.groups).toMatchObject([
        { group: 'web', origin: { name: 'groups of facts' } },
        { group: 'site_berlin' },
        { group: 'prod', above: null, origin: { type: 'automation_groups', name: 'tree' } },
      ]);
      await rm(folder, { recursive: true });
    });

    it('take names by prefix from attributes', async () => {
      await muster.run(saveHost, {
        hostname: 'web1',
        account: 'red',
        labels: { 'facts:os': 'debian', 'facts:cpus': 8, 'facts:': 1 },
      });
      await store({
        automation_rewrite: [
          {
            name: 'rename',
            enabled: true,
            condition_typ: 'anyway',
            outcomes: [
              {
                overwrite_name: 'prefix',
                old_attribute_name: 'facts:',
                new_attribute_name: 'host_',
                overwrite_value: '',
              },
            ],
          },
        ],
        automation_customvars: [
          {
            name: 'groups of facts',
            enabled: true,
            condition_typ: 'anyway',
            outcomes: [{ attribute_name: 'my_*', from_attributes: 'host_*' }],
          },
        ],
      });
      const variables = await list({ host: 'web1' });
      expect(variables).toMatchObject({ host_os: 'debian', host_cpus: 8, my_os: 'debian', my_cpus: 8 });
      expect(Object.keys(variables)).not.toContain('facts:os');
    });

    it('come back as they were from an inventory that was imported', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-groups-'));
      const exported = {
        _meta: {
          hostvars: {
            n1: { list: [{ url: '{{ a }}' }], flag: 'true', port: 80 },
            n2: { says: { __ansible_unsafe: '{{ x }}' } },
          },
        },
        all: { children: ['ungrouped', 'prod', 'empty'], vars: { dns: ['10.0.0.1'] } },
        prod: { children: ['apps', 'nodes'], vars: { env: '{{ e }}' } },
        apps: { children: ['nodes'] },
        nodes: { hosts: ['n1', 'n2'], vars: { deep: { a: { b: [1, 'false', null] } } } },
        ungrouped: { hosts: ['n3'] },
      };
      await writeFile(join(folder, 'answer.json'), JSON.stringify(exported));
      const settings = { path: join(folder, 'answer.json'), reads: 'output', ...KEPT_WHOLE };
      await muster.run(addAccount, { name: 'lab', type: 'ansible', settings });
      const report = await muster.run(importAccount, { account: 'lab' });
      expect(report).toMatchObject({ status: 'done', summary: { created: 8, skipped: 0 } });
      await store({ automation_customvars: [{ name: 'groups of facts', condition_typ: 'anyway', outcomes: [] }] });
      await store(SERVED_AS_IT_WAS);
      const scoped = await muster.addCaller('scoped', { roles: ['automation'], accounts: ['lab'] });
      const { _meta, all, ...rest } = await list({}, scoped);
      expect(all).toEqual({ hosts: ['n1', 'n2', 'n3'], children: ['empty', 'prod'], vars: { dns: ['10.0.0.1'] } });
      expect(rest).toEqual({
        prod: { hosts: [], children: ['apps', 'nodes'], vars: { env: '{{ e }}' } },
        apps: { hosts: [], children: ['nodes'] },
        nodes: { hosts: ['n1', 'n2'], vars: { deep: { a: { b: [1, 'false', null] } } } },
        empty: { hosts: [] },
      });
      expect(_meta).toEqual({ hostvars: { n1: exported._meta.hostvars.n1, n2: { says: '{ { x }}' }, n3: {} } });
      // Objects of accounts that somebody does not reach are no groups there.
      const other = await muster.addCaller('other', { roles: ['automation'], accounts: ['red'] });
      expect(Object.keys(await list({}, other))).not.toContain('prod');
      expect(await muster.run(importAccount, { account: 'lab' })).toMatchObject({ summary: { unchanged: 8 } });
      await rm(folder, { recursive: true });
    });
  });
}
