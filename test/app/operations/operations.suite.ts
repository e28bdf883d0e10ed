import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { deleteAccount } from '../../../src/app/accounts/operations/delete-account.ts';
import { listAccounts } from '../../../src/app/accounts/operations/list-accounts.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { showAccount } from '../../../src/app/accounts/operations/show-account.ts';
import { runAutorules } from '../../../src/app/autorules/operations/run-autorules.ts';
import { explainHost } from '../../../src/app/explain/operations/explain-host.ts';
import { archiveHost } from '../../../src/app/hosts/operations/archive-hosts.ts';
import { changeLabels } from '../../../src/app/hosts/operations/change-labels.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { getHost } from '../../../src/app/hosts/operations/get-host.ts';
import { hostCounters } from '../../../src/app/hosts/operations/host-counters.ts';
import { hostHistory } from '../../../src/app/hosts/operations/host-history.ts';
import { listHosts } from '../../../src/app/hosts/operations/list-hosts.ts';
import { restoreHost } from '../../../src/app/hosts/operations/restore-hosts.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { saveInventoriesBulk } from '../../../src/app/hosts/operations/save-inventories-bulk.ts';
import { saveInventory } from '../../../src/app/hosts/operations/save-inventory.ts';
import { listProviders } from '../../../src/app/inventory/operations/list-providers.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { getServiceLog } from '../../../src/app/journal/operations/get-service-log.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import { listLogs } from '../../../src/app/journal/operations/list-logs.ts';
import { rulesImpact } from '../../../src/app/preview/operations/rules-impact.ts';
import { addRelation } from '../../../src/app/relations/operations/add-relation.ts';
import { listRelations } from '../../../src/app/relations/operations/list-relations.ts';
import { removeRelation } from '../../../src/app/relations/operations/remove-relation.ts';
import { showGraph } from '../../../src/app/relations/operations/show-graph.ts';
import { exportRules } from '../../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { listRules } from '../../../src/app/rules/operations/list-rules.ts';
import { removeRule } from '../../../src/app/rules/operations/remove-rules.ts';
import { revertRule } from '../../../src/app/rules/operations/revert-rule.ts';
import { ruleHistory } from '../../../src/app/rules/operations/rule-history.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import { createToken } from '../../../src/app/users/operations/create-token.ts';
import { listTokens } from '../../../src/app/users/operations/list-tokens.ts';
import { revokeToken } from '../../../src/app/users/operations/revoke-token.ts';
import type { JsonObject, RuleDocument } from '../../../src/ports/index.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp, PASSWORD } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

function customAttribute(name: string, attribute: string, value: string, more: object = {}) {
  return {
    name,
    enabled: true,
    sort_field: 0,
    condition_typ: 'anyway',
    conditions: [],
    outcomes: [{ attribute_name: attribute, attribute_value: value }],
    ...more,
  };
}

/** What the service does, whatever it stores its data in. Run over every storage adapter. */
export function describeOperations(name: string, create: StorageHarness['create']): void {
  describe(`${name}: operations`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage, { CMDB_MODE: true });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    describe('hosts', () => {
      beforeEach(() => muster.addAccounts('red', 'blue'));

      it('saves, reads and lists what was saved', async () => {
        const labels = { os: 'linux', 'app.kubernetes.io/name': 'x', list: ['a', 1, null, true], __proto__x: 1 };
        expect(await muster.run(saveHost, { hostname: ' web1 ', account: 'red', labels })).toEqual({ status: 'saved' });
        const host = await muster.run(getHost, { hostname: ' web1 ' });
        expect(host).toMatchObject({ hostname: 'web1', labels, inventory: {} });
        expect(host.last_seen).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(await muster.read(listHosts, { start: 0 })).toEqual({
          results: [host],
          start: 0,
          limit: 100,
          size: 1,
          _links: {},
        });
      });

      it('replaces the whole label set', async () => {
        await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { a: 1, b: 2 } });
        await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { b: 3 } });
        expect((await muster.run(getHost, { hostname: 'web1' })).labels).toEqual({ b: 3 });
      });

      it('refuses what cannot be a host, and names it', async () => {
        for (const hostname of ['', '  ', 'a/b', 'a\u0000b', 'x'.repeat(254)]) {
          await expect(muster.run(saveHost, { hostname, account: 'red', labels: {} })).rejects.toEqual(
            code('invalid_input'),
          );
        }
        await expect(
          muster.run(saveHost, { hostname: 'a', account: 'red', labels: { os: { name: 1 } } }),
        ).rejects.toThrow(/"?os"?/);
        await expect(muster.run(saveHost, { hostname: 'a', account: 'red', labels: { $where: 1 } })).rejects.toThrow(
          /\$where/,
        );
        await expect(muster.run(saveHost, { hostname: 'a', account: 'red' })).rejects.toEqual(code('invalid_input'));
        await expect(muster.run(saveHost, { hostname: 'a', account: 'nobody', labels: {} })).rejects.toEqual(
          code('invalid_input'),
        );
      });

      it('never lets an account write hosts of another one', async () => {
        await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { a: 1 } });
        await expect(muster.run(saveHost, { hostname: 'web1', account: 'blue', labels: {} })).rejects.toMatchObject({
          code: 'account_conflict',
          members: { status: 'account_conflict' },
        });
        expect((await muster.run(getHost, { hostname: 'web1' })).labels).toEqual({ a: 1 });
      });

      it('saves in bulk what can be saved and names the rest', async () => {
        await muster.run(saveHost, { hostname: 'theirs', account: 'blue', labels: {} });
        const objects = [
          { hostname: 'a', labels: { n: 1 } },
          { hostname: 'theirs', labels: {} },
          { hostname: 'nested', labels: { x: { y: 1 } } },
          { hostname: 'bad/name', labels: {} },
          { hostname: 'a', labels: { n: 2 } },
        ];
        expect(await muster.run(saveHostsBulk, { account: 'red', objects })).toEqual({
          status: 'saved 2',
          'not-saved': ['theirs', 'nested', 'bad/name'],
        });
        expect((await muster.run(getHost, { hostname: 'a' })).labels).toEqual({ n: 2 });
        await expect(
          muster.run(saveHostsBulk, { account: 'red', objects: [{ hostname: 'b', labels: {} }, { labels: {} }] }),
        ).rejects.toEqual(code('invalid_input'));
        await expect(muster.run(getHost, { hostname: 'b' })).rejects.toEqual(code('not_found'));
      });

      it('replaces inventory sections of existing hosts only', async () => {
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} });
        const before = await muster.run(getHost, { hostname: 'a' });
        await muster.run(saveInventory, {
          hostname: 'a',
          key: 'hw',
          inventory: { 'cpu.model': 'x', deep: [{ n: 1 }] },
        });
        await muster.run(saveInventory, { hostname: 'a', key: 'hw', inventory: { ram: 2 } });
        const after = await muster.run(getHost, { hostname: 'a' });
        expect(after.inventory).toEqual({ hw: { ram: 2 } });
        expect(after.last_seen).toBe(before.last_seen);
        await expect(muster.run(saveInventory, { hostname: 'no', key: 'hw', inventory: {} })).rejects.toEqual(
          code('not_found'),
        );
        for (const key of ['a.b', '$a', '']) {
          await expect(muster.run(saveInventory, { hostname: 'a', key, inventory: {} })).rejects.toEqual(
            code('invalid_input'),
          );
        }
      });

      it('checks all of a bulk inventory before it writes any of it', async () => {
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} });
        const good = { hostname: 'a', key: 'hw', inventory: { n: 1 } };
        await expect(
          muster.run(saveInventoriesBulk, { inventories: [good, { hostname: 'a', key: 'x.y', inventory: {} }] }),
        ).rejects.toEqual(code('invalid_input'));
        expect((await muster.run(getHost, { hostname: 'a' })).inventory).toEqual({});
        expect(
          await muster.run(saveInventoriesBulk, {
            inventories: [good, { ...good, hostname: 'no' }, { ...good, hostname: 'b/d' }],
          }),
        ).toEqual({ status: 'saved 1', 'not-found': ['no', 'b/d'] });
      });

      it('archives, brings back by its own account, and leaves to operators what they archived', async () => {
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { n: 1 } });
        expect(await muster.run(deleteHost, { hostname: 'a' })).toEqual({ status: 'deleted' });
        await expect(muster.run(getHost, { hostname: 'a' })).rejects.toEqual(code('not_found'));
        await expect(muster.run(deleteHost, { hostname: 'a' })).rejects.toEqual(code('not_found'));
        await expect(muster.run(saveHost, { hostname: 'a', account: 'blue', labels: {} })).rejects.toEqual(
          code('account_conflict'),
        );
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { n: 2 } });
        await muster.run(archiveHost, { hostname: 'a' });
        await expect(muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} })).rejects.toMatchObject({
          code: 'archived',
          members: { status: 'archived' },
        });
        expect(await muster.run(saveHostsBulk, { account: 'red', objects: [{ hostname: 'a', labels: {} }] })).toEqual({
          status: 'saved 0',
          'not-saved': ['a'],
        });
        await muster.run(restoreHost, { hostname: 'a' });
        expect((await muster.run(getHost, { hostname: 'a' })).labels).toEqual({ n: 2 });
      });

      it('pages without gaps and repeats', async () => {
        const objects = Array.from({ length: 25 }, (_, n) => ({
          hostname: `h${String(n).padStart(2, '0')}`,
          labels: {},
        }));
        await muster.run(saveHostsBulk, { account: 'red', objects });
        const seen: string[] = [];
        let query: Record<string, unknown> | undefined = { start: 0, limit: 10 };
        while (query !== undefined) {
          const page: { results: { hostname: string }[]; _links: { next?: string } } = await muster.read(
            listHosts,
            query,
          );
          seen.push(...page.results.map((host) => host.hostname));
          const { next } = page._links;
          query = next === undefined ? undefined : Object.fromEntries(new URL(next, 'http://x').searchParams);
        }
        expect(seen).toEqual(objects.map((object) => object.hostname));
        const first: { results: { hostname: string }[]; start: number; _links: object } = await muster.read(
          listHosts,
          {},
        );
        expect(first.start).toBe(1);
        expect(first.results[0]?.hostname).toBe('h01');
        expect(first._links).toEqual({ prev: '/api/v1/objects/all?start=0&limit=100' });
        expect(await muster.read(listHosts, { start: 0, limit: 0 })).toMatchObject({ results: [], limit: 0, size: 25 });
        for (const bad of [{ start: '-1' }, { start: 'x' }, { limit: '10001' }, { limit: '1.5' }]) {
          await expect(muster.read(listHosts, bad)).rejects.toEqual(code('invalid_input'));
        }
      });

      it('counts hosts and objects, and keeps objects out of listings', async () => {
        await muster.run(addAccount, { name: 'things', type: 'api', object: true });
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} });
        await muster.run(saveHost, { hostname: 'thing', account: 'things', labels: {} });
        expect(await muster.run(hostCounters, {})).toMatchObject({
          num_hosts: 1,
          num_objects: 1,
          not_updated_last_24h: 0,
        });
        expect(await muster.read(listHosts, { start: 0 })).toMatchObject({ size: 1 });
        expect(await muster.run(getHost, { hostname: 'thing' })).toMatchObject({ hostname: 'thing' });
      });

      it('keeps what happened to a host', async () => {
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { os: 'old' } });
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { os: 'new' } });
        const { changes } = await muster.run(hostHistory, { hostname: 'a' });
        expect(changes.map((change) => change.kind)).toEqual(['labels', 'created']);
        expect(changes[0]).toMatchObject({
          by: 'user:operator',
          changes: [{ path: 'labels.os', before: 'old', after: 'new' }],
        });
      });
    });

    describe('labels of many hosts', () => {
      it('are changed after a look at what would change, and put back', async () => {
        await muster.addAccounts('red', 'blue');
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { site: 'x', os: 'debian' } });
        await muster.run(saveHost, { hostname: 'b', account: 'blue', labels: { os: 'debian' } });
        await muster.run(saveHost, { hostname: 'c', account: 'red', labels: { site: 'y' } });
        const labels = async () =>
          Promise.all(['a', 'b', 'c'].map(async (hostname) => (await muster.run(getHost, { hostname })).labels));
        const before = await labels();
        const hosts = ['a', 'b', 'c', 'none'].map((hostname) => ({ hostname, set: { site: 'y' }, remove: ['os'] }));
        const preview = await muster.run(changeLabels, { hosts, dry_run: true });
        expect(preview).toEqual({
          changed: [
            { hostname: 'a', before: { site: 'x', os: 'debian' }, added: [] },
            { hostname: 'b', before: { os: 'debian' }, added: ['site'] },
          ],
          unchanged: 1,
          refused: [{ hostname: 'none', reason: 'there is no such host' }],
        });
        expect(await labels()).toEqual(before);
        expect(await muster.run(changeLabels, { hosts })).toEqual(preview);
        expect(await labels()).toEqual([{ site: 'y' }, { site: 'y' }, { site: 'y' }]);
        const undo = preview.changed.map(({ hostname, before: set, added }) => ({ hostname, set, remove: added }));
        await muster.run(changeLabels, { hosts: undo });
        expect(await labels()).toEqual(before);
      });
    });

    describe('relations', () => {
      beforeEach(async () => {
        await muster.addAccounts('red');
        for (const hostname of ['vm', 'node']) await muster.run(saveHost, { hostname, account: 'red', labels: {} });
      });

      it('adds once, shows both ends, removes once', async () => {
        const edge = { hostname: 'vm', type: 'runs_on', target: 'node' };
        expect(await muster.run(addRelation, edge)).toEqual({ status: 'added' });
        expect(await muster.run(addRelation, { ...edge, source: 'other' })).toEqual({ status: 'unchanged' });
        const shown = { type: 'runs_on', source: 'manual' };
        expect(await muster.run(listRelations, { hostname: 'vm' })).toEqual({
          hostname: 'vm',
          outgoing: [{ ...shown, type_label: 'Runs on', target: 'node' }],
          inbound: [],
        });
        expect(await muster.run(listRelations, { hostname: 'node' })).toEqual({
          hostname: 'node',
          outgoing: [],
          inbound: [{ ...shown, type_label: 'Hosts', target: 'vm' }],
        });
        await muster.run(deleteHost, { hostname: 'node' });
        expect(await muster.run(listRelations, { hostname: 'vm' })).toMatchObject({ outgoing: [] });
        await muster.run(restoreHost, { hostname: 'node' });
        expect(await muster.run(removeRelation, edge)).toEqual({ status: 'removed' });
        expect(await muster.run(removeRelation, edge)).toEqual({ status: 'unchanged' });
      });

      it('draws what is two steps away, and no more than it is asked for', async () => {
        for (const hostname of ['rack', 'room']) await muster.run(saveHost, { hostname, account: 'red', labels: {} });
        const add = (hostname: string, type: string, target: string) =>
          muster.run(addRelation, { hostname, type: type as 'runs_on', target });
        await add('vm', 'runs_on', 'node');
        await add('rack', 'parent_of', 'node');
        await add('room', 'parent_of', 'rack');
        const graph = await muster.run(showGraph, { hostname: 'vm' });
        expect(graph).toMatchObject({
          nodes: [
            { hostname: 'vm', hop: 0 },
            { hostname: 'node', hop: 1 },
            { hostname: 'rack', hop: 2 },
          ],
          more: false,
        });
        expect(graph.edges).toContainEqual({
          from: 'rack',
          type: 'parent_of',
          type_label: 'Parent of',
          to: 'node',
          source: 'manual',
        });
        expect((await muster.run(showGraph, { hostname: 'vm', hops: 1 })).edges).toHaveLength(1);
        expect(await muster.run(showGraph, { hostname: 'node', limit: 1 })).toMatchObject({ more: true });
        await muster.run(deleteHost, { hostname: 'node' });
        expect(await muster.run(showGraph, { hostname: 'vm' })).toMatchObject({ edges: [], more: false });
        await expect(muster.run(showGraph, { hostname: 'none' })).rejects.toEqual(code('not_found'));
      });

      it('refuses unknown types, unknown ends and edges to oneself', async () => {
        await expect(muster.run(addRelation, { hostname: 'vm', type: 'likes', target: 'node' })).rejects.toEqual(
          code('invalid_input'),
        );
        await expect(muster.run(addRelation, { hostname: 'vm', type: 'runs_on', target: 'vm' })).rejects.toEqual(
          code('invalid_input'),
        );
        await expect(muster.run(addRelation, { hostname: 'vm', type: 'runs_on', target: 'no' })).rejects.toEqual(
          code('not_found'),
        );
        await expect(muster.run(removeRelation, { hostname: 'no', type: 'runs_on', target: 'vm' })).rejects.toEqual(
          code('not_found'),
        );
        expect(await muster.run(removeRelation, { hostname: 'vm', type: 'runs_on', target: 'vm' })).toEqual({
          status: 'unchanged',
        });
      });
    });

    describe('rules', () => {
      it('counts what is new, known and wrong, and says why', async () => {
        const rules = [customAttribute('a', 'x', '1'), { name: 'b' }, customAttribute('c', 'x', '{{ broken')];
        const first = await muster.run(importRulesOfType, { rule_type: 'custom_attributes', rules });
        expect(first).toMatchObject({ rule_type: 'custom_attributes', imported: 1, duplicate: 0, invalid: 2 });
        expect(first.details.map(({ name, path }) => `${name} ${path}`)).toEqual([
          'b condition_typ',
          'c outcomes.0.attribute_value',
        ]);
        const again = await muster.run(importRulesOfType, { rule_type: 'custom_attributes', rules: rules[0] });
        expect(again).toMatchObject({ imported: 0, duplicate: 1, invalid: 0 });
        await expect(muster.run(importRulesOfType, { rule_type: 'nothing', rules })).rejects.toEqual(code('not_found'));
      });

      it('gives documents back as they came, member order and all', async () => {
        const document = {
          zeta: 1,
          ...customAttribute('a', 'x', '1'),
          render_html: '<b>',
          unknown: { $date: 5 },
          _id: { $oid: 'ab'.repeat(12) },
        };
        await muster.run(importRulesOfType, { rule_type: 'custom_attributes', rules: document });
        const { rules }: { rules: object[] } = await muster.read(listRules, { rule_type: 'custom_attributes' });
        expect(JSON.stringify(rules[0])).toBe(JSON.stringify(document));
      });

      it('takes all three forms of a bundle, and aliases', async () => {
        expect(
          await muster.run(importRules, { rule_type: 'ansible_projects', rules: [{ name: 'p1', enabled: true }] }),
        ).toMatchObject({ imported: { automation_projects: 1 }, total: 1 });
        expect(
          await muster.run(importRules, {
            rules: { custom_attributes: [customAttribute('a', 'x', '1')], automation_projects: [{ name: 'p2' }] },
          }),
        ).toMatchObject({ imported: { custom_attributes: 1, automation_projects: 1 }, total: 2 });
        const lines = [
          '{"rule_type":"automation_projects"}',
          '',
          '{"name":"p3"}',
          '{"rule_type":"custom_attributes"}',
          JSON.stringify(customAttribute('b', 'x', '1')),
        ];
        expect(await muster.run(importRules, { lines: lines.join('\n') })).toMatchObject({ total: 2 });
        await expect(muster.run(importRules, { lines: '{"name":"p9"}' })).rejects.toThrow(/line 1/);
        await expect(muster.run(importRules, { lines: `${lines[0]}\n{oops` })).rejects.toThrow(/line 2/);
        await expect(
          muster.run(importRules, { rules: { nothing: {}, automation_projects: [{ name: 'p8' }] } }),
        ).rejects.toEqual(code('invalid_input'));
        const { rules }: { rules: { name: string }[] } = await muster.read(listRules, {
          rule_type: 'automation_projects',
        });
        expect(rules.map((rule) => rule.name)).toEqual(['p1', 'p2', 'p3']);
      });

      it('overrides by name and keeps the stored id', async () => {
        await muster.run(importRulesOfType, { rule_type: 'custom_attributes', rules: customAttribute('a', 'x', '1') });
        const before: { rules: { _id: object }[] } = await muster.read(listRules, { rule_type: 'custom_attributes' });
        await muster.run(importRulesOfType, {
          rule_type: 'custom_attributes',
          rules: { ...customAttribute('a', 'x', '2'), _id: { $oid: 'cd'.repeat(12) } },
          override: true,
        });
        const after: { rules: object[] } = await muster.read(listRules, { rule_type: 'custom_attributes' });
        expect(after.rules).toHaveLength(1);
        expect(after.rules[0]).toMatchObject({ _id: before.rules[0]?._id, outcomes: [{ attribute_value: '2' }] });
      });

      it('keeps roles of users that nobody knows, and warns of them', async () => {
        const rules = [{ name: 'ute', api_roles: ['objekts', 'rules', 'ansible'], roles: ['editor'] }];
        const result = await muster.run(importRulesOfType, { rule_type: 'users', rules });
        expect(result).toMatchObject({
          imported: 1,
          invalid: 0,
          warnings: [
            {
              rule_type: 'users',
              index: 0,
              name: 'ute',
              path: 'api_roles.0',
              message: expect.stringMatching(/^"objekts" is not a known role.* known roles: all, objects, /),
            },
          ],
        });
        const stored: { rules: object[] } = await muster.read(listRules, { rule_type: 'users' });
        expect(stored.rules).toEqual([expect.objectContaining(rules[0] as object)]);
      });

      it('refuses host documents that could not be written otherwise, and warns of missing accounts', async () => {
        const rules = [
          { hostname: 'a/b' },
          { hostname: 'x\ny' },
          { hostname: 'x'.repeat(254) },
          { hostname: 'k', inventory: { a: { $x: 1 } } },
          { hostname: 'ok', account: 'nosuch', last_import_seen: { $date: 1_700_000_000_000 } },
        ];
        const result = await muster.run(importRulesOfType, { rule_type: 'host_objects', rules });
        expect(result).toMatchObject({ imported: 1, invalid: 4, warnings: [{ name: 'ok', path: 'account' }] });
        expect(await muster.run(getHost, { hostname: 'ok' })).toMatchObject({
          last_seen: '2023-11-14T22:13:20Z',
          last_update: false,
        });
      });

      it('keeps id and creation time of a host that a document replaces, whatever the document lacks', async () => {
        await muster.addAccounts('red');
        await muster.run(saveHost, { hostname: 'made', account: 'red', labels: { a: 1 } });
        const import_ = (rule: object) =>
          muster.run(importRulesOfType, { rule_type: 'host_objects', rules: rule, override: true });
        const own = { $oid: '65f1c0ffee0000000000aaaa' };
        await import_({ _id: own, hostname: 'brought', account: 'red', create_time: { $date: 1_700_000_000_000 } });
        const read = async (): Promise<Record<string, RuleDocument>> => {
          const answer: { rules: RuleDocument[] } = await muster.read(listRules, { rule_type: 'host_objects' });
          return Object.fromEntries(answer.rules.map((rule) => [String(rule.hostname), rule]));
        };
        const before = await read();
        expect(before.brought).toMatchObject({ _id: own, create_time: { $date: 1_700_000_000_000 } });
        for (const hostname of ['made', 'brought']) {
          await import_({ hostname, account: 'red', labels: { b: 2 } });
          await import_({ _id: { $oid: '65f1c0ffee0000000000bbbb' }, hostname, account: 'red', labels: { b: 2 } });
        }
        const after = await read();
        for (const hostname of ['made', 'brought']) {
          const { _id, create_time } = before[hostname] ?? {};
          expect(after[hostname]).toMatchObject({ _id, create_time, labels: { b: 2 } });
          await import_({ ...after[hostname], create_time: { $date: 1_600_000_000_000 } });
          expect((await read())[hostname]).toMatchObject({ _id, create_time: { $date: 1_600_000_000_000 } });
        }
        // One after the other of an import, and the same document for every import of a new host.
        await import_([{ hostname: 'twice', create_time: { $date: 1 } }, { hostname: 'twice' }]);
        expect((await read()).twice).toMatchObject({ create_time: { $date: 1 } });
      });

      it('tells of host documents what an import would do, also to names that come twice', async () => {
        await muster.addAccounts('red');
        await muster.run(saveHost, { hostname: 'here', account: 'red', labels: {} });
        await muster.run(saveHost, { hostname: 'archived', account: 'red', labels: {} });
        await muster.run(deleteHost, { hostname: 'archived' });
        // More than are looked up at once lie between the two.
        const between = Array.from({ length: 600 }, (_, n) => `between-${n}`);
        const names = ['new', 'here', 'archived', 'near', 'near', ...between, 'new'];
        const rules = names.map((hostname) => ({ hostname, account: 'red', labels: {} }));
        for (const override of [false, true]) {
          const request = { rule_type: 'host_objects', rules, override };
          const { changes: _, ...preview } = await muster.run(importRulesOfType, { ...request, dry_run: true });
          const { changes: __, ...done } = await muster.run(importRulesOfType, request);
          const imported = override ? 606 : 602;
          expect(preview).toMatchObject({ imported, duplicate: 606 - imported });
          expect(done).toMatchObject({ imported, duplicate: 606 - imported });
        }
      });

      it('names the line that is no document and refuses bodies that are no rules', async () => {
        await expect(muster.run(importRules, { lines: '{"rule_type":"custom_attributes"}\n"bogus"' })).rejects.toThrow(
          /line 2.*object/,
        );
        for (const rules of ['x', 5, null, true]) {
          await expect(muster.run(importRulesOfType, { rule_type: 'custom_attributes', rules })).rejects.toEqual(
            code('invalid_input'),
          );
        }
        const autorule = { name: 'a', enabled: true, rule_type: 'bogus', rule_body: '{}' };
        expect(
          await muster.run(importRulesOfType, { rule_type: 'syncer_rule_automation', rules: autorule }),
        ).toMatchObject({ invalid: 1, details: [{ path: 'rule_type' }] });
      });

      it('says before an import what it would change', async () => {
        const type = { rule_type: 'custom_attributes' };
        await muster.run(importRulesOfType, {
          ...type,
          rules: [customAttribute('a', 'x', '1'), customAttribute('same', 'x', '1')],
        });
        const rules = [
          customAttribute('a', 'x', '2'),
          customAttribute('same', 'x', '1'),
          customAttribute('b', 'x', '1'),
        ];
        const preview = await muster.run(importRulesOfType, { ...type, rules, override: true, dry_run: true });
        expect(preview).toMatchObject({ imported: 3, duplicate: 0 });
        expect(preview.changes).toEqual([
          {
            ...type,
            name: 'a',
            change: 'changed',
            changes: [
              {
                path: 'outcomes',
                before: [{ attribute_name: 'x', attribute_value: '1' }],
                after: [{ attribute_name: 'x', attribute_value: '2' }],
              },
            ],
          },
          { ...type, name: 'b', change: 'new', changes: [] },
        ]);
        expect(await muster.read(listRules, type)).toMatchObject({
          rules: [{ name: 'a', outcomes: [{ attribute_value: '1' }] }, { name: 'same' }],
        });
      });

      it('says before an import what it answers after it, also of names and folders that are taken', async () => {
        const id = (digit: string) => ({ _id: { $oid: digit.repeat(24) } });
        const attribute = (digit: string, name: string) => ({ ...customAttribute(name, 'x', digit), ...id(digit) });
        const pool = (digit: string, folder_name: string) => ({
          ...id(digit),
          name: digit,
          folder_name,
          folder_seats: 1,
        });
        const imports: readonly [rule_type: string, rules: readonly JsonObject[], counts: object][] = [
          ['custom_attributes', [attribute('1', 'a'), attribute('2', 'b')], { imported: 2, invalid: 0 }],
          ['custom_attributes', [attribute('1', 'b')], { imported: 0, invalid: 1 }],
          ['custom_attributes', [attribute('1', 'c'), attribute('2', 'a')], { imported: 2, invalid: 0 }],
          ['custom_attributes', [attribute('3', 'a'), attribute('3', 'd')], { imported: 2, invalid: 0 }],
          ['cmk_folder_pool', [pool('1', '/a'), pool('2', '/a')], { imported: 1, duplicate: 1 }],
          ['cmk_folder_pool', [pool('1', '/b'), pool('2', '/a'), pool('1', '/a')], { imported: 2, duplicate: 1 }],
        ];
        for (const [rule_type, rules, counts] of imports) {
          const request = { rule_type, rules, override: true };
          const {
            changes: _,
            differing: __,
            ...preview
          } = await muster.run(importRulesOfType, {
            ...request,
            dry_run: true,
          });
          expect(preview).toMatchObject(counts);
          expect(await muster.run(importRulesOfType, request)).toMatchObject(preview);
        }
      });

      it('keeps versions and goes back to one', async () => {
        const type = { rule_type: 'custom_attributes' };
        await muster.run(importRulesOfType, { ...type, rules: customAttribute('a', 'x', '1') });
        await muster.run(importRulesOfType, { ...type, rules: customAttribute('a', 'x', '2'), override: true });
        const { versions } = await muster.run(ruleHistory, { ...type, rule: 'a' });
        expect(versions.map((version) => version.change)).toEqual(['replaced', 'created']);
        expect(versions[0]?.by).toContain('operator');
        await muster.run(revertRule, { ...type, rule: 'a', version: 1 });
        expect(await muster.read(listRules, type)).toMatchObject({ rules: [{ outcomes: [{ attribute_value: '1' }] }] });
      });

      it('exports what was imported, into an empty instance and back', async () => {
        await muster.addAccounts('red');
        await muster.run(addAccount, {
          name: 'secretive',
          type: 'csv',
          settings: { path: 'x.csv' },
          password: 'hunter2',
        });
        await muster.addCaller('bob', { roles: ['all'], accounts: ['red'] });
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { 'a.b': [1, 'x'] } });
        await muster.run(saveHost, { hostname: 'b', account: 'red', labels: {} });
        await muster.run(saveInventory, { hostname: 'a', key: 'hw', inventory: { cpu: { n: 1 } } });
        await muster.run(addRelation, { hostname: 'a', type: 'runs_on', target: 'b' });
        await muster.run(archiveHost, { hostname: 'b' });
        await muster.run(importRules, {
          rules: {
            custom_attributes: [customAttribute('a', 'x', '1')],
            automation_projects: [{ name: 'p', enabled: true }],
          },
        });
        const everything = {
          include_hosts: true,
          include_accounts: true,
          include_users: true,
          include_passwords: true,
        };
        const exported: { rules: Record<string, unknown[]> } = await muster.read(exportRules, everything);
        const empty = await create();
        const other = await OperationsApp.over(empty.storage, { CMDB_MODE: true });
        try {
          const result = await other.run(importRules, { rules: exported.rules });
          expect(result.details).toEqual([]);
          const again: { rules: object } = await other.read(exportRules, everything);
          expect(again.rules).toEqual(exported.rules);
          await other.run(restoreHost, { hostname: 'b' });
          expect(await other.run(listRelations, { hostname: 'a' })).toMatchObject({ outgoing: [{ target: 'b' }] });
          expect((await other.callerOf('bob')).scopeNames).toEqual(['red']);
          const account = await other.app.services.accounts.byName('secretive');
          expect(account && (await other.app.services.accounts.password(account))).toBe('hunter2');
        } finally {
          await other.stop();
          await empty.close();
        }
      });

      it('shows a changed rule in the next inventory, and its impact before', async () => {
        await muster.addAccounts('red');
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { os: 'linux' } });
        const inventory = async (): Promise<unknown> =>
          muster.read(renderInventory, { provider: 'automation', host: 'a' });
        expect(await inventory()).toEqual({ SOURCE_ACCOUNT: 'red', os: 'linux', HOSTNAME: 'a' });
        const rules = { custom_attributes: [customAttribute('r', 'short', '{{ os[:3] }}')] };
        expect(await muster.run(rulesImpact, { rules })).toEqual({
          hosts: 1,
          changed: 1,
          is_exact: true,
          of: 1,
          details: [{ hostname: 'a', change: 'changed', changes: [{ path: 'short', after: 'lin' }] }],
        });
        await muster.run(importRules, { rules });
        expect(await inventory()).toMatchObject({ short: 'lin' });
        const { explanation } = await muster.run(explainHost, { hostname: 'a' });
        expect(explanation.attributes.find((attribute) => attribute.name === 'short')).toMatchObject({
          value: 'lin',
          origin: { kind: 'rule', name: 'r' },
        });
      });

      it('makes rules from autorules once, and reports what it cannot make', async () => {
        await muster.addAccounts('red');
        for (const hostname of ['a', 'b'])
          await muster.run(saveHost, { hostname, account: 'red', labels: { hostname } });
        const body = JSON.stringify(customAttribute('auto {{ HOSTNAME }}', 'made', 'yes'));
        const autorule = (name: string, rule_body: string, rule_type = 'custom_attributes') => ({
          name,
          enabled: true,
          rule_type,
          rule_body,
        });
        await muster.run(importRules, {
          rules: {
            syncer_rule_automation: [
              autorule('good', body),
              autorule('bad', 'no json'),
              autorule(
                'greedy',
                '{"name": "evil {{ HOSTNAME }}", "api_roles": ["all"], "global_admin": true}',
                'users',
              ),
            ],
          },
        });
        expect(await muster.run(runAutorules, {})).toEqual({ status: 'ok' });
        await muster.run(runAutorules, {});
        const { rules }: { rules: { name: string }[] } = await muster.read(listRules, {
          rule_type: 'custom_attributes',
        });
        expect(rules.map((rule) => rule.name)).toEqual(['auto a', 'auto b']);
        expect(await muster.read(listRules, { rule_type: 'users' })).toMatchObject({ rules: [] });
        const { entries } = await muster.run(listLogs, {});
        expect(entries[0]).toMatchObject({ source: 'Autorules', has_error: true });
      });

      it('refuses projects that are named like a registered provider', async () => {
        const rules = [{ name: 'automation' }, { name: 'CMK_Sites' }, { name: 'ansible' }];
        const result = await muster.run(importRulesOfType, { rule_type: 'automation_projects', rules });
        expect(result).toMatchObject({ imported: 0, invalid: 3 });
        expect(result.details.map(({ path }) => path)).toEqual(['name', 'name', 'name']);
      });

      it('offers each enabled project as an inventory provider', async () => {
        await muster.run(importRules, {
          rules: { automation_projects: [{ name: 'web', enabled: true }, { name: 'off' }] },
        });
        const { providers } = await muster.run(listProviders, {});
        const names = providers.map(({ name }) => name);
        expect(names).toContain('web');
        expect(names).toContain('automation');
        expect(names).not.toContain('off');
        await expect(muster.read(renderInventory, { provider: 'off' })).rejects.toEqual(code('not_found'));
      });
    });

    describe('access', () => {
      beforeEach(() => muster.addAccounts('red', 'blue'));

      it('refuses who lacks the role, and who may only read', async () => {
        const reader = await muster.addCaller('reader', { roles: ['objects'], read_only: true });
        const ruler = await muster.addCaller('ruler', { roles: ['rules'] });
        await expect(muster.run(getHost, { hostname: 'a' }, ruler)).rejects.toThrow(
          'User has no api_role granting /api/v1/test',
        );
        await expect(muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} }, reader)).rejects.toEqual(
          code('read_only'),
        );
        const { entries } = await muster.run(listAudit, {});
        expect(entries.slice(0, 2)).toEqual([
          expect.objectContaining({ actor: 'reader', operation: 'hosts/save-host', outcome: 'read_only' }),
          expect.objectContaining({ actor: 'ruler', operation: 'hosts/get-host', outcome: 'role_missing' }),
        ]);
      });

      it('hides everything outside of the scope', async () => {
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        await muster.run(saveHost, { hostname: 'mine', account: 'red', labels: {} });
        await muster.run(saveHost, { hostname: 'theirs', account: 'blue', labels: {} });
        await muster.run(addRelation, { hostname: 'mine', type: 'runs_on', target: 'theirs' });
        const unknown = (hostname: string) =>
          muster.run(getHost, { hostname }, scoped).catch((error: Error) => error.message.replace(hostname, 'X'));
        expect(await unknown('theirs')).toBe(await unknown('no-such'));
        expect(await muster.read(listHosts, { start: 0 }, scoped)).toMatchObject({
          size: 1,
          results: [{ hostname: 'mine' }],
        });
        expect(await muster.run(hostCounters, {}, scoped)).toMatchObject({ num_hosts: 1 });
        expect(await muster.run(listRelations, { hostname: 'mine' }, scoped)).toMatchObject({ outgoing: [] });
        expect(await muster.read(renderInventory, { provider: 'automation' }, scoped)).toMatchObject({
          all: { hosts: ['mine'] },
        });
        expect(await muster.run(listAccounts, {}, scoped)).toMatchObject({ accounts: [{ name: 'red' }] });
        await expect(muster.run(deleteHost, { hostname: 'theirs' }, scoped)).rejects.toEqual(code('not_found'));
        await expect(muster.run(saveHost, { hostname: 'theirs', account: 'red', labels: {} }, scoped)).rejects.toEqual(
          code('account_conflict'),
        );
        await expect(muster.run(saveHost, { hostname: 'n', account: 'blue', labels: {} }, scoped)).rejects.toEqual(
          code('forbidden'),
        );
        expect(
          await muster.run(
            saveInventoriesBulk,
            { inventories: [{ hostname: 'theirs', key: 'k', inventory: {} }] },
            scoped,
          ),
        ).toEqual({ status: 'saved 0', 'not-found': ['theirs'] });
      });

      it('lets nobody gain by an import what they do not hold', async () => {
        const ruler = await muster.addCaller('ruler', { roles: ['rules'] });
        await muster.addCaller('boss', { roles: ['all'], admin: true });
        const user = (document: object) =>
          muster.run(importRulesOfType, { rule_type: 'users', rules: document, override: true }, ruler);
        await expect(user({ name: 'new', api_roles: ['objects'] })).rejects.toEqual(code('forbidden'));
        await expect(user({ name: 'new', global_admin: true })).rejects.toEqual(code('forbidden'));
        await expect(user({ name: 'ruler', api_roles: ['all'] })).rejects.toEqual(code('forbidden'));
        await expect(user({ name: 'boss', pwdhash: 'x', api_roles: ['all'], global_admin: true })).rejects.toEqual(
          code('forbidden'),
        );
        expect(await user({ name: 'peer', api_roles: ['rules'] })).toMatchObject({ imported: 1 });
        const { entries } = await muster.run(listAudit, { actor: 'ruler' });
        expect(entries.filter((entry) => entry.outcome === 'forbidden')).toHaveLength(4);
      });

      it('shows who is restricted to accounts no foreign accounts, users and secrets', async () => {
        await muster.run(addAccount, { name: 'mine', type: 'csv', settings: { path: 'a' }, password: 'own secret' });
        await muster.run(addAccount, {
          name: 'theirs',
          type: 'csv',
          settings: { path: 'b' },
          password: 'foreign secret',
        });
        await muster.addCaller('other', { roles: ['all'] });
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['mine'] });
        type Exported = { rules: { accounts: { name: string }[]; users: { name: string }[] } };
        const flags = { include_accounts: true, include_users: true };
        const seen: Exported = await muster.read(exportRules, flags, scoped);
        expect(seen.rules.accounts.map(({ name }) => name)).toEqual(['mine']);
        expect(seen.rules.users.map(({ name }) => name)).toEqual(['scoped']);
        expect(await muster.read(listRules, { rule_type: 'accounts' }, scoped)).toMatchObject({
          rules: [{ name: 'mine' }],
        });
        await expect(muster.run(ruleHistory, { rule_type: 'accounts', rule: 'theirs' }, scoped)).rejects.toEqual(
          code('not_found'),
        );

        const foreign = (await muster.app.services.accounts.byName('theirs'))?.sealedPassword;
        const own: { rules: object[] } = await muster.read(listRules, { rule_type: 'accounts' }, scoped);
        const stolen = { ...own.rules[0], password_crypted: foreign };
        await expect(
          muster.run(importRulesOfType, { rule_type: 'accounts', rules: stolen, override: true }, scoped),
        ).rejects.toEqual(code('forbidden'));
        expect(
          await muster.run(importRulesOfType, { rule_type: 'accounts', rules: own.rules, override: true }, scoped),
        ).toMatchObject({ imported: 1 });
      });

      it('holds for documents of hosts as for any other write', async () => {
        await muster.run(saveHost, { hostname: 'theirs', account: 'blue', labels: { n: 1 } });
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        const put = (document: object, override = true) =>
          muster.run(importRulesOfType, { rule_type: 'host_objects', rules: document, override }, scoped);
        const forbidden = [
          { hostname: 'theirs', account: 'red', labels: {} },
          { hostname: 'theirs', account: 'blue', labels: {} },
          { hostname: 'theirs', labels: {}, archived: { at: { $date: 1 }, by: 'operator' } },
          { hostname: 'new', account: 'blue', labels: {} },
          { hostname: 'new', labels: {} },
        ];
        for (const document of forbidden) await expect(put(document)).rejects.toEqual(code('forbidden'));
        await expect(put({ hostname: 'theirs', account: 'red' }, false)).rejects.toEqual(code('forbidden'));
        expect((await muster.run(getHost, { hostname: 'theirs' })).labels).toEqual({ n: 1 });
        expect(await put({ hostname: 'mine', account: 'red', labels: {} })).toMatchObject({ imported: 1 });
      });

      it('shows who is restricted to accounts the log of those only', async () => {
        const { logs } = muster.storage;
        for (const [n, source] of ['import:red', 'import:blue', 'Autorules'].entries()) {
          const id = `${n}`.repeat(24);
          await logs.append({ id, at: new Date(), message: source, source, details: [], hasError: false });
        }
        const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
        const { entries } = await muster.run(listLogs, {}, scoped);
        expect(entries.map((entry) => entry.source)).toEqual(['import:red']);
        expect(await muster.run(getServiceLog, { service_name: 'red' }, scoped)).toMatchObject({
          result: { source: 'import:red' },
        });
        for (const service_name of ['import:blue', 'blue', 'Autorules']) {
          await expect(muster.run(getServiceLog, { service_name }, scoped)).rejects.toEqual(code('not_found'));
          expect(await muster.run(getServiceLog, { service_name })).toBeDefined();
        }
      });

      it('forgets credentials when the user changes', async () => {
        await muster.addCaller('bob', { roles: ['objects'] });
        await muster.run(changeUser, { name: 'bob', password: 'another password' });
        await expect(muster.callerOf('bob')).rejects.toThrow();
        await muster.run(changeUser, { name: 'bob', password: PASSWORD });
        expect((await muster.callerOf('bob')).roles).toEqual(['objects']);
        await muster.run(changeUser, { name: 'bob', disabled: true });
        await expect(muster.callerOf('bob')).rejects.toThrow();
      });

      it('loses no change of a user when two are made at once', async () => {
        await muster.addCaller('bob', { roles: ['objects'] });
        const labels = ['t0', 't1', 't2', 't3', 't4'];
        await Promise.all(labels.map((label) => muster.run(createToken, { name: 'bob', label })));
        const { tokens } = await muster.run(listTokens, { name: 'bob' });
        expect(tokens.map((token) => token.label).sort()).toEqual(labels);
      });

      it('gives tokens that work until they are revoked', async () => {
        await muster.addCaller('bob', { roles: ['objects'] });
        const { token, prefix } = await muster.run(createToken, { name: 'bob', label: 'ci', expires_days: 1 });
        const { users } = muster.app.services;
        expect(await users.authenticate({ kind: 'token', token })).toMatchObject({ name: 'bob' });
        expect(await users.authenticate({ kind: 'token', token: `${token}x` })).toBeUndefined();
        const { tokens } = await muster.run(listTokens, { name: 'bob' });
        expect(tokens).toEqual([expect.objectContaining({ prefix, label: 'ci', last_used: expect.any(String) })]);
        expect(JSON.stringify(tokens)).not.toContain(token);
        await muster.run(revokeToken, { name: 'bob', prefix });
        expect(await users.authenticate({ kind: 'token', token })).toBeUndefined();
      });
    });

    describe('accounts', () => {
      it('checks options against the type and names the field', async () => {
        await expect(muster.run(addAccount, { name: 'a', type: 'csv', settings: { pth: 'x' } })).rejects.toThrow(/pth/);
        await expect(muster.run(addAccount, { name: 'a', type: 'csv' })).rejects.toThrow(/path/);
        await expect(muster.run(addAccount, { name: 'a', type: 'nothing' })).rejects.toThrow(/csv/);
      });

      it('keeps secrets sealed and shows none', async () => {
        await muster.run(addAccount, { name: 'a', type: 'csv', settings: { path: 'x' }, password: 'hunter2' });
        expect(await muster.run(showAccount, { name: 'a' })).toMatchObject({
          has_password: true,
          options: { path: 'x' },
        });
        await muster.run(setAccount, { name: 'a', settings: { path: 'y' } });
        const account = await muster.app.services.accounts.byName('a');
        expect(account?.record.document.text).not.toContain('hunter2');
        expect(account && (await muster.app.services.accounts.password(account))).toBe('hunter2');
      });

      it('is not deleted while hosts or rules use it', async () => {
        await muster.addAccounts('red');
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} });
        await expect(muster.run(deleteAccount, { name: 'red' })).rejects.toEqual(code('conflict'));
        await muster.run(deleteHost, { hostname: 'a' });
        await expect(muster.run(deleteAccount, { name: 'red' })).rejects.toThrow(/archive/);
        await muster.storage.hosts.purgeArchived(new Date(Date.now() + 1000), {
          at: new Date(),
          actor: { kind: 'user', name: 'olga' },
        });
        await muster.run(deleteAccount, { name: 'red' });
        await expect(muster.run(showAccount, { name: 'red' })).rejects.toEqual(code('not_found'));
      });

      it('is deleted with its hosts where that is asked for, and with none where something else uses it', async () => {
        await muster.addAccounts('red', 'blue');
        for (const hostname of ['a', 'b', 'c']) await muster.run(saveHost, { hostname, account: 'red', labels: {} });
        await muster.run(saveHost, { hostname: 'other', account: 'blue', labels: {} });
        await muster.run(deleteHost, { hostname: 'b' });
        const macro = customAttribute('macro', 'x', '{{ACCOUNT:red:username}}');
        await muster.run(importRulesOfType, { rule_type: 'custom_attributes', rules: macro });
        const refused = muster.run(deleteAccount, { name: 'red', with_hosts: true });
        await expect(refused).rejects.toEqual(code('conflict'));
        expect(await muster.storage.hosts.find('a')).toMatchObject({ archive: null });
        await muster.run(removeRule, { rule_type: 'custom_attributes', rule: 'macro' });
        expect(await muster.run(deleteAccount, { name: 'red', with_hosts: true })).toMatchObject({ hosts: 3 });
        for (const hostname of ['a', 'b', 'c']) expect(await muster.storage.hosts.find(hostname)).toBeUndefined();
        expect(await muster.storage.hosts.find('other')).toMatchObject({ archive: null });
        await expect(muster.run(showAccount, { name: 'red' })).rejects.toEqual(code('not_found'));
      });

      it('takes its contributions along when it goes, and is not deleted while rules show its fields', async () => {
        await muster.addAccounts('red', 'blue');
        await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { site: 'berlin' } });
        const blue = await muster.app.services.accounts.byName('blue');
        const entries = [{ hostname: 'a', labels: StoredJson.ofValue({ site: 'paris', extra: 1 }) }];
        const actor = { kind: 'account', name: 'blue' } as const;
        await muster.storage.hosts.contributeLabels({
          accountId: blue?.id ?? '',
          precedence: 5,
          entries,
          at: new Date(),
          actor,
          runId: 'r',
        });
        const { explanation, contributions } = await muster.run(explainHost, { hostname: 'a' });
        expect(explanation.attributes.find(({ name }) => name === 'site')?.origin).toEqual({
          kind: 'label',
          account: 'blue',
        });
        expect(contributions.map(({ account }) => account)).toEqual(['blue', 'red']);
        const macro = customAttribute('macro', 'x', '{{ACCOUNT:blue:username}}');
        await muster.run(importRulesOfType, { rule_type: 'custom_attributes', rules: macro });
        await expect(muster.run(deleteAccount, { name: 'blue' })).rejects.toEqual(code('conflict'));
        await muster.run(removeRule, { rule_type: 'custom_attributes', rule: 'macro' });
        await muster.run(deleteAccount, { name: 'blue' });
        expect((await muster.run(getHost, { hostname: 'a' })).labels).toEqual({ site: 'berlin' });
      });

      it('takes no writes while disabled', async () => {
        await muster.addAccounts('red');
        await muster.run(setAccount, { name: 'red', enabled: false });
        await expect(muster.run(saveHost, { hostname: 'a', account: 'red', labels: {} })).rejects.toEqual(
          code('invalid_input'),
        );
      });
    });
  });
}
