import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { explainHost } from '../../../src/app/explain/operations/explain-host.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { makeStoredPlan } from '../../../src/app/exports/plans/operations/make-plan.ts';
import { showPlan } from '../../../src/app/exports/plans/operations/show-plan.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import { rulesImpact } from '../../../src/app/preview/operations/rules-impact.ts';
import { tryRule } from '../../../src/app/preview/operations/try-rule.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { DeviceRegistry } from '../../support/device-registry.ts';
import { OperationsApp } from '../operations/operations-app.ts';

const PLUGIN = join(ROOT, 'examples/plugins/device-registry');
const ON_DEBIAN = {
  condition_typ: 'all',
  conditions: [{ match_type: 'tag', tag: 'os', tag_match: 'equal', value: 'debian', value_match: 'equal' }],
};
const ANYWAY = { condition_typ: 'anyway' };
const code = (expected: string) => expect.objectContaining({ code: expected });

/** The rules of a target in exports, plans and explanations, whatever they are stored in. Run over every storage adapter. */
export function describeTargetRules(name: string, create: StorageHarness['create']): void {
  describe(`${name}: rules of a target`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let registry: DeviceRegistry;
    const configuration = { PLUGINS: [PLUGIN], PLUGIN_TIMEOUT_SECONDS: 20 };
    beforeEach(async () => {
      offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
      opened = await create();
      registry = await new DeviceRegistry().start();
      muster = await OperationsApp.over(opened.storage, configuration);
      await muster.addAccounts('red');
      const settings = { url: registry.url };
      await muster.run(addAccount, { name: 'out', type: 'device-registry', settings, password: 'sesame' });
      await muster.run(addAccount, { name: 'file', type: 'json_file', settings: { path: 'x.json' } });
      await muster.run(saveHostsBulk, {
        account: 'red',
        objects: [
          { hostname: 'web1', labels: { os: 'debian', room: 'r1', site: 'berlin' } },
          { hostname: 'web2', labels: { os: 'rocky', room: 'r2', site: 'berlin' } },
        ],
      });
    });
    afterEach(async () => {
      await muster.stop();
      await registry.stop();
      await opened.close();
    });

    const rules = (bundle: object) => muster.run(importRules, { rules: bundle, override: true });
    const fields = (outcomes: object[], more: object = {}) => {
      return { registry_fields: [{ name: 'rooms', enabled: true, ...ANYWAY, outcomes, ...more }] };
    };
    const noDebian = { registry_filter: [{ name: 'no debian', enabled: true, ...ON_DEBIAN }] };
    const explain = (hostname: string, target = 'out', caller?: Caller) =>
      muster.run(explainHost, { hostname, target }, caller);
    const run = () => muster.run(exportAccount, { account: 'out' });

    it('decide which hosts go there and what they are, and plans name them', async () => {
      await rules({ ...noDebian, ...fields([{ field: 'site', value: 'room {{ room }}' }]) });
      const { id } = await muster.run(makeStoredPlan, { account: 'out' });
      const { entries } = await muster.run(showPlan, { plan: id });
      const rule = { id: expect.stringMatching(/^[0-9a-f]{24}$/), type: 'registry_fields', name: 'rooms' };
      expect(entries).toMatchObject([
        { kind: 'site', key: 'room r2', rule: null },
        { kind: 'device', key: 'web2', rule },
      ]);
      expect(await run()).toMatchObject({ status: 'done' });
      expect([...registry.devices.values()]).toMatchObject([{ name: 'web2', site: 'room r2', os: 'rocky' }]);
      expect(await run()).toMatchObject({ status: 'done', summary: { written: 0 } });
    });

    it('are explained: what hid the host, what each rule decided, and what the target wants of it', async () => {
      await rules({ ...noDebian, ...fields([{ field: 'site', value: 'room {{ room }}' }]) });
      expect(await explain('web1')).toMatchObject({
        targets: ['file', 'out'],
        target: { account: 'out', type: 'device-registry', wanted: [] },
        explanation: { included: false, ignoredBy: { type: 'registry_filter', name: 'no debian' } },
      });
      const { target, explanation, obstacle } = await explain('web2');
      expect(obstacle).toBeUndefined();
      expect(target?.wanted).toEqual([
        { kind: 'site', key: 'room r2', fields: { title: 'Site room r2' }, rule: null },
        {
          kind: 'device',
          key: 'web2',
          fields: { site: 'room r2', os: 'rocky' },
          rule: { id: expect.any(String), type: 'registry_fields', name: 'rooms' },
        },
      ]);
      expect(explanation.outcomes).toMatchObject({ registry_fields: [{ value: { site: 'room r2' } }] });
      expect(explanation.rules.map(({ type, outcome }) => [type, outcome])).toEqual([
        ['registry_filter', 'missed'],
        ['registry_fields', 'hit'],
      ]);
      // The inventory and another target know nothing of these rules.
      expect((await muster.run(explainHost, { hostname: 'web1' })).explanation).toMatchObject({
        included: true,
        rules: [],
      });
      expect(await explain('web1', 'file')).toMatchObject({
        target: { account: 'file', wanted: null },
        explanation: { included: true, rules: [] },
      });
    });

    it('are of the project of the account', async () => {
      await rules({
        automation_projects: [{ name: 'shop', enabled: true }],
        ...fields([{ field: 'site', value: 'none' }], { project: 'shop' }),
      });
      const site = async () => (await explain('web1')).target?.wanted?.[0]?.key;
      expect(await site()).toBe('berlin');
      await muster.run(setAccount, { name: 'out', settings: { project: 'shop' } });
      expect(await site()).toBe('none');
      await expect(muster.run(explainHost, { hostname: 'web1', target: 'out', project: 'shop' })).rejects.toEqual(
        code('invalid_input'),
      );
    });

    it('keep what there is of a host that they broke off on', async () => {
      await run();
      await rules(fields([{ field: 'os', value: '{{ room.nothing.at.all }}' }], ON_DEBIAN));
      const report = await run();
      expect(report).toMatchObject({ status: 'partial', summary: { written: 0, failed: 1 } });
      expect(report.failures[0]).toMatchObject({ hostname: 'web1', reason: expect.stringContaining('broke off') });
      expect(registry.names('devices')).toEqual(['web1', 'web2']);
      const { explanation, target } = await explain('web1');
      expect(explanation).toMatchObject({ included: false, leftOut: expect.stringContaining('not known') });
      expect(target?.wanted).toEqual([]);
    });

    it('stop every run when their plugin is not there, and runs to the target when one of them cannot work', async () => {
      await rules(noDebian);
      await muster.stop();
      muster = await OperationsApp.over(opened.storage, { PLUGIN_TIMEOUT_SECONDS: 20 });
      const obstacle = (await muster.run(explainHost, { hostname: 'web1' })).obstacle;
      expect(obstacle).toContain('registry_filter');
      await muster.stop();
      muster = await OperationsApp.over(opened.storage, configuration);
      expect((await explain('web1')).obstacle).toBeUndefined();
      await rules(fields([{ field: 'site', value: '{{ broken' }]));
      expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining('rooms') });
      expect((await explain('web2')).obstacle).toContain('rooms');
      expect((await muster.run(explainHost, { hostname: 'web2' })).obstacle).toBeUndefined();
    });

    it('can be tried before they are stored', async () => {
      const document = { name: 'tried', ...ANYWAY, outcomes: [{ field: 'site', value: 'x' }] };
      const tried = { rule_type: 'registry_fields', document, hostname: 'web1' };
      expect(await muster.run(tryRule, tried)).toMatchObject({
        rule: { name: 'tried', outcome: 'hit', changes: [{ what: 'outcome', after: { site: 'x' } }] },
        change: 'changed',
      });
      const impact = { rule_type: 'registry_filter', rules: [{ name: 'f', enabled: true, ...ON_DEBIAN }] };
      const leaves = { target: 'device-registry', changed: 1, details: [{ hostname: 'web1', change: 'disappears' }] };
      expect(await muster.run(rulesImpact, { ...impact, target: 'out' })).toMatchObject(leaves);
      // Rules that are for one type of targets change nothing else.
      expect(await muster.run(rulesImpact, impact)).toMatchObject(leaves);
      const both = { rules: { registry_filter: impact.rules, custom_attributes: [] } };
      const inInventory = await muster.run(rulesImpact, both);
      expect(inInventory).toMatchObject({ changed: 0 });
      expect(inInventory.target).toBeUndefined();
      await expect(muster.run(rulesImpact, { ...impact, target: 'out', project: 'shop' })).rejects.toEqual(
        code('invalid_input'),
      );
    });

    it('show nothing of accounts that the caller does not reach', async () => {
      const restricted = await muster.addCaller('olga', { roles: ['objects'], accounts: ['red'] });
      await expect(explain('web1', 'out', restricted)).rejects.toEqual(code('not_found'));
      expect((await muster.run(explainHost, { hostname: 'web1' }, restricted)).targets).toEqual([]);
    });
  });
}
