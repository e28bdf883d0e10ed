import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { explainHost } from '../../../src/app/explain/operations/explain-host.ts';
import { archiveHost, archiveHosts } from '../../../src/app/hosts/operations/archive-hosts.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { hostHistory } from '../../../src/app/hosts/operations/host-history.ts';
import { restoreHost, restoreHosts } from '../../../src/app/hosts/operations/restore-hosts.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { saveInventory } from '../../../src/app/hosts/operations/save-inventory.ts';
import { showHost } from '../../../src/app/hosts/operations/show-host.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { countHosts } from '../../../src/app/search/operations/count-hosts.ts';
import { hostTable } from '../../../src/app/search/operations/host-table.ts';
import { listChanges } from '../../../src/app/search/operations/list-changes.ts';
import { listSavedSearches } from '../../../src/app/search/operations/list-saved-searches.ts';
import { removeSavedSearch } from '../../../src/app/search/operations/remove-saved-search.ts';
import { reportHosts } from '../../../src/app/search/operations/report-hosts.ts';
import { ruleOfSearch } from '../../../src/app/search/operations/rule-of-search.ts';
import { saveSearch } from '../../../src/app/search/operations/save-search.ts';
import { searchHosts } from '../../../src/app/search/operations/search-hosts.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

/** What operators ask about hosts, whatever the service stores its data in. */
export function describeSearchHosts(name: string, create: StorageHarness['create']): void {
  describe(`${name}: hosts for operators`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let red: Caller;

    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red', 'blue');
      await muster.run(addAccount, { name: 'nets', type: 'api', object: true });
      const host = (hostname: string, site: string) => ({ hostname, labels: { site } });
      await muster.run(saveHostsBulk, {
        account: 'red',
        objects: [host('web1', 'a'), host('web2', 'b'), host('db1', 'a')],
      });
      await muster.run(saveHostsBulk, { account: 'blue', objects: [host('web3', 'a'), host('web4', 'b')] });
      await muster.run(saveHost, { hostname: 'net-web', account: 'nets', labels: {} });
      red = await muster.addCaller('red-operator', { roles: ['objects'], accounts: ['red'] });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const table = (input: object, caller?: Caller): Promise<string> => muster.text(hostTable, input, caller);

    async function names(input: object, caller?: Caller): Promise<readonly string[]> {
      return (await muster.run(searchHosts, input, caller)).hosts.map(({ hostname }) => hostname);
    }

    it('finds hosts by account, kind, state, name and label', async () => {
      await muster.run(deleteHost, { hostname: 'web2' });
      expect(await names({})).toEqual(['db1', 'net-web', 'web1', 'web3', 'web4']);
      expect(await names({ kind: 'objects' })).toEqual(['net-web']);
      expect(await names({ kind: 'hosts', account: 'blue' })).toEqual(['web3', 'web4']);
      expect(await names({ state: 'archived' })).toEqual(['web2']);
      expect(await names({ state: 'any', account: 'red' })).toEqual(['db1', 'web1', 'web2']);
      expect(await names({ where: 'WEB' })).toEqual(['net-web', 'web1', 'web3', 'web4']);
      expect(await names({ where: 'web', kind: 'hosts', account: 'blue' })).toEqual(['web3', 'web4']);
      expect(await names({ where: 'site=a' })).toEqual(['db1', 'web1', 'web3']);
      expect(await names({ where: 'site=b', state: 'any' })).toEqual(['web2', 'web4']);
      expect(await names({ where: 'nothing' })).toEqual([]);
      await expect(names({ account: 'none' })).rejects.toEqual(code('not_found'));
    });

    it('goes from page to page, with a search too', async () => {
      expect(await muster.run(searchHosts, { limit: 5 })).toMatchObject({ size: 6, next: 'web3' });
      expect(await muster.run(searchHosts, { limit: 5, after: 'web3' })).toMatchObject({ size: 6, next: null });
      expect(await muster.run(searchHosts, { limit: 6 })).toMatchObject({ next: null });
      const first = await muster.run(searchHosts, { where: 'web', limit: 2 });
      expect(first).toMatchObject({ size: null, next: 'web1' });
      expect(await names({ where: 'web', limit: 2, after: first.next })).toEqual(['web2', 'web3']);
      expect(await muster.run(searchHosts, { where: 'web', limit: 2, after: 'web3' })).toMatchObject({ next: null });
    });

    it('searches more hosts than it reads at a time', async () => {
      const objects = Array.from({ length: 1200 }, (_, index) => ({
        hostname: `m${String(index).padStart(4, '0')}`,
        labels: { last: index === 1199 },
      }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      expect(await names({ where: 'last=true' })).toEqual(['m1199']);
      const found = await muster.run(searchHosts, { where: 'm', limit: 1000 });
      expect(found.hosts).toHaveLength(1000);
      expect(await names({ where: 'm0', limit: 1000, after: found.next })).toEqual([]);
      expect((await names({ where: 'm1', limit: 1000, after: found.next })).length).toBe(200);
    });

    it('finds the hosts of a pasted list, and names the values that find none', async () => {
      const lines = (await readFile('sample/wikimedia-nodes.csv', 'utf8')).trim().split('\n').slice(1);
      const real = lines.map((line) => line.split(',')[0] ?? '');
      const objects = real.map((hostname, index) => ({
        hostname,
        labels: { ip: `10.9.${index >> 8}.${index & 255}` },
      }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      const wanted = real.filter((_, index) => index % 24 === 0).slice(0, 40);
      expect(new Set(wanted).size).toBe(40);
      const sorted = [...wanted].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      for (const separator of ['\n', ' ', ', ', ' OR '])
        expect(await names({ where: `name:(${wanted.join(separator)})` })).toEqual(sorted);
      const mixed = [...wanted.slice(0, 37), 'WEB4', 'gone-1', '"gone 2"', '10.9.0.24', '10.9.255.255'];
      const where = `name:(${mixed.join('\n')})`;
      const not_found = { values: ['gone-1', 'gone 2', '10.9.255.255'], of: 42 };
      const found = await muster.run(searchHosts, { where });
      expect(found.hosts).toHaveLength(38);
      expect(found).toMatchObject({ not_found });
      expect(await muster.run(countHosts, { where, states: true })).toMatchObject({ size: 38, not_found });
      // A part of the answer says nothing of what is in the rest.
      expect(await muster.run(searchHosts, { where, limit: 5 })).not.toHaveProperty('not_found');
      expect(await muster.run(searchHosts, { where: `name:(${wanted.join(' ')})` })).not.toHaveProperty('not_found');
      await muster.run(deleteHost, { hostname: 'web1' });
      expect(await muster.run(searchHosts, { where: 'name:(web1 web2 web3) site:(a b)' }, red)).toMatchObject({
        hosts: [{ hostname: 'web2' }],
        not_found: { values: ['web1', 'web3', 'a'], of: 5 },
      });
      expect(await muster.run(countHosts, { where: 'name:(web1 web2)', states: true })).toMatchObject({
        states: { active: 1, archived: 1 },
        not_found: { values: ['web1'], of: 2 },
      });
    });

    it('compares dates in labels with today', async () => {
      const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      for (const days of [-40, -3, 30, 80, 200])
        await muster.run(saveHost, { hostname: `w${days}`, account: 'red', labels: { warranty: inDays(days) } });
      expect(await names({ where: 'warranty<+90d warranty>today' })).toEqual(['w30', 'w80']);
      expect(await names({ where: 'warranty<+90d' })).toEqual(['w-3', 'w-40', 'w30', 'w80']);
      expect(await names({ where: 'warranty>=-30d warranty<=today' })).toEqual(['w-3']);
    });

    it('asks for relations, groups, keys and states, and counts what it finds', async () => {
      await opened.storage.relations.add({ hostname: 'web1', type: 'runs_on', target: 'db1', source: 'manual' }, null);
      await opened.storage.relations.add({ hostname: 'web3', type: 'runs_on', target: 'web4', source: 'manual' }, null);
      await muster.run(deleteHost, { hostname: 'web2' });
      expect(await names({ where: 'runs_on:db1' })).toEqual(['web1']);
      expect(await names({ where: 'runs_on:WEB*' })).toEqual(['web3']);
      expect(await names({ where: 'runs_on:* NOT site:b' })).toEqual(['web1', 'web3']);
      expect(await names({ where: 'runs_on:web4' }, red)).toEqual([]);
      expect(await names({ where: 'state:archived' })).toEqual(['web2']);
      expect(await names({ where: 'web state:*', kind: 'hosts', limit: 3 })).toEqual(['web1', 'web2', 'web3']);
      expect(await names({ where: 'account:red -name:web*' })).toEqual(['db1']);
      expect(
        await names({ where: 'group:*' }, await muster.addCaller('groups', { roles: ['objects', 'automation'] })),
      ).toEqual([]);
      await expect(names({ where: 'group:*' }, red)).rejects.toEqual(code('forbidden'));
      await expect(names({ where: 'site:' })).rejects.toEqual(code('invalid_input'));
      const most = (field: string, value: string, count: number) => ({
        field,
        values: [{ value, count, condition: `${field}:${value}` }],
        without: 0,
        without_condition: `-${field}:*`,
        is_cut: true,
      });
      expect(await muster.run(countHosts, { where: 'site:*', fields: ['site', 'account', 'rack'], values: 1 })).toEqual(
        {
          size: 4,
          is_exact: true,
          fields: [
            most('site', 'a', 3),
            most('account', 'blue', 2),
            { field: 'rack', values: [], without: 4, without_condition: '-rack:*', is_cut: false },
          ],
          label_names: [],
          conditions: ['site:*'],
        },
      );
      expect(await muster.run(countHosts, { fields: 'site' }, red)).toMatchObject({ size: 2 });
      expect(await muster.run(countHosts, {})).toMatchObject({ size: 5, is_exact: true, fields: [] });
    });

    it('counts hosts of each state beside those that are asked for', async () => {
      await muster.run(archiveHosts, { hostnames: ['web1', 'web3'] });
      const counted = (input: object, caller?: Caller) =>
        muster.run(countHosts, { kind: 'hosts', states: true, ...input }, caller);
      expect(await counted({})).toMatchObject({ size: 3, states: { active: 3, archived: 2 } });
      const ofSite = { where: 'site:a', fields: ['site'] };
      expect(await counted(ofSite)).toMatchObject({
        size: 1,
        fields: [{ values: [{ value: 'a', count: 1 }] }],
        states: { active: 1, archived: 2 },
      });
      expect(await counted({ ...ofSite, state: 'archived' })).toMatchObject({
        size: 2,
        states: { active: 1, archived: 2 },
      });
      const ofState = await counted({ where: 'site:a state:archived' });
      expect(ofState.size).toBe(2);
      expect(ofState).not.toHaveProperty('states');
      expect(await counted({}, red)).toMatchObject({ size: 2, states: { active: 2, archived: 1 } });
      expect(await muster.run(countHosts, {})).not.toHaveProperty('states');
    });

    it('counts groups of the inventory, for who may see it', async () => {
      const outcomes = [{ attribute_name: 'ansible_groups', attribute_value: 'site_{{ site }}' }];
      const rule = { name: 'groups', enabled: true, condition_typ: 'anyway', outcomes };
      await muster.run(importRules, { rules: { automation_customvars: [rule] } });
      const { fields } = await muster.run(countHosts, { kind: 'hosts', where: 'web*', fields: ['group'] });
      expect(fields).toMatchObject([{ values: [{ value: 'site_a', count: 2 }, { value: 'site_b' }], without: 0 }]);
      for (const { condition, count } of fields[0]?.values ?? []) {
        expect(await muster.run(countHosts, { kind: 'hosts', where: `web* ${condition}` })).toMatchObject({
          size: count,
        });
      }
      await expect(muster.run(countHosts, { fields: ['group'] }, red)).rejects.toEqual(code('forbidden'));
    });

    it('asks for what the inventory serves after all rules, in queries, columns, orders and counts', async () => {
      const outcomes = [
        { attribute_name: 'tier', attribute_value: 'tier_{{ site }}' },
        { attribute_name: 'cpus', attribute_value: "{{ 4 if site == 'a' else 12 }}" },
        { attribute_name: 'ansible_become_password', attribute_value: 'no' },
      ];
      const rule = { name: 'tiers', enabled: true, condition_typ: 'anyway', outcomes };
      await muster.run(importRules, { rules: { automation_customvars: [rule] } });
      await muster.run(saveHost, { hostname: 'web4', account: 'blue', labels: { site: 'b', ansible_winrm_pass: 'x' } });
      const hosts = (where: string, caller?: Caller) => names({ kind: 'hosts', where }, caller);
      expect(await hosts('served.tier:TIER_A')).toEqual(['db1', 'web1', 'web3']);
      expect(await hosts('served.tier:tier_* -served.tier:tier_a')).toEqual(['web2', 'web4']);
      expect(await hosts('served.tier:tier_b OR db1')).toEqual(['db1', 'web2', 'web4']);
      expect(await hosts('served.cpus>=5')).toEqual(['web2', 'web4']);
      expect(await hosts('served.nothing:*')).toEqual([]);
      // What is withheld from consumers is not served.
      expect(await hosts('served.ansible_winrm_pass:*')).toEqual([]);
      expect(await hosts('tier:tier_a')).toEqual([]);
      const found = await muster.run(searchHosts, {
        kind: 'hosts',
        where: 'web*',
        columns: ['served.tier', 'served.cpus'],
        sort: '-served.cpus',
        limit: 2,
      });
      expect(found.hosts.map(({ hostname, values }) => [hostname, values])).toEqual([
        ['web2', { 'served.tier': 'tier_b', 'served.cpus': '12' }],
        ['web4', { 'served.tier': 'tier_b', 'served.cpus': '12' }],
      ]);
      expect(await table({ kind: 'hosts', where: 'web*', columns: 'name,served.tier', sort: 'served.tier' })).toBe(
        'name,served.tier\r\nweb1,tier_a\r\nweb3,tier_a\r\nweb2,tier_b\r\nweb4,tier_b\r\n',
      );
      expect(await muster.run(countHosts, { kind: 'hosts', fields: ['served.tier'] })).toMatchObject({
        fields: [
          {
            values: [
              { value: 'tier_a', count: 3, condition: 'served.tier:tier_a' },
              { value: 'tier_b', count: 2, condition: 'served.tier:tier_b' },
            ],
          },
        ],
      });
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'b' } });
      expect(await hosts('served.tier:tier_a')).toEqual(['db1', 'web3']);
      expect(await hosts('served.tier:(tier_a other) web')).toEqual(['web3']);
      expect((await muster.run(countHosts, { where: 'served.tier:tier_b -web1' })).size).toBe(2);
    });

    it('finds served values of the hosts that were checked in time, and continues where it stopped', async () => {
      const outcomes = [{ attribute_name: 'tier', attribute_value: 'core' }];
      const rule = { name: 'tiers', enabled: true, condition_typ: 'anyway', outcomes };
      await muster.run(importRules, { rules: { automation_customvars: [rule] } });
      const ask = (input: object) =>
        muster.run(searchHosts, { kind: 'hosts', where: 'served.tier:core', seconds: 0, ...input });
      const first = await ask({});
      const all = first.hosts.map(({ hostname }) => hostname);
      // Further hosts may follow.
      expect(first).toMatchObject({ looked: all.length, next: all.at(-1) });
      const second = await ask({});
      expect(second).toMatchObject({ next: null, hosts: first.hosts.map(({ hostname }) => ({ hostname })) });
      expect(second.looked).toBeUndefined();
      // A full page, and a sorted one, for which all hosts must be known, do not end early.
      await muster.run(saveHost, { hostname: 'web9', account: 'red', labels: {} });
      expect((await ask({ limit: 1 })).looked).toBeUndefined();
      await muster.run(saveHost, { hostname: 'web10', account: 'red', labels: {} });
      expect((await ask({ sort: 'name' })).hosts).toHaveLength(all.length + 2);
    });

    it('tells of what is served only who may see the inventory, and of their hosts alone', async () => {
      const outcomes = [{ attribute_name: 'tier', attribute_value: 'core' }];
      const rule = { name: 'tiers', enabled: true, condition_typ: 'anyway', outcomes };
      await muster.run(importRules, { rules: { automation_customvars: [rule] } });
      for (const input of [{ where: 'served.tier:core' }, { columns: ['served.tier'] }, { sort: 'served.tier' }]) {
        await expect(muster.run(searchHosts, input, red)).rejects.toEqual(code('forbidden'));
      }
      await expect(muster.run(countHosts, { fields: ['served.tier'] }, red)).rejects.toEqual(code('forbidden'));
      const both = { roles: ['objects', 'automation'] as const, accounts: ['red'] };
      const operator = await muster.addCaller('red-automation', { ...both, roles: [...both.roles] });
      expect(await names({ where: 'served.tier:core' }, operator)).toEqual(['db1', 'web1', 'web2']);
      // Without the role a column of that name is the label alone.
      await muster.run(saveHost, { hostname: 'web2', account: 'red', labels: { group: 'mine' } });
      const found = await muster.run(searchHosts, { where: 'web2', columns: ['group'] }, red);
      expect(found.hosts[0]?.values).toEqual({ group: 'mine' });
    });

    it('counts the labels that tell hosts apart, and says what asks for each value', async () => {
      const labels = (serial: number) => ({ serial: `S${serial}`, name: 'Debian 12', rack: null });
      const objects = Array.from({ length: 30 }, (_, index) => ({ hostname: `r${index + 10}`, labels: labels(index) }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      const counted = await muster.run(countHosts, { kind: 'hosts', labels: 5 });
      expect(counted.fields.map(({ field }) => field)).toEqual(['label.name', 'site']);
      expect(counted.fields[0]).toMatchObject({
        values: [{ value: 'Debian 12', count: 30, condition: 'label.name:"Debian 12"' }],
        without: 5,
      });
      expect(counted.label_names.map(({ field, count }) => [field, count])).toEqual([
        ['label.name', 30],
        ['rack', 30],
        ['serial', 30],
        ['site', 5],
      ]);
      for (const { values, without, without_condition } of counted.fields) {
        for (const { condition, count } of values) {
          expect(await muster.run(countHosts, { kind: 'hosts', where: condition })).toMatchObject({ size: count });
        }
        expect(await muster.run(countHosts, { kind: 'hosts', where: without_condition })).toMatchObject({
          size: without,
        });
      }
    });

    it('counts values as its conditions find them: whatever the case, and empty ones as none', async () => {
      const labels = [{ rack: 'Café' }, { rack: 'CAFE\u0301' }, { rack: 'Café' }, { rack: '' }, { rack: ['', 'Z9'] }];
      const ip = (index: number) => ({ ip: index === 0 ? '10.3.3.3' : `10.3.3.3/${index + 20}` });
      await muster.run(saveHostsBulk, {
        account: 'red',
        objects: labels.map((each, index) => ({ hostname: `v${index}`, labels: { ...each, ...ip(index) } })),
      });
      const found = async (where: string) => (await muster.run(countHosts, { kind: 'hosts', where })).size;
      const { fields } = await muster.run(countHosts, { kind: 'hosts', fields: ['rack', 'ip', 'archived'] });
      expect(fields[0]).toMatchObject({
        values: [
          { value: 'Café', count: 3 },
          { value: 'Z9', count: 1 },
        ],
        without: 6,
      });
      for (const { values, without, without_condition } of fields) {
        for (const { condition, count } of values)
          expect([condition, await found(condition)]).toEqual([condition, count]);
        expect([without_condition, await found(without_condition)]).toEqual([without_condition, without]);
      }
      const report = await muster.run(reportHosts, { kind: 'hosts', rows: 'rack', columns: 'ip' });
      expect(report.rows.map(({ value, count }) => [value, count])).toEqual([
        ['Café', 3],
        ['Z9', 1],
        ['', 6],
      ]);
      for (const { condition, count } of [...report.rows, ...report.columns]) {
        expect([condition, await found(condition)]).toEqual([condition, count]);
      }
    });

    it('notes on the way to a rule which labels are lists', async () => {
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { role: ['db', 'api'], site: 'a' } });
      const { notes } = await muster.run(ruleOfSearch, { where: 'site:a role:db' });
      expect(notes).toMatchObject([{ part: 'role', left_out: false, why: { text: expect.stringContaining('web1') } }]);
      expect(await muster.run(ruleOfSearch, { where: 'site:a role:*db*' })).toMatchObject({ notes: [] });
    });

    it('answers chosen columns with each host, and all hosts as a table', async () => {
      const inventory = { os: '=cmd()', cores: 8 };
      await muster.run(saveInventory, { hostname: 'db1', key: 'facts', inventory });
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'a', roles: ['x', 'y'] } });
      const columns = ['name', 'account', 'roles', 'facts.os', 'labels'];
      const { hosts, conditions } = await muster.run(searchHosts, { where: 'site:a AND account:red', columns });
      expect(conditions).toEqual(['site:a', 'account:red']);
      expect(hosts.map(({ values }) => values)).toEqual([
        { name: 'db1', account: 'red', roles: null, 'facts.os': '=cmd()', labels: { site: 'a' } },
        { name: 'web1', account: 'red', roles: ['x', 'y'], 'facts.os': null, labels: { site: 'a', roles: ['x', 'y'] } },
      ]);
      const asked = { where: 'site:a', columns: 'name,roles,facts.os,labels,facts.cores' };
      expect(await table({ ...asked, sort: '-name' })).toBe(
        'name,roles,facts.os,labels,facts.cores\r\nweb3,,,site=a,\r\nweb1,"x, y",,"site=a roles=[""x"",""y""]",\r\n' +
          "db1,,'=cmd(),site=a,8\r\n",
      );
      expect(JSON.parse(await table({ ...asked, columns: 'roles', format: 'json', limit: 2 }))).toEqual([
        { roles: null },
        { roles: ['x', 'y'] },
      ]);
      expect(await table({ where: 'site:b', format: 'name' })).toBe('web2\nweb4\n');
      expect(await table({ where: 'nothing', format: 'json' })).toBe('[]\n');
      expect(await table({ format: 'name' }, red)).toBe('db1\nweb1\nweb2\n');
      await expect(table({ where: 'site:' })).rejects.toEqual(code('invalid_input'));
    });

    it('saves searches of people, who see their own and what others share', async () => {
      const blue = await muster.addCaller('blue-operator', { roles: ['objects'], accounts: ['blue'] });
      const reader = await muster.addCaller('reader', { roles: ['objects'], read_only: true });
      await muster.run(saveSearch, { name: 'mine', where: 'site:a', columns: 'name,site', sort: '-site' }, red);
      await muster.run(saveSearch, { name: 'ours', where: 'seen<2d', shared: true }, red);
      await muster.run(saveSearch, { name: 'mine', where: 'site:b' }, blue);
      const listed = async (caller: Caller) =>
        (await muster.run(listSavedSearches, {}, caller)).searches.map(({ name, where, own }) => [name, where, own]);
      expect(await listed(red)).toEqual([
        ['mine', 'site:a', true],
        ['ours', 'seen<2d', true],
      ]);
      expect(await listed(blue)).toEqual([
        ['mine', 'site:b', true],
        ['ours', 'seen<2d', false],
      ]);
      expect(await listed(reader)).toEqual([['ours', 'seen<2d', false]]);
      await muster.run(saveSearch, { name: 'mine', where: 'site:c' }, red);
      expect((await muster.run(listSavedSearches, {}, red)).searches[0]).toEqual({
        name: 'mine',
        where: 'site:c',
        columns: [],
        sort: null,
        owner: 'red-operator',
        shared: false,
        own: true,
        unread: [],
      });
      await expect(muster.run(removeSavedSearch, { name: 'ours' }, blue)).rejects.toEqual(code('not_found'));
      await muster.run(removeSavedSearch, { name: 'mine' }, red);
      expect(await listed(red)).toEqual([['ours', 'seen<2d', true]]);
      expect(await listed(blue)).toHaveLength(2);
      await expect(muster.run(saveSearch, { name: 'x', where: 'site:' }, red)).rejects.toEqual(code('invalid_input'));
      await expect(muster.run(saveSearch, { name: 'x' }, reader)).rejects.toEqual(code('read_only'));
    });

    it('finds changes of hosts that a query finds now, and of one field', async () => {
      await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'c', rack: '1' } });
      await muster.run(saveHost, { hostname: 'db1', account: 'red', labels: { site: 'a', rack: '2' } });
      await muster.run(saveHost, { hostname: 'web3', account: 'blue', labels: { site: 'c' } });
      await muster.run(deleteHost, { hostname: 'web3' });
      const changed = async (input: object, caller?: Caller) =>
        (await muster.run(listChanges, input, caller)).changes
          .map(({ hostname, kind }) => `${hostname} ${kind}`)
          .sort();
      expect(await changed({})).toEqual(['db1 labels', 'web1 labels', 'web3 archived', 'web3 labels']);
      expect(await changed({ where: 'site:c' })).toEqual(['web1 labels', 'web3 archived', 'web3 labels']);
      expect(await changed({ where: 'site:c' }, red)).toEqual(['web1 labels']);
      expect(await changed({ where: 'site:c state:active' })).toEqual(['web1 labels']);
      expect(await changed({ where: 'site:b' })).toEqual([]);
      expect(await changed({ field: 'site' })).toEqual(['web1 labels', 'web3 labels']);
      expect(await changed({ field: 'labels.rack' })).toEqual(['db1 labels', 'web1 labels']);
      expect(await changed({ field: 'labels' })).toEqual(['db1 labels', 'web1 labels', 'web3 labels']);
      expect(await changed({ field: 'archive' })).toEqual(['web3 archived']);
      expect(await changed({ field: 'sit' })).toEqual([]);
      expect(await changed({ where: 'site:c', field: 'rack', kind: 'labels' })).toEqual(['web1 labels']);
      await expect(changed({ where: 'site:' })).rejects.toEqual(code('invalid_input'));
    });

    it('keeps what narrows a saved search beside its query, and reads those that were saved without it', async () => {
      const narrowed = { kind: 'hosts', state: 'any', account: 'red', provider: 'racks' } as const;
      await muster.run(saveSearch, { name: 'narrowed', where: 'group:web', ...narrowed }, red);
      const saved = { path: '/admin/hosts', owner_email: 'red-operator', shared: false };
      const older = { ...saved, name: 'older', query_string: 'where=site%3Aa' };
      const odd = { ...saved, name: 'odd', query_string: 'where=site%3Aa&state=gone&provider=' };
      await muster.run(importRules, { rules: { saved_searches: [older, odd] } });
      const { searches } = await muster.run(listSavedSearches, {}, red);
      expect(searches).toMatchObject([
        { name: 'narrowed', where: 'group:web', ...narrowed },
        { name: 'odd', where: 'site:a' },
        { name: 'older', where: 'site:a' },
      ]);
      for (const name of Object.keys(narrowed))
        expect(JSON.parse(JSON.stringify(searches[2]))).not.toHaveProperty(name);
      expect(JSON.parse(JSON.stringify(searches[1]))).not.toHaveProperty('state');
    });

    it('reads the saved searches of installations that move here, and tells what has no counterpart', async () => {
      const theirs = (name: string, path: string, owner: string) => ({
        name,
        path,
        query_string: 'flt0_lifecycle=decommissioned&search=db+two',
        owner_email: owner,
        shared: name === 'shared',
      });
      await muster.run(importRules, {
        rules: {
          saved_searches: [
            theirs('shared', '/admin/host/', 'olga@example.net'),
            theirs('hidden', '/admin/host/', 'olga@example.net'),
            theirs('own', '/admin/host/', 'red-operator'),
            theirs('own', '/admin/account/', 'red-operator'),
          ],
        },
      });
      const { searches } = await muster.run(listSavedSearches, {}, red);
      expect(searches.map(({ name, own }) => [name, own])).toEqual([
        ['own', true],
        ['shared', false],
      ]);
      expect(searches[0]).toMatchObject({ where: 'db two', unread: ['flt0_lifecycle=decommissioned'] });
      await muster.run(removeSavedSearch, { name: 'own' }, red);
      expect((await muster.run(listSavedSearches, {}, red)).searches).toHaveLength(1);
    });

    it('saves a search without rendering inventories again, since no rule can depend on one', async () => {
      const revision = async () => (await muster.app.services.evaluators.forProject(null)).revision;
      const before = await revision();
      await muster.run(saveSearch, { name: 'mine', where: 'site:fra' }, red);
      expect(await revision()).toBe(before);
      await muster.run(removeSavedSearch, { name: 'mine' }, red);
      expect(await revision()).toBe(before);
    });

    it('archives and restores many hosts at once, each in scope, and says which it were', async () => {
      const hostnames = ['web1', 'web3', 'db1', 'nobody', 'web1'];
      expect(await muster.run(archiveHosts, { hostnames }, red)).toEqual({
        archived: ['web1', 'db1'],
        not_found: ['web3', 'nobody'],
      });
      expect(await names({ kind: 'hosts' })).toEqual(['web2', 'web3', 'web4']);
      expect(await muster.run(restoreHosts, { hostnames }, red)).toEqual({
        restored: ['web1', 'db1'],
        not_found: ['web3', 'nobody'],
      });
      expect(await names({ kind: 'hosts' })).toEqual(['db1', 'web1', 'web2', 'web3', 'web4']);
      await expect(muster.run(archiveHosts, { hostnames: [] })).rejects.toEqual(code('invalid_input'));
    });

    it('leaves out the host whose text is too long for a pattern, and names it', async () => {
      await muster.run(saveHost, { hostname: 'long', account: 'red', labels: { text: 'x'.repeat(500_000) } });
      const where = 'text~"(x+x+)+y{1,50}(a|b){1,50}"';
      expect(await muster.run(searchHosts, { where })).toMatchObject({ hosts: [], left_out: ['long'] });
      expect(await names({ where: `-name:"long" ${where}` })).toEqual([]);
    });

    it('sorts by a field, in both directions and from page to page', async () => {
      const all = { kind: 'hosts', sort: 'site' };
      expect(await names(all)).toEqual(['db1', 'web1', 'web3', 'web2', 'web4']);
      expect(await names({ ...all, sort: '-site' })).toEqual(['web2', 'web4', 'db1', 'web1', 'web3']);
      const first = await muster.run(searchHosts, { ...all, limit: 2 });
      expect(first).toMatchObject({ size: 5, next: expect.any(String) });
      expect(await names({ ...all, limit: 2, after: first.next })).toEqual(['web3', 'web2']);
      expect(await names({ ...all, sort: 'rack', kind: 'all' })).toEqual([
        'db1',
        'net-web',
        'web1',
        'web2',
        'web3',
        'web4',
      ]);
      await expect(names({ ...all, after: 'web1' })).rejects.toEqual(code('invalid_input'));
    });

    it('leaves inventory sections out when they are not wanted', async () => {
      await muster.run(saveInventory, { hostname: 'db1', key: 'facts', inventory: { cores: 8 } });
      const [brief] = (await muster.run(searchHosts, { where: 'db1', inventory: false })).hosts;
      expect(brief).not.toHaveProperty('inventory');
      expect(brief).toMatchObject({ labels: { site: 'a' }, account: 'red', archived: null });
      const [whole] = (await muster.run(searchHosts, { where: 'db1' })).hosts;
      expect(whole?.inventory).toEqual({ facts: { cores: 8 } });
    });

    it('shows people their own accounts only, in every state', async () => {
      await muster.run(archiveHost, { hostname: 'web4' });
      expect(await names({ state: 'any' }, red)).toEqual(['db1', 'web1', 'web2']);
      expect(await names({ state: 'any', where: 'site=*' }, red)).toEqual(['db1', 'web1', 'web2']);
      expect(await muster.run(searchHosts, {}, red)).toMatchObject({ size: 3 });
      await expect(names({ account: 'blue' }, red)).rejects.toEqual(code('not_found'));
      for (const hostname of ['web3', 'web4', 'nobody']) {
        await expect(muster.run(showHost, { hostname }, red)).rejects.toEqual(code('not_found'));
        await expect(muster.run(hostHistory, { hostname }, red)).rejects.toEqual(code('not_found'));
        await expect(muster.run(archiveHost, { hostname }, red)).rejects.toEqual(code('not_found'));
        await expect(muster.run(restoreHost, { hostname }, red)).rejects.toEqual(code('not_found'));
      }
      expect(await names({ state: 'archived' })).toEqual(['web4']);
    });

    it('lets who holds objects archive and restore, and nobody who may only read', async () => {
      await muster.run(archiveHost, { hostname: 'web1' }, red);
      expect(await muster.run(showHost, { hostname: 'web1' }, red)).toMatchObject({
        labels: { site: 'a' },
        archived: { by: 'operator' },
      });
      expect((await muster.run(hostHistory, { hostname: 'web1' }, red)).changes[0]).toMatchObject({
        by: 'user:red-operator',
      });
      await expect(muster.run(saveHost, { hostname: 'web1', account: 'red', labels: {} }, red)).rejects.toEqual(
        code('archived'),
      );
      await muster.run(restoreHost, { hostname: 'web1' }, red);
      expect(await muster.run(showHost, { hostname: 'web1' }, red)).toMatchObject({ archived: null });
      const reader = await muster.addCaller('reader', { roles: ['objects'], read_only: true });
      await expect(muster.run(archiveHost, { hostname: 'web1' }, reader)).rejects.toEqual(code('read_only'));
      await expect(muster.run(restoreHost, { hostname: 'web1' }, reader)).rejects.toEqual(code('read_only'));
      const others = await muster.addCaller('others', { roles: ['rules', 'syncer', 'automation'] });
      const refused = [
        muster.run(searchHosts, {}, others),
        muster.run(showHost, { hostname: 'web1' }, others),
        muster.run(archiveHost, { hostname: 'web1' }, others),
        muster.run(restoreHost, { hostname: 'web1' }, others),
      ];
      for (const call of refused) await expect(call).rejects.toEqual(code('role_missing'));
      const tools = { ...(await muster.addCaller('tools', { roles: ['all'], admin: true })), entrance: 'mcp' } as const;
      await expect(muster.run(showHost, { hostname: 'web1' }, tools)).rejects.toEqual(code('role_missing'));
    });

    it('tells what the account itself gives from what others lay over it', async () => {
      expect(await muster.run(showHost, { hostname: 'web1' })).toMatchObject({
        account: { name: 'red', type: 'api', enabled: true },
        is_object: false,
        own_labels: { site: 'a' },
        is_shared: false,
      });
      const blue = await muster.app.services.accounts.byName('blue');
      await opened.storage.hosts.contributeLabels({
        accountId: blue?.id ?? '',
        precedence: 5,
        entries: [{ hostname: 'web1', labels: StoredJson.ofValue({ site: 'z', rack: 7 }) }],
        at: new Date(),
        actor: { kind: 'account', name: 'blue' },
        runId: 'run',
      });
      expect(await muster.run(showHost, { hostname: 'web1' })).toMatchObject({
        labels: { site: 'z', rack: 7 },
        own_labels: { site: 'a' },
        is_shared: true,
      });
    });

    it('names the projects whose inventory can be explained', async () => {
      const rules = [
        { name: 'backup', enabled: true },
        { name: 'access', enabled: true },
        { name: 'gone', enabled: false },
      ];
      await muster.run(importRulesOfType, { rule_type: 'automation_projects', rules });
      expect(await muster.run(explainHost, { hostname: 'web1' })).toMatchObject({ projects: ['access', 'backup'] });
    });
  });
}
