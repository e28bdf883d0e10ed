import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../../src/app/accounts/operations/add-account.ts';
import { listAccounts } from '../../../../src/app/accounts/operations/list-accounts.ts';
import { explainHost } from '../../../../src/app/explain/operations/explain-host.ts';
import { exportAccount } from '../../../../src/app/exports/operations/export-account.ts';
import { listPlans } from '../../../../src/app/exports/plans/operations/list-plans.ts';
import { deleteHost } from '../../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../../src/app/hosts/operations/save-host.ts';
import { importRules } from '../../../../src/app/rules/operations/import-rules.ts';
import { runCronPass } from '../../../../src/app/runs/cron/operations/run-pass.ts';
import { importAccount } from '../../../../src/app/runs/import/operations/import-account.ts';
import type { JsonObject } from '../../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../../src/testing/harness.ts';
import { createStorage } from '../../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../../../app/operations/operations-app.ts';
import { IdoitServer } from '../../../support/i-doit-server.ts';

/** Options that such an account has in an existing installation. */
const OPTIONS = {
  object_types: 'C__OBJTYPE__SERVER,C__OBJTYPE__VIRTUAL_SERVER',
  object_categories: 'C__CATG__IP,C__CATG__MONITORING',
  language: 'en',
  filter_cmdb_status: '6',
  filter_monitoring_status: 'False',
  verify_cert: 'True',
};

const rule = (name: string, outcomes: readonly (readonly [string, string])[], more: JsonObject = {}): JsonObject => ({
  name,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: outcomes.map(([action, param]) => ({ action, param })),
  ...more,
});

const CATEGORIES =
  "{'C__CATG__MODEL': [{'manufacturer': 'Dell', 'serial': '{{ serial }}'}],\n 'C__CATG__IP': [{'ipv4_address': '{{ ip }}', 'primary': 1}],\n 'C__CATG__ACCESS': [{'title': 'console', 'url': 'https://{{ HOSTNAME }}'}]}";

for (const [store, create] of [
  ['SQLite', createSqlite],
  ['MongoDB', createStorage],
] as const) {
  describe(`i-doit as a target, over ${store}`, () => {
    let server: IdoitServer;
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      server = await new IdoitServer().start();
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red');
      const settings = {
        ...OPTIONS,
        api_token: server.key,
        username: 'muster',
        delete_threshold: '100%',
        allow_empty: 'true',
        delete_host_if_not_found_on_import: 'true',
      };
      const password = server.password;
      await muster.run(addAccount, {
        name: 'cmdb',
        type: 'i-doit',
        settings: { ...settings, url: server.url },
        password,
      });
      await save('web1', { serial: "J4'711", ip: '10.0.0.1', kind: 'vm', purpose: 'of the host' });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
      await server.stop();
    });
    const save = (hostname: string, labels: JsonObject) => muster.run(saveHost, { hostname, account: 'red', labels });
    const rules = (...idoit_rules: readonly JsonObject[]) =>
      muster.run(importRules, { rules: { idoit_rules }, override: true });
    const run = () => muster.run(exportAccount, { account: 'cmdb' });
    const only = (title = 'web1') => {
      const [object, second] = server.titled(title);
      if (object === undefined || second !== undefined) throw new Error(`there is not one ${title}`);
      return object;
    };
    const serial = () => server.attributeOf(only(), 'C__CATG__MODEL', 'serial');

    it('makes an object of every host, a server where no rule says otherwise, with nothing but what rules say', async () => {
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 1 } });
      expect(only()).toMatchObject({ type: 'C__OBJTYPE__SERVER' });
      expect(serial()).toBeNull();
      expect(server.attributeOf(only(), 'C__CATG__GLOBAL', 'purpose')).toBeNull();
      expect(await run()).toMatchObject({ objects: { create: 0 }, message: expect.stringContaining('1 unchanged') });
    });

    it('writes type, description and categories; what values have in them never becomes another entry', async () => {
      await rules(
        rule('machines', [
          ['id_object_type', 'C__OBJTYPE__VIRTUAL_SERVER'],
          ['id_object_description', 'known as {{ HOSTNAME }}'],
          ['id_category', CATEGORIES],
        ]),
      );
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 1 } });
      expect(only()).toMatchObject({ type: 'C__OBJTYPE__VIRTUAL_SERVER' });
      const shown = ['GLOBAL description', 'MODEL manufacturer', 'MODEL serial', 'IP ipv4_address', 'ACCESS url'];
      expect(
        shown.map((name) => {
          const [category, attribute = ''] = name.split(' ');
          return server.attributeOf(only(), `C__CATG__${category}`, attribute);
        }),
      ).toEqual(['known as web1', 'Dell', "J4'711", '10.0.0.1', 'https://web1']);
      expect(only().categories.get('C__CATG__IP')).toHaveLength(1);
      expect(await run()).toMatchObject({ objects: { create: 0, update: 0 } });
    });

    it('changes what a host has changed, and writes other categories once', async () => {
      await rules(rule('machines', [['id_category', CATEGORIES]]));
      await run();
      await save('web1', { serial: 'J4712', ip: '10.0.0.1' });
      await rules(rule('machines', [['id_category', CATEGORIES.replace('console', 'other')]]));
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 0, update: 1 } });
      expect([serial(), server.attributeOf(only(), 'C__CATG__ACCESS', 'title')]).toEqual(['J4712', 'console']);
      server.save(only(), 'C__CATG__MODEL', { serial: 'by hand', firmware: 'mine' });
      expect(await run()).toMatchObject({ objects: { update: 1 } });
      expect([serial(), server.attributeOf(only(), 'C__CATG__MODEL', 'firmware')]).toEqual(['J4712', 'mine']);
    });

    it('lets later rules win, category by category, and takes hosts out', async () => {
      await rules(
        rule('first', [
          ['id_category', "{'C__CATG__MODEL': [{'serial': 'one'}], 'C__CATG__GLOBAL': [{'purpose': 'Production'}]}"],
          ['id_object_description', 'one'],
        ]),
        rule('second', [['id_category', '{"C__CATG__MODEL": [{"serial": "two"}]}']], { sort_field: 1 }),
        rule('fails', [['id_category', "{'C__CATG__MODEL': [{'serial': '{{ unknown }}'}]}"]], { sort_field: 2 }),
        rule('no lab', [['ignore_host', 'false']], {
          condition_typ: 'all',
          conditions: [{ match_type: 'host', hostname: 'lab', hostname_match: 'swith' }],
          sort_field: 3,
        }),
      );
      await save('lab1', {});
      expect(await run()).toMatchObject({ objects: { create: 1 } });
      expect([serial(), server.attributeOf(only(), 'C__CATG__GLOBAL', 'purpose')]).toEqual(['two', 'Production']);
      const { target, explanation } = await muster.run(explainHost, { hostname: 'web1', target: 'cmdb' });
      expect(target).toMatchObject({ type: 'i-doit', wanted: [{ kind: 'object', rule: { name: 'second' } }] });
      expect(explanation.rules.map(({ name, outcome }) => [name, outcome])).toEqual([
        ['first', 'hit'],
        ['second', 'hit'],
        ['fails', 'hit'],
        ['no lab', 'missed'],
      ]);
    });

    it('leaves out by name what no rule can have meant: text that is no dictionary, a type that is not read', async () => {
      await save('web2', { type: 'C__OBJTYPE__SWITCH' });
      await rules(
        rule('types', [['id_object_type', '{{ type | default("C__OBJTYPE__SERVER") }}']]),
        rule('broken', [['id_category', '{% if serial is defined %}[{{ serial }}{% else %}{}{% endif %}']]),
      );
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', failures_total: 2 });
      expect(JSON.stringify(report.failures)).toMatch(/web1.*errors of rules.*web2.*object_types_lacks/);
      expect(server.objects.size).toBe(0);
    });

    it('rewrites attributes for i-doit alone', async () => {
      const change = { old_attribute_name: 'serial', overwrite_name: 'string', new_attribute_name: 'number' };
      const rewrite = { name: 'serial numbers', enabled: true, condition_typ: 'anyway', outcomes: [change] };
      await muster.run(importRules, { rules: { idoit_rewrite: [rewrite] } });
      await rules(rule('machines', [['id_category', "{'C__CATG__MODEL': [{'serial': '{{ number }}'}]}"]]));
      expect(await run()).toMatchObject({ objects: { create: 1 } });
      expect(serial()).toBe("J4'711");
      const { explanation } = await muster.run(explainHost, { hostname: 'web1' });
      expect(explanation.rules).toEqual([]);
    });

    it('never touches what somebody else made, and archives what no host wants any more', async () => {
      server.put('web2');
      await save('web2', {});
      expect(await run()).toMatchObject({ status: 'partial', objects: { create: 1, conflict: 1 } });
      await muster.run(deleteHost, { hostname: 'web1' });
      await muster.run(deleteHost, { hostname: 'web2' });
      const { id } = only();
      expect(await run()).toMatchObject({ objects: { delete: 1 } });
      expect(server.objects.get(id)).toMatchObject({ status: 'ARCHIVED' });
      expect(only('web2').status).toBe('NORMAL');
    });

    it('refuses to export while a rule is about rows of a list', async () => {
      // As an existing installation exports it.
      const list = {
        _id: { $oid: '3b150cf173660170e01ca94e' },
        rule_source: 'list',
        list_source: 'hostname;site\nweb9;berlin\n',
      };
      const rows = rule('rows', [['id_object_type', 'C__OBJTYPE__SERVER']], list);
      await muster.run(importRules, { rules: { ansible_filter: [], idoit_rules: [rows] } });
      const message = expect.stringContaining('rules of i-doit look at hosts');
      expect(await run()).toMatchObject({ status: 'failed', message });
      expect(server.objects.size).toBe(0);
    });

    it('is read and written by the same account, and its jobs do each what they say', async () => {
      expect((await muster.run(listAccounts, {})).accounts).toMatchObject([{ name: 'cmdb', type: 'i-doit' }, {}]);
      const jobs = [{ command: 'i-doit: Export hosts', account: 'cmdb' }];
      const group = { name: 'nightly', enabled: true, interval: 'daily', jobs };
      expect(await muster.run(importRules, { rules: { cron_groups: [group] } })).toMatchObject({ warnings: [] });
      await muster.run(runCronPass, {});
      expect(only()).toMatchObject({ title: 'web1' });
      expect((await muster.run(listPlans, {})).plans).toMatchObject([{ account: 'cmdb', status: 'done' }]);
      server.put('db1');
      const imported = await muster.run(importAccount, { account: 'cmdb' });
      expect(imported).toMatchObject({ summary: { created: 1 } });
    });
  });
}
