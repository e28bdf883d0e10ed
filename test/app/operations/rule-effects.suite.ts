import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failingHosts } from '../../../src/app/explain/operations/failing-hosts.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { countMatches } from '../../../src/app/preview/operations/count-matches.ts';
import { rulesImpact } from '../../../src/app/preview/operations/rules-impact.ts';
import { countHits } from '../../../src/app/rules/operations/count-hits.ts';
import { findRules } from '../../../src/app/rules/operations/find-rules.ts';
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

    it('says what becomes an expression, and refuses a project that there is not', async () => {
      const x = (expression: boolean) => ({
        ...variable('x', '{{ y }}', site('c')),
        ...{ condition_typ: 'anyway', conditions: [] },
        outcomes: [{ attribute_name: 'x', attribute_value: 'y', expression }],
      });
      await store({ automation_customvars: [x(false)] });
      const text = JSON.stringify({ rules: { automation_customvars: [x(true)] } });
      const { details } = await muster.run(rulesImpact, { text, override: true, limit: 1 });
      expect(details).toMatchObject([{ changes: [{ path: 'x (expression)', before: false, after: true }] }]);
      const rules = { automation_customvars: [variable('of shop', '1', { project: 'shop' })] };
      await expect(muster.run(rulesImpact, { rules, project: 'shop' })).rejects.toEqual(code('not_found'));
      const both = { ...rules, automation_projects: [{ name: 'shop', enabled: true }] };
      expect(await muster.run(rulesImpact, { rules: both, project: 'shop' })).toMatchObject({ changed: HOSTS + 1 });
    });

    it('counts again after a minute where rules read the time', async () => {
      let now = new Date('2026-03-01T12:00:00Z');
      const later = await OperationsApp.over(opened.storage, {}, undefined, undefined, { now: () => now });
      const old = { match_type: 'tag', tag: 'at', tag_match: 'equal', value: '1h', value_match: 'older_than' };
      await store({ custom_attributes: [variable('old', '1', { condition_typ: 'all', conditions: [old] })] });
      await muster.run(saveHostsBulk, {
        account: 'blue',
        objects: [{ hostname: 'z', labels: { at: '2026-03-01T11:00:30Z' } }],
      });
      const matches = async () => (await later.run(countHits, {})).rules[0]?.matches;
      const counts: unknown[] = [];
      for (const seconds of [0, 59, 61]) {
        now = new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1000);
        counts.push(await matches());
      }
      await later.stop();
      expect(counts).toEqual([0, 0, 1]);
    });

    it('counts what all rules hit at once, in the order in which a host passes them', async () => {
      await store({
        automation_projects: [
          { name: 'shop', enabled: true },
          { name: 'closed', enabled: false },
        ],
        automation_customvars: [
          variable('odd', '{{ 1 // 0 }}', site('b')),
          variable('of shop', '1', { project: 'shop', ...site('a') }),
          variable('of closed', '1', { project: 'closed' }),
          variable('off', '1', { enabled: false }),
        ],
        custom_attributes: [variable('everywhere', '1'), variable('nowhere', '1', site('c'))],
        automation_filter: [
          { name: 'out', enabled: true, ...site('a'), outcomes: [{ action: 'ignore_hosts', attribute_name: '' }] },
        ],
      });
      const hits = await muster.run(countHits, {});
      expect(hits).toMatchObject({ counted: HOSTS + 1, hosts: HOSTS + 1, is_exact: true });
      expect(hits.rules.map(({ name: rule, matches, failing }) => [rule, matches, failing])).toEqual([
        ['everywhere', HOSTS + 1, 0],
        ['nowhere', 0, 0],
        ['out', HOSTS / 2 + 1, 0],
        ['odd', HOSTS / 2, HOSTS / 2],
        ['of closed', null, 0],
        ['of shop', HOSTS / 2 + 1, 0],
        ['off', null, 0],
      ]);
      expect(hits.rules.map(({ stage }) => stage)).toEqual([
        'attributes',
        'attributes',
        'filter',
        'variables',
        'variables',
        'variables',
        'variables',
      ]);
      const { rules: unmatched } = await muster.run(countHits, { unmatched: true });
      expect(unmatched.map(({ name: rule }) => rule)).toEqual(['nowhere']);
      const blue = await muster.addCaller('blue-hits', { roles: ['rules'], accounts: ['blue'] });
      const reached = await muster.run(countHits, {}, blue);
      expect(reached.rules.find(({ name: rule }) => rule === 'everywhere')).toMatchObject({ matches: 1 });
    });

    it('goes on counting where the call before ended, until rules or hosts change', async () => {
      await store({ custom_attributes: [variable('everywhere', '1')] });
      const some = async () => {
        const { counted, is_exact, rules } = await muster.run(countHits, { seconds: 1e-9 });
        return [counted, is_exact, rules[0]?.matches];
      };
      expect((await muster.run(countHits, { seconds: 0 })).counted).toBe(0);
      expect(await some()).toEqual([100, false, 100]);
      expect(await some()).toEqual([200, false, 200]);
      await muster.run(saveHostsBulk, { account: 'red', objects: [{ hostname: 'new', labels: {} }] });
      expect(await some()).toEqual([100, false, 100]);
      await Promise.all([muster.run(countHits, {}), muster.run(countHits, {})]);
      expect(await some()).toEqual([HOSTS + 2, true, HOSTS + 2]);
    });

    it('counts what a rule matches, a stretch of the hosts at a time', async () => {
      const document = { ...variable('r', '1'), ...site('b') };
      const asked = { rule_type: 'custom_attributes', document, seconds: 0 };
      let [looked, matches, steps] = [0, 0, 0];
      for (let after: string | null | undefined; after !== null; steps++) {
        const step = await muster.run(countMatches, { ...asked, ...(after === undefined ? {} : { after }) });
        expect([step.is_exact, step.hosts]).toEqual([false, HOSTS + 1]);
        looked += step.looked;
        matches += step.matches;
        after = step.next;
      }
      expect([looked, matches, steps > 2]).toEqual([HOSTS + 1, HOSTS / 2, true]);
      expect(await muster.run(countMatches, { ...asked, seconds: 60 })).toMatchObject({ is_exact: true, next: null });
    });

    it('finds rules of all types in that order', async () => {
      await store({ automation_customvars: [variable('later', '1')], custom_attributes: [variable('first', 'later')] });
      const { rules, total } = await muster.run(findRules, { text: 'later' });
      expect([total, ...rules.map(({ rule_type, name: rule }) => `${rule_type} ${rule}`)]).toEqual([
        2,
        'custom_attributes first',
        'automation_customvars later',
      ]);
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
      const project = { _id: { $oid: 'e'.repeat(24) }, name: 'closed', enabled: false };
      await store({
        automation_projects: [project],
        automation_customvars: [variable('of closed', '{{ 1 // 0 }}', { project: project._id, ...site('a') })],
      });
      expect(await muster.run(failingHosts, { ...off, rule: 'of closed' })).toMatchObject({ failing: HOSTS / 2 + 1 });
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
