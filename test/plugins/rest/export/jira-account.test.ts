import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../../src/app/accounts/operations/add-account.ts';
import { setAccount } from '../../../../src/app/accounts/operations/set-account.ts';
import { explainHost } from '../../../../src/app/explain/operations/explain-host.ts';
import { exportAccount } from '../../../../src/app/exports/operations/export-account.ts';
import { deleteHost } from '../../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../../src/app/hosts/operations/save-host.ts';
import { listLogs } from '../../../../src/app/journal/operations/list-logs.ts';
import { importRules } from '../../../../src/app/rules/operations/import-rules.ts';
import { runCronPass } from '../../../../src/app/runs/cron/operations/run-pass.ts';
import { importAccount } from '../../../../src/app/runs/import/operations/import-account.ts';
import type { JsonObject } from '../../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../../src/testing/harness.ts';
import { createStorage } from '../../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../../../app/operations/operations-app.ts';
import { temporaryFolder } from '../../../kit/shared/temporary-file.ts';
import { JiraServer } from '../../../support/jira-server.ts';

/** As such an account has them in an existing installation. */
const OPTIONS = { ql_query: 'objectTypeId = 17', update_only: '', verify_cert: 'True', ca_cert_chain: '' };

const rule = (name: string, outcomes: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  name,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes,
  ...more,
});
const to = (target: string, value: string): JsonObject => ({ target, value });
const SERIALS = rule('servers', [to('17|Serial', '{{ serial }}'), to(' 17 | OS ', ' {{ os }} ')]);

for (const [store, create] of [
  ['SQLite', createSqlite],
  ['MongoDB', createStorage],
] as const) {
  describe(`Jira as a target, over ${store}`, () => {
    let server: JiraServer;
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      server = await new JiraServer().start();
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red');
      const settings = {
        ...OPTIONS,
        url: server.url,
        workspace_id: server.workspace,
        username: 'me@example.org',
        delete_threshold: '100%',
        allow_empty: 'true',
      };
      await muster.run(addAccount, { name: 'assets', type: 'jira_cloud', settings, password: server.password });
      await save('web1', { serial: 'J"4711', os: 'debian', room: 'A1' });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
      await server.stop();
    });
    const save = (hostname: string, labels: JsonObject) => muster.run(saveHost, { hostname, account: 'red', labels });
    const rules = (...jira_export: readonly JsonObject[]) =>
      muster.run(importRules, { rules: { jira_export }, override: true });
    const run = () => muster.run(exportAccount, { account: 'assets' });
    const set = (settings: object) => muster.run(setAccount, { name: 'assets', settings });
    const only = (name = 'web1', type = '17') => {
      const [object, second] = server.named(name, type);
      if (object === undefined || second !== undefined) throw new Error(`there is not one ${name}`);
      return object;
    };
    const textAt = (attribute: string, name = 'web1') => server.attributeOf(only(name), attribute);

    it('makes what rules say, changes what differs, and nothing the second time', async () => {
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 0 } });
      await rules(SERIALS, rule('rooms', [to('18|Room', '{{ room }}'), to('18|Name', 'room of {{ HOSTNAME }}')]));
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 2 } });
      expect([textAt('Serial'), textAt('OS')]).toEqual(['J"4711', 'debian']);
      expect(server.attributeOf(only('room of web1', '18'), 'Room')).toBe('A1');
      await save('web1', { serial: 'J"4711', os: 'trixie', room: 'A1' });
      expect(await run()).toMatchObject({ objects: { create: 0, update: 1 } });
      expect(textAt('OS')).toBe('trixie');
      server.calls.length = 0;
      expect(await run()).toMatchObject({ status: 'done', message: expect.stringContaining('2 unchanged') });
      expect(server.calls.filter((call) => !/^GET|aql$/.test(call))).toEqual([]);
    });

    it('leaves alone what comes out empty, what has no number, and what somebody else wrote beside it', async () => {
      await rules(
        rule('some', [
          to('17|OS', 'debian'),
          to('17|Serial', '{{ nothing }}'),
          to('17|Owner', 'None'),
          to('12/345', 'x'),
        ]),
      );
      await run();
      only().values.set('172', ['by hand']);
      expect(await run()).toMatchObject({ objects: { update: 0 } });
      expect([textAt('Serial'), textAt('Owner')]).toEqual(['by hand', null]);
    });

    it('compares what refers to an object by its key, so that no run writes it again', async () => {
      await rules(rule('owners', [to('17|Owner', 'ITSM-4')]));
      expect(await run()).toMatchObject({ objects: { create: 1 } });
      expect(await run()).toMatchObject({ objects: { update: 0 }, status: 'done' });
    });

    it('renames what a host has in a type, and never makes one type of another', async () => {
      const rooms = rule('rooms', [to('18|Name', 'x {{ serial }}')]);
      await rules(rule('servers', [to('17|Name', '{{ serial }}')]), rooms);
      await run();
      const { id } = only('J"4711');
      await save('web1', { serial: 'J4712' });
      expect(await run()).toMatchObject({ status: 'done', objects: { move: 2, create: 0, delete: 0 } });
      expect(only('J4712').id).toBe(id);
      await rules(rule('servers', []), rule('rooms', [to('18|Name', 'web1')]));
      expect(await run()).toMatchObject({ status: 'done', objects: { move: 1, create: 0, delete: 1 } });
      expect([...server.objects.values()].map((one) => [one.type, server.attributeOf(one, 'Name')])).toEqual([
        ['18', 'web1'],
      ]);
    });

    it('never touches what somebody else made, unless it may adopt it; deletes only its own', async () => {
      const { id } = server.put('17', { Name: 'web1', OS: 'old' });
      await rules(SERIALS);
      expect(await run()).toMatchObject({ status: 'partial', objects: { conflict: 1 } });
      expect(textAt('OS')).toBe('old');
      await set({ adopt: 'true' });
      expect(await run()).toMatchObject({ status: 'done', objects: { adopt: 1 } });
      expect([only().id, textAt('OS')]).toEqual([id, 'debian']);
      server.put('17', { Name: 'db1' });
      await muster.run(deleteHost, { hostname: 'web1' });
      expect(await run()).toMatchObject({ objects: { delete: 1 } });
      expect([...server.objects.values()].map((object) => server.attributeOf(object, 'Name'))).toEqual(['db1']);
    });

    it('makes and deletes nothing with update_only', async () => {
      server.put('17', { Name: 'web1', OS: 'old' });
      await save('web2', { os: 'rocky' });
      await rules(SERIALS);
      await set({ update_only: 'True', adopt: 'true' });
      expect(await run()).toMatchObject({ status: 'done', objects: { adopt: 1, create: 0 } });
      expect(server.objects.size).toBe(1);
      await muster.run(deleteHost, { hostname: 'web1' });
      expect(await run()).toMatchObject({ status: 'done', objects: { delete: 0 } });
      expect(textAt('OS')).toBe('debian');
    });

    it('refuses by name what the type does not have, and a type that is not read', async () => {
      await rules(rule('odd', [to('17|Colour', 'red'), to('17|OS', 'x')]));
      const report = await run();
      expect(report).toMatchObject({ status: 'partial' });
      expect(JSON.stringify(report)).toContain('object type 17 has no attribute Colour');
      await set({ object_types: '18' });
      const other = await run();
      expect(JSON.stringify(other)).toContain('object type 17 is not among object_types');
      expect(server.objects.size).toBe(0);
    });

    it('keeps hosts out by filters, rewrites attributes for Jira alone, and explains both', async () => {
      await save('web2', { os: 'rocky' });
      const condition = { match_type: 'host', hostname_match: 'equal', hostname: 'web2', hostname_match_negate: false };
      const jira_filter = [
        rule('not web2', [{ action: 'ignore_hosts' }], { condition_typ: 'all', conditions: [condition] }),
      ];
      const change = { old_attribute_name: 'os', overwrite_value: 'string', new_value: 'rewritten' };
      await muster.run(importRules, { rules: { jira_filter, jira_rewrite: [rule('systems', [change])] } });
      await rules(SERIALS);
      expect(await run()).toMatchObject({ objects: { create: 1 } });
      expect(textAt('OS')).toBe('rewritten');
      const { target } = await muster.run(explainHost, { hostname: 'web1', target: 'assets' });
      expect(target).toMatchObject({ wanted: [{ kind: 'object', key: '17|web1', rule: { name: 'servers' } }] });
      const id = { _id: { $oid: '3b150cf173660170e01ca94e' } };
      const lines = [rule('lines', [{ action: 'whitelist_attribute', attribute_name: 'os' }], id)];
      // As an existing installation exports it.
      await muster.run(importRules, { rules: { ansible_filter: [], jira_filter: lines } });
      expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining('ignore_hosts alone') });
    });

    it('reads more objects than Jira counts, and its jobs do each what they say', { timeout: 60_000 }, async () => {
      for (let n = 0; n < 1_100; n++) server.put('17', { Name: `n${n}` });
      await save('n1099', {});
      await rules(SERIALS, rule('all', [to('17|Room of nothing', '{{ nothing }}'), to('17|OS', 'x')]));
      expect(await run()).toMatchObject({ objects: { create: 1, conflict: 1 } });
      const jobs = ['Jira Cloud: Sync Schema', 'Jira Cloud: Export Objects'].map((command) => ({
        command,
        account: 'assets',
      }));
      const group = { name: 'nightly', enabled: true, interval: 'daily', jobs };
      expect(await muster.run(importRules, { rules: { cron_groups: [group] } })).toMatchObject({ warnings: [] });
      await muster.run(runCronPass, {});
      expect(JSON.stringify(await muster.run(listLogs, {}))).toContain('2 object types with 9 attributes');
      expect(await muster.run(importAccount, { account: 'assets' })).toMatchObject({ status: 'done' });
      const path = join(await temporaryFolder(), 'all.json');
      await muster.run(addAccount, { name: 'file', type: 'json_file', settings: { path } });
      const wrong = { ...group, name: 'wrong', jobs: [{ command: 'Jira Cloud: Export Objects', account: 'file' }] };
      await muster.run(importRules, { rules: { cron_groups: [wrong] } });
      await muster.run(runCronPass, {});
      expect(JSON.stringify(await muster.run(listLogs, {}))).toContain('takes accounts of the type jira_cloud');
      expect(existsSync(path)).toBe(false);
    });
  });
}
