import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failingHosts } from '../../../src/app/explain/operations/failing-hosts.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { rulesImpact } from '../../../src/app/preview/operations/rules-impact.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { showProject } from '../../../src/app/rules/operations/show-project.ts';
import { switchProject } from '../../../src/app/rules/operations/switch-project.ts';
import { switchRules } from '../../../src/app/rules/operations/switch-rules.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const HOSTS = 620;

const site = (value: string) => ({
  condition_typ: 'all',
  conditions: [{ match_type: 'tag', tag: 'site', tag_match: 'equal', value, value_match: 'equal' }],
});
const variable = (name: string, value: string, more: object = {}) => ({
  name,
  enabled: true,
  condition_typ: 'anyway',
  outcomes: [{ attribute_name: 'x', attribute_value: value }],
  ...more,
});

/** What rules do to many hosts, counted in part where time is short, and the rules of a project together. */
export function describeRuleEffects(name: string, create: StorageHarness['create']): void {
  describe(`${name}: what rules do to many hosts`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red', 'blue');
      const objects = Array.from({ length: HOSTS }, (_, index) => ({
        hostname: `h${String(index).padStart(4, '0')}`,
        labels: { site: index % 2 === 0 ? 'a' : 'b' },
      }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      await muster.run(saveHostsBulk, { account: 'blue', objects: [{ hostname: 'z', labels: { site: 'a' } }] });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });
    const store = (rules: object) => muster.run(importRules, { rules });

    it('says how many hosts change, and of how many it looked at where time runs out', async () => {
      const rules = { automation_customvars: [variable('new', '1')] };
      expect(await muster.run(rulesImpact, { rules })).toMatchObject({
        hosts: HOSTS + 1,
        changed: HOSTS + 1,
        is_exact: true,
        of: HOSTS + 1,
      });
      expect(await muster.run(rulesImpact, { rules, seconds: 0 })).toMatchObject({
        hosts: 250,
        changed: 250,
        is_exact: false,
        of: HOSTS + 1,
      });
    });

    it('names the hosts that a rule fails on, a stretch of the hosts at a time', async () => {
      await store({ automation_customvars: [variable('odd', '{{ 1 // 0 }}', site('b')), variable('even', 'fine')] });
      const named = { rule_type: 'automation_customvars', rule: 'odd' };
      const whole = await muster.run(failingHosts, { ...named, limit: 3 });
      expect(whole).toMatchObject({ name: 'odd', enabled: true, broken: null, looked: HOSTS + 1, failing: HOSTS / 2 });
      expect(whole.details.map(({ hostname }) => hostname)).toEqual(['h0001', 'h0003', 'h0005']);
      expect(whole.details[0]?.error).not.toBe('');
      expect(whole.next).toBeNull();
      let [looked, failing, steps] = [0, 0, 0];
      for (let after: string | null | undefined; after !== null; steps++) {
        const step = await muster.run(failingHosts, {
          ...named,
          seconds: 0,
          ...(after === undefined ? {} : { after }),
        });
        looked += step.looked;
        failing += step.failing;
        after = step.next;
      }
      expect([looked, failing]).toEqual([HOSTS + 1, HOSTS / 2]);
      expect(steps).toBeGreaterThan(2);
      expect(await muster.run(failingHosts, { ...named, rule: 'even' })).toMatchObject({ failing: 0, details: [] });
    });

    it('finds failures of disabled rules, of a project, of hosts in reach, and what does not compile', async () => {
      await store({
        automation_projects: [{ name: 'shop', enabled: true }],
        automation_customvars: [variable('off', '{{ 1 // 0 }}', { enabled: false, project: 'shop', ...site('a') })],
      });
      const off = { rule_type: 'automation_customvars', rule: 'off' };
      expect(await muster.run(failingHosts, off)).toMatchObject({ enabled: false, failing: HOSTS / 2 + 1 });
      const blue = await muster.addCaller('blue-rules', { roles: ['rules'], accounts: ['blue'] });
      expect(await muster.run(failingHosts, off, blue)).toMatchObject({
        hosts: 1,
        failing: 1,
        details: [{ hostname: 'z' }],
      });
      const id = 'b'.repeat(24);
      const document = StoredJson.ofValue({ _id: { $oid: id }, ...variable('broken', '{{ oops') });
      await muster.storage.rules.write({
        entries: [{ type: off.rule_type, id, name: 'broken', uniqueName: true, document, confirmedBy: null }],
        mode: 'replace',
        at: new Date(),
        actor: { kind: 'user', name: 'operator' },
      });
      expect(await muster.run(failingHosts, { ...off, rule: 'broken' })).toMatchObject({
        broken: expect.any(String),
        looked: 0,
      });
      await expect(muster.run(failingHosts, { ...off, rule: 'none' })).rejects.toEqual(code('not_found'));
      await expect(muster.run(failingHosts, { rule_type: 'automation_projects', rule: 'shop' })).rejects.toEqual(
        code('invalid_input'),
      );
    });

    it('shows the rules of a project of all types in their order, with what they hit and what uses it', async () => {
      await store({
        automation_projects: [
          { name: 'shop', enabled: true },
          { name: 'other', enabled: false },
        ],
        custom_attributes: [
          { name: 'tier', enabled: true, ...site('a'), outcomes: [{ attribute_name: 'tier', attribute_value: '1' }] },
        ],
        automation_customvars: [
          variable('last', '1', { project: 'shop', sort_field: 5, ...site('a') }),
          variable('first', '2', { project: 'shop', sort_field: 1, last_match: true }),
          variable('off', '3', { project: 'shop', sort_field: 9, enabled: false }),
          variable('of none', '4'),
          variable('of other', '4', { project: 'other' }),
        ],
        automation_filter: [
          {
            name: 'show',
            enabled: true,
            project: 'shop',
            condition_typ: 'anyway',
            outcomes: [{ action: 'whitelist_attribute', attribute_name: 'site' }],
          },
        ],
      });
      const shop = await muster.run(showProject, { project: 'shop' });
      expect(shop.rules.map(({ rule_type, name: rule, matches }) => [rule_type, rule, matches])).toEqual([
        ['automation_filter', 'show', HOSTS + 1],
        ['automation_customvars', 'first', HOSTS + 1],
        ['automation_customvars', 'last', 0],
        ['automation_customvars', 'off', null],
      ]);
      expect(shop).toMatchObject({
        counted: HOSTS + 1,
        hosts: HOSTS + 1,
        is_exact: true,
        inventory: 'shop',
        exports: [],
      });
      expect(await muster.run(showProject, { project: 'shop', seconds: 0 })).toMatchObject({
        counted: 0,
        is_exact: false,
      });
      expect(await muster.run(showProject, { project: 'other' })).toMatchObject({
        enabled: false,
        inventory: null,
        rules: [{ name: 'of other', matches: null }],
      });
      await expect(muster.run(showProject, { project: 'none' })).rejects.toEqual(code('not_found'));
    });

    it('switches the rules of a project together, and tells which were not so', async () => {
      await store({
        automation_projects: [{ name: 'shop', enabled: true }],
        automation_customvars: [
          variable('on', '1', { project: 'shop' }),
          variable('off', '3', { project: 'shop', enabled: false }),
          variable('of none', '4'),
        ],
      });
      const on = (await muster.run(showProject, { project: 'shop', seconds: 0 })).rules.find(({ enabled }) => enabled);
      const changed = [{ rule_type: 'automation_customvars', id: on?.id }];
      expect(await muster.run(switchProject, { project: 'shop', enabled: false })).toEqual({
        project: 'shop',
        enabled: false,
        changed,
      });
      const enabled = async () =>
        (await muster.run(showProject, { project: 'shop', seconds: 0 })).rules.map((rule) => rule.enabled);
      expect(await enabled()).toEqual([false, false]);
      await muster.run(switchRules, { rule_type: 'automation_customvars', rules: [on?.id], enabled: true });
      expect((await enabled()).sort()).toEqual([false, true]);
      const reader = await muster.addCaller('reader', { roles: ['rules'], read_only: true });
      await expect(muster.run(switchProject, { project: 'shop', enabled: true }, reader)).rejects.toEqual(
        code('read_only'),
      );
    });
  });
}
