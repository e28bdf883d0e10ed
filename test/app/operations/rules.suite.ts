import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAutorulesPasses } from '../../../src/app/autorules/operations/list-autorules-passes.ts';
import { previewAutorules } from '../../../src/app/autorules/operations/preview-autorules.ts';
import { runAutorules } from '../../../src/app/autorules/operations/run-autorules.ts';
import { tryAutorule } from '../../../src/app/autorules/operations/try-autorule.ts';
import { undoAutorules } from '../../../src/app/autorules/operations/undo-autorules.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { browseInventory } from '../../../src/app/inventory/operations/browse-inventory.ts';
import { listProviders } from '../../../src/app/inventory/operations/list-providers.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import { countMatches } from '../../../src/app/preview/operations/count-matches.ts';
import { explainNoChange } from '../../../src/app/preview/operations/explain-no-change.ts';
import { rulesImpact } from '../../../src/app/preview/operations/rules-impact.ts';
import { tryRule } from '../../../src/app/preview/operations/try-rule.ts';
import { describeRuleTypes } from '../../../src/app/rules/operations/describe-rule-types.ts';
import { findRules } from '../../../src/app/rules/operations/find-rules.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { listRemoved } from '../../../src/app/rules/operations/list-removed.ts';
import { listRules } from '../../../src/app/rules/operations/list-rules.ts';
import { moveRules } from '../../../src/app/rules/operations/move-rules.ts';
import { removeRule, removeRules } from '../../../src/app/rules/operations/remove-rules.ts';
import { revertRule } from '../../../src/app/rules/operations/revert-rule.ts';
import { ruleFailures } from '../../../src/app/rules/operations/rule-failures.ts';
import { saveRule } from '../../../src/app/rules/operations/save-rule.ts';
import { showRule } from '../../../src/app/rules/operations/show-rule.ts';
import { switchProject } from '../../../src/app/rules/operations/switch-project.ts';
import { switchRules } from '../../../src/app/rules/operations/switch-rules.ts';
import type { JsonObject, JsonValue, RuleDocument } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';
import { OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

function variable(name: string, value: string, more: object = {}) {
  const outcomes = [{ attribute_name: 'x', attribute_value: value }];
  return { name, enabled: true, condition_typ: 'anyway', outcomes, ...more };
}

/** What people do with rules and inventories one by one, where files and consumers take them as a whole. */
export function describeRuleOperations(name: string, create: StorageHarness['create']): void {
  describe(`${name}: single rules`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red', 'blue');
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const documents = async (type: string) => {
      const answer: { rules: RuleDocument[] } = await muster.read(listRules, { rule_type: type });
      return answer.rules;
    };
    const edited = async (rule_type: string, rule: string) => muster.run(showRule, { rule_type, rule });

    it('of the project Default are those of no project, whether that project is there or not', async () => {
      const id = 'd'.repeat(24);
      const filter = (project: JsonValue, more: JsonObject = {}) => ({
        name: 'Hide the secret',
        enabled: true,
        condition_typ: 'anyway',
        conditions: [],
        outcomes: [{ action: 'whitelist_attribute', attribute_name: 'site' }],
        project,
        ...more,
      });
      await muster.run(saveHost, { hostname: 'h', account: 'red', labels: { site: 'x', secret: 'y' } });
      const inventory = (provider: string) => muster.read(renderInventory, { provider, host: 'h' });
      const orphan = await muster.run(importRules, { rules: { automation_filter: [filter({ $oid: id })] } });
      expect(orphan).toMatchObject({
        imported: { automation_filter: 1 },
        warnings: [{ path: 'project', message: expect.stringContaining('inventories and exports fail until') }],
      });
      await expect(inventory('automation')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(`its project ${id} does not exist`),
      });
      const projects = [{ _id: { $oid: id }, name: 'Default', enabled: true, sort_field: -1 }];
      const imported = await muster.run(importRules, { rules: { ansible_projects: projects } });
      expect(imported).toMatchObject({ imported: { automation_projects: 1 } });
      expect(await inventory('automation')).toEqual({ site: 'x' });
      expect(await inventory('Default')).toEqual({ site: 'x' });
      const { providers } = await muster.run(listProviders, {});
      expect(providers.map(({ name }) => name)).not.toContain('Default');
    });

    it('of a project that is missing by its name are for no inventory until it exists', async () => {
      await muster.run(saveHost, { hostname: 'h', account: 'red', labels: {} });
      const late = await muster.run(importRules, {
        rules: { automation_customvars: [variable('a', '1', { project: 'late' })] },
      });
      expect(late).toMatchObject({
        warnings: [{ path: 'project', message: expect.stringContaining('belongs to no inventory until it does') }],
      });
      expect(await muster.read(renderInventory, { provider: 'automation', host: 'h' })).not.toHaveProperty('x');
    });

    it('are listed as they run, in short form, and found by any text', async () => {
      await muster.run(importRules, {
        rules: {
          automation_projects: [{ name: 'p', enabled: true }],
          automation_customvars: [
            variable('late', 'needle', { sort_field: 9, project: 'p', last_match: true }),
            variable('b', '1', {
              condition_typ: 'all',
              conditions: [
                { match_type: 'tag', tag: 'site', tag_match: 'equal', value: 'x', value_match: 'in' },
                { match_type: 'host', hostname: 'h', hostname_match: 'swith', hostname_match_negate: true },
              ],
            }),
            variable('a', '1', { enabled: false }),
          ],
        },
      });
      const find = { rule_type: 'ansible_customvars', limit: 2 };
      const page = await muster.run(findRules, find);
      expect(page).toMatchObject({ rule_type: 'automation_customvars', total: 3, found: 3 });
      expect(page.rules).toMatchObject([
        { name: 'a', enabled: false, condition_typ: 'anyway', condition_count: 0, project: null, version: 1 },
        {
          name: 'b',
          conditions: [
            expect.objectContaining({
              text: 'attribute "site" contains "x"',
              template: 'attribute {name} {comparison}',
            }),
            expect.objectContaining({ text: 'hostname does not start with "h"', template: 'hostname {comparison}' }),
          ],
          outcomes: [{ attribute_name: 'x', attribute_value: '1' }],
        },
      ]);
      expect((await muster.run(findRules, { ...find, start: 2 })).rules).toMatchObject([
        { name: 'late', project: 'p', last_match: true },
      ]);
      expect(await muster.run(findRules, { ...find, text: 'NEEDLE' })).toMatchObject({
        total: 3,
        found: 1,
        rules: [{ name: 'late' }],
      });
      expect((await muster.run(findRules, { ...find, text: 'attribute_name' })).found).toBe(0);
      await expect(muster.run(findRules, { rule_type: 'host_objects' })).rejects.toEqual(code('invalid_input'));
      const { types } = await muster.run(describeRuleTypes, {});
      expect(types.find(({ id }) => id === 'automation_customvars')).toMatchObject({ rules: 3, stage: 'variables' });
    });

    it('are saved when nobody changed them meanwhile, and say where they are wrong', async () => {
      const made = await muster.run(saveRule, { rule_type: 'custom_attributes', document: variable('r', 'a') });
      expect(made).toMatchObject({ status: 'created', version: 1, warnings: [] });
      const { document, version } = await edited('custom_attributes', made.id);
      const change = { rule_type: 'custom_attributes', document: { ...document, kept: 1 }, version };
      expect(await muster.run(saveRule, change)).toMatchObject({ status: 'saved', id: made.id, version: 2 });
      await expect(muster.run(saveRule, change)).rejects.toEqual(code('conflict'));
      expect(await documents('custom_attributes')).toMatchObject([{ name: 'r', kept: 1 }]);
      const wrong = { ...document, condition_typ: 'never', outcomes: [{ attribute_value: '{{ x' }] };
      await expect(muster.run(saveRule, { ...change, document: wrong, version: 2 })).rejects.toMatchObject({
        code: 'invalid_input',
        details: [
          { path: 'condition_typ' },
          { path: 'outcomes.0.attribute_name' },
          { path: 'outcomes.0.attribute_value' },
        ],
      });
      await expect(
        muster.run(saveRule, { rule_type: 'custom_attributes', document: variable('r', 'b') }),
      ).rejects.toMatchObject({ code: 'conflict', details: [{ path: 'name' }] });
      const other = await muster.run(saveRule, { rule_type: 'custom_attributes', document: variable('s', 'b') });
      await expect(
        muster.run(saveRule, { ...change, document: { ...document, _id: { $oid: other.id } }, version: 1 }),
      ).rejects.toMatchObject({ code: 'invalid_input', details: [{ path: 'name' }] });
      await expect(
        muster.run(saveRule, { ...change, document: { ...document, _id: { $oid: 'f'.repeat(24) } } }),
      ).rejects.toEqual(code('not_found'));
      const twice = { rule_type: 'automation_rewrite', document: { ...variable('same', 'a'), outcomes: [] } };
      const ids = [await muster.run(saveRule, twice), await muster.run(saveRule, twice)].map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
    });

    it('show no secrets, keep those that stay masked, and take no mask for a secret', async () => {
      const fields = [
        { name: 'token', value: 'first', secret: true },
        { name: 'api_key', value: 'second', secret: true },
        { name: 'path', value: '/data' },
      ];
      await muster.run(importRules, {
        rules: { accounts: [{ name: 'a', type: 'api', password: 'hidden', custom_fields: fields }] },
      });
      const stored = async () => (await documents('accounts')).find((document) => document.name === 'a');
      const before = await stored();
      const { document, version } = await edited('accounts', 'a');
      expect(JSON.stringify(document)).not.toMatch(/enc|hidden|first|second/i);
      const shown = document.custom_fields as RuleDocument[];
      const moved = [shown[1], { ...shown[0], note: 'renamed' }, shown[2]];
      const change = { rule_type: 'accounts', document: { ...document, address: 'x', custom_fields: moved }, version };
      await muster.run(saveRule, change);
      const after = await stored();
      const old = before?.custom_fields as RuleDocument[];
      expect(after).toEqual({
        ...before,
        address: 'x',
        custom_fields: [old[1], { ...old[0], note: 'renamed' }, old[2]],
      });
      const { _id, ...copy } = document;
      await expect(
        muster.run(saveRule, { rule_type: 'accounts', document: { ...copy, name: 'copy' } }),
      ).rejects.toMatchObject({
        code: 'invalid_input',
        details: expect.arrayContaining([
          { path: 'password_crypted', message: expect.any(String) },
          { path: 'custom_fields.0.value_crypted', message: expect.any(String) },
        ]),
      });
      const text = String(after?.password_crypted);
      expect(await muster.run(findRules, { rule_type: 'accounts', text })).toMatchObject({ found: 0 });
    });

    it('stay out of sight of who is restricted to other accounts, and try no foreign secrets', async () => {
      await muster.run(importRules, { rules: { accounts: [{ name: 'secret', type: 'api', password: 'hidden' }] } });
      const scoped = await muster.addCaller('scoped', { roles: ['rules'], accounts: ['red'] });
      await muster.run(saveHost, { hostname: 'theirs', account: 'blue', labels: {} });
      await muster.run(saveHost, { hostname: 'own', account: 'red', labels: {} });
      expect((await muster.run(findRules, { rule_type: 'accounts' }, scoped)).rules.map((rule) => rule.name)).toEqual([
        'red',
      ]);
      const { hosts, types } = await muster.run(describeRuleTypes, {}, scoped);
      expect(hosts).toBe(1);
      expect(types.find(({ id }) => id === 'accounts')?.rules).toBe(1);
      for (const rule of ['secret', 'nobody']) {
        await expect(muster.run(showRule, { rule_type: 'accounts', rule }, scoped)).rejects.toEqual(code('not_found'));
      }
      const document = variable('spy', '{{ACCOUNT:secret:password}}');
      const trial = { rule_type: 'custom_attributes', document, hostname: 'own' };
      await expect(muster.run(tryRule, trial, scoped)).rejects.toEqual(code('forbidden'));
      await expect(muster.run(rulesImpact, { rules: { custom_attributes: [document] } }, scoped)).rejects.toEqual(
        code('forbidden'),
      );
      const foreign = { ...trial, document: variable('fine', 'a'), hostname: 'theirs' };
      await expect(muster.run(tryRule, foreign, scoped)).rejects.toEqual(code('not_found'));
      const { hostname: _, ...counted } = foreign;
      await expect(muster.run(countMatches, counted, scoped)).rejects.toEqual(code('forbidden'));
    });

    it('are counted on all hosts, behind the rules that run before', async () => {
      for (const [hostname, site] of [
        ['a', 'berlin'],
        ['b', 'Berlin'],
        ['c', 'paris'],
      ] as const) {
        await muster.run(saveHost, { hostname, account: 'red', labels: { site } });
      }
      const condition = { match_type: 'tag', tag: 'site', tag_match: 'equal', value: 'berlin', value_match: 'equal' };
      const document = variable('r', 'x', { condition_typ: 'all', conditions: [condition] });
      const counted = { rule_type: 'custom_attributes', document };
      const exact = { looked: 3, hosts: 3, is_exact: true, unknown_attributes: [], unfinished_outcomes: 0 };
      expect(await muster.run(countMatches, counted)).toMatchObject({ ...exact, matches: 2, passed: 0 });
      const renaming = {
        name: 'renames',
        enabled: true,
        condition_typ: 'anyway',
        outcomes: [{ old_attribute_name: 'site', overwrite_name: 'string', new_attribute_name: 'place' }],
      };
      await muster.run(importRules, { rules: { automation_rewrite: [renaming] } });
      // It is there for the rule, though a later one takes it away.
      expect(await muster.run(countMatches, counted)).toMatchObject({ ...exact, matches: 2, passed: 0 });
      const ending = variable('before', 'x', { last_match: true, sort_field: -1 });
      await muster.run(importRules, { rules: { custom_attributes: [ending] } });
      expect(await muster.run(countMatches, counted)).toMatchObject({ ...exact, matches: 0, passed: 3 });
      expect(await documents('custom_attributes')).toHaveLength(1);
    });

    it('are counted while an outcome is not complete, and say what they would fail on', async () => {
      for (const hostname of ['a', 'b', 'c']) await muster.run(saveHost, { hostname, account: 'red', labels: {} });
      const counted = (outcomes: readonly object[], more: object = {}) =>
        muster.run(countMatches, {
          rule_type: 'custom_attributes',
          document: { name: 'r', enabled: true, condition_typ: 'anyway', outcomes, ...more } as JsonObject,
        });
      const failing = { attribute_name: 'x', attribute_value: '{{ rack.unit }}' };
      expect(await counted([failing, { attribute_name: '', attribute_value: '' }])).toMatchObject({
        matches: 3,
        failing: 3,
        last_error: "'rack' is undefined",
        last_hostname: 'c',
        unfinished_outcomes: 1,
      });
      await expect(counted([{ attribute_name: '' }], { condition_typ: 'some' })).rejects.toEqual(code('invalid_input'));
    });

    it('say why they change nothing', async () => {
      for (const hostname of ['a', 'b']) {
        await muster.run(saveHost, { hostname, account: 'red', labels: { site: 'berlin', rack: 'r1' } });
      }
      const condition = (tag: string) => ({
        match_type: 'tag',
        tag,
        tag_match: 'equal',
        value: 'berlin',
        value_match: 'equal',
      });
      const sets = (attribute_name: string, tag: string) => ({
        rule_type: 'custom_attributes',
        document: {
          name: 'r',
          enabled: true,
          condition_typ: 'all',
          conditions: [condition(tag)],
          outcomes: [{ attribute_name, attribute_value: 'r1' }],
        },
      });
      const why = { hosts: 2, is_exact: true, unknown_attributes: [] as string[] };
      expect(await muster.run(explainNoChange, sets('x', 'sitee'))).toEqual({
        ...why,
        matches: 0,
        unknown_attributes: ['sitee'],
        reasons: [],
      });
      expect(await muster.run(countMatches, sets('x', 'sitee'))).toMatchObject({ unknown_attributes: ['sitee'] });
      expect(await muster.run(explainNoChange, sets('rack', 'site'))).toEqual({
        ...why,
        matches: 2,
        reasons: [{ text: 'rack has that value already', hosts: 2, first: 'a' }],
      });
      const shows = { action: 'whitelist_attribute', attribute_name: 'site' };
      const filter = { name: 'What playbooks see', enabled: true, condition_typ: 'anyway', outcomes: [shows] };
      await muster.run(importRules, { rules: { automation_filter: [filter] } });
      expect(await muster.run(explainNoChange, sets('x', 'site'))).toMatchObject({
        matches: 2,
        reasons: [{ text: 'x is not among what the filter "What playbooks see" shows', hosts: 2, first: 'a' }],
      });
    });

    it('are tried on one host, disabled ones too, and nothing is stored', async () => {
      await muster.run(saveHost, { hostname: 'h', account: 'red', labels: { site: 'berlin' } });
      const condition = { match_type: 'tag', tag: 'site', tag_match: 'equal', value: 'BERLIN', value_match: 'equal' };
      const document = variable('r', '{{ site }}', { enabled: false, condition_typ: 'all', conditions: [condition] });
      const trial = { rule_type: 'custom_attributes', document, hostname: 'h' };
      expect(await muster.run(tryRule, trial)).toMatchObject({
        rule: { outcome: 'hit', conditions: [{ holds: true, looked: [{ name: 'site', value: 'berlin' }] }] },
        change: 'changed',
        changes: [{ path: 'x', after: 'berlin' }],
      });
      const elsewhere = { ...trial, document: { ...document, conditions: [{ ...condition, value: 'paris' }] } };
      expect(await muster.run(tryRule, elsewhere)).toMatchObject({ rule: { outcome: 'missed' }, change: 'none' });
      const filter = variable('f', '', { outcomes: [{ action: 'ignore_hosts' }] });
      expect(
        await muster.run(tryRule, { rule_type: 'automation_filter', document: filter, hostname: 'h' }),
      ).toMatchObject({ change: 'disappears', changes: [] });
      const project = { ...trial, rule_type: 'automation_customvars', document: { ...document, project: 'p' } };
      expect(await muster.run(tryRule, project)).toMatchObject({ rule: null, change: 'none' });
      await expect(
        muster.run(tryRule, { ...trial, document: { ...document, condition_typ: '' } }),
      ).rejects.toMatchObject({ code: 'invalid_input', details: [{ path: 'condition_typ' }] });
      expect(await documents('custom_attributes')).toEqual([]);
    });

    it('are compared with those that they replace and no others', async () => {
      await muster.run(saveHost, { hostname: 'h', account: 'red', labels: { a: '1', b: '2' } });
      const rewrite = (attribute: string, value: string) => ({
        ...variable('same', ''),
        outcomes: [{ old_attribute_name: attribute, overwrite_name: '', overwrite_value: 'string', new_value: value }],
      });
      const templates = ['t1', 't2'].map((hostname) => ({
        hostname,
        enabled: true,
        cmdb_match: 'a:1',
        labels: { [hostname]: 'on' },
      }));
      await muster.run(importRules, {
        rules: { automation_rewrite: [rewrite('a', 'x'), rewrite('b', 'y')], cmdb_templates: templates },
      });
      const [first] = await documents('automation_rewrite');
      const changed = { ...first, ...rewrite('a', 'z') };
      const impact = await muster.run(rulesImpact, { rules: { automation_rewrite: [changed] } });
      expect(impact.details).toEqual([
        { hostname: 'h', change: 'changed', changes: [{ path: 'a', before: 'x', after: 'z' }] },
      ]);
      const template = { ...templates[0], labels: { t1: 'off' } };
      expect((await muster.run(rulesImpact, { rules: { cmdb_templates: [template] } })).details).toEqual([
        { hostname: 'h', change: 'changed', changes: [{ path: 't1', before: 'on', after: 'off' }] },
      ]);
    });

    it('of a file are looked at as an import would store them', async () => {
      await muster.run(saveHost, { hostname: 'h', account: 'red', labels: {} });
      await muster.run(importRules, { rules: { automation_customvars: [variable('there', 'a')] } });
      const renewed = JSON.stringify({ rules: { automation_customvars: [variable('there', 'b'), { enabled: 'no' }] } });
      expect(await muster.run(rulesImpact, { text: renewed })).toMatchObject({ hosts: 1, changed: 0, details: [] });
      const replaced = await muster.run(rulesImpact, { text: renewed, override: true });
      expect(replaced).toMatchObject({
        changed: 1,
        details: [{ hostname: 'h', changes: [{ path: 'x', before: 'a', after: 'b' }] }],
      });
      const lines = `{"rule_type": "automation_customvars"}\nno line\n${JSON.stringify(variable('new', 'c', { sort_field: 9 }))}`;
      await expect(muster.run(rulesImpact, { text: lines })).rejects.toEqual(code('invalid_input'));
      expect(await muster.run(rulesImpact, { text: lines, skip_broken: true })).toMatchObject({ changed: 1 });
      expect(await documents('automation_customvars')).toHaveLength(1);
    });

    it('count their failures anew each time', async () => {
      await muster.run(saveHost, { hostname: 'h', account: 'red', labels: {} });
      await muster.run(importRules, {
        rules: {
          automation_projects: [{ name: 'p', enabled: true }],
          custom_attributes: [variable('everywhere', '{{ nothing.here }}')],
          automation_customvars: [variable('there', '{{ nothing.here }}', { project: 'p' })],
        },
      });
      for (let round = 0; round < 2; round++) {
        const { hosts, failures } = await muster.run(ruleFailures, { every_project: true });
        expect(hosts).toBe(1);
        expect(failures.map(({ name, errors }) => [name, errors]).sort()).toEqual([
          ['everywhere', 1],
          ['there', 1],
        ]);
      }
    });

    it('come from texts that say themselves what they are', async () => {
      const text = JSON.stringify({ rules: { custom_attributes: [variable('r', 'a'), { name: 'broken' }] } });
      const preview = await muster.run(importRules, { text, dry_run: true });
      expect(preview).toMatchObject({
        imported: { custom_attributes: 1 },
        invalid: { custom_attributes: 1 },
        changes: [{ name: 'r', change: 'new' }],
      });
      expect(await documents('custom_attributes')).toEqual([]);
      const list = JSON.stringify([variable('r', 'a')]);
      await expect(muster.run(importRules, { text: list })).rejects.toEqual(code('invalid_input'));
      expect(await muster.run(importRules, { text: list, rule_type: 'custom_attributes' })).toMatchObject({
        total: 1,
      });
      const lines = `{"rule_type": "custom_attributes"}\n${JSON.stringify(variable('s', 'a'))}\n`;
      expect(await muster.run(importRules, { text: lines })).toMatchObject({ total: 1 });
      await expect(muster.run(importRules, { text: '{"a": 1, "a": 2}' })).rejects.toThrow(/twice/);
      expect((await documents('custom_attributes')).map((document) => document.name)).toEqual(['r', 's']);
    });

    it('are shown before autorules make them, and what one run made is taken away again', async () => {
      for (const hostname of ['a', 'b', 'c']) await muster.run(saveHost, { hostname, account: 'red', labels: {} });
      const rule_body = JSON.stringify(variable('made of {{ HOSTNAME }}', 'x'));
      await muster.run(importRules, {
        rules: {
          custom_attributes: [variable('made of c', 'old')],
          syncer_rule_automation: [
            { name: 'hosts', enabled: true, rule_type: 'custom_attributes', rule_body },
            { name: 'broken', enabled: true, rule_type: 'custom_attributes', rule_body: '{{ gone }}' },
          ],
        },
      });
      const names = async () => (await documents('custom_attributes')).map((document) => document.name);
      expect(await muster.run(previewAutorules, {})).toMatchObject({
        hosts: 3,
        rules: 2,
        enabled: 2,
        positions: { lowest: 0, highest: 0 },
        errors: 3,
        first: [
          {
            rule_type: 'custom_attributes',
            name: 'made of a',
            autorule: 'hosts',
            hostname: 'a',
            enabled: true,
            sort_field: 0,
          },
          { name: 'made of b', hostname: 'b' },
        ],
      });
      expect(await names()).toEqual(['made of c']);
      expect(await muster.run(listAutorulesPasses, {})).toEqual({ passes: [] });
      await muster.run(runAutorules, {});
      expect(await names()).toEqual(['made of a', 'made of b', 'made of c']);
      await muster.run(saveHost, { hostname: 'd', account: 'red', labels: {} });
      // Runs are named by the millisecond in which they began.
      await new Promise((resolve) => setTimeout(resolve, 3));
      await muster.run(runAutorules, {});
      await muster.run(importRules, {
        rules: { custom_attributes: [variable('made of a', 'mine')] },
        override: true,
      });
      const { passes } = await muster.run(listAutorulesPasses, {});
      expect(passes.map(({ rules }) => rules)).toEqual([1, 1]);
      const began_at = passes[1]?.began_at ?? '';
      expect(await muster.run(undoAutorules, { began_at })).toEqual({ status: 'removed', removed: 1 });
      expect(await names()).toEqual(['made of a', 'made of c', 'made of d']);
      await expect(muster.run(undoAutorules, { began_at })).rejects.toEqual(code('not_found'));
    });

    it('are made of the first host whose document can be stored', async () => {
      for (const [hostname, mode] of Object.entries({ a: 'odd', b: 'odd', c: 'any', d: 'odd', e: 'all' }))
        await muster.run(saveHost, { hostname, account: 'red', labels: { mode } });
      const rule_body = JSON.stringify(variable('one for all', 'x', { condition_typ: '{{ mode }}' }));
      await muster.run(importRules, {
        rules: {
          syncer_rule_automation: [{ name: 'all', enabled: true, rule_type: 'custom_attributes', rule_body }],
        },
      });
      expect(await muster.run(previewAutorules, {})).toMatchObject({ rules: 1, errors: 1, first: [{ hostname: 'c' }] });
      await muster.run(runAutorules, {});
      expect(await documents('custom_attributes')).toMatchObject([{ name: 'one for all', condition_typ: 'any' }]);
    });

    it('are made by one autorule alone, which is tried before it is stored, and tell which one made them', async () => {
      for (const [hostname, site] of [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'y'],
        ['d', ''],
      ])
        await muster.run(saveHost, {
          hostname: hostname ?? '',
          account: 'red',
          labels: site === '' ? {} : { site: site ?? '', 'rack.id': 7, 'rack.name': 'MDF' },
        });
      const body = JSON.stringify(variable('site {{ site }}', 'in {{ rack }}'));
      const document = {
        name: 'sites',
        enabled: true,
        rule_type: 'custom_attributes',
        rule_body: `{% if site %}${body}{% endif %}`,
      };
      const wholes = [{ autorule: 'sites', attribute: 'rack', members: ['id', 'name'], rules: 2 }];
      const made = { rules: 2, existing: 0, errors: 0, whole_values: wholes };
      expect(await muster.run(tryAutorule, { document })).toMatchObject({
        ...made,
        hosts: 4,
        is_exact: true,
        first: [
          { name: 'site x', hostname: 'a', document: { outcomes: [{ attribute_name: 'x' }] } },
          { name: 'site y', hostname: 'c' },
        ],
      });
      expect(await documents('custom_attributes')).toEqual([]);
      const others = {
        name: 'others',
        enabled: true,
        rule_type: 'custom_attributes',
        rule_body: body.replace('site', 'at'),
      };
      await muster.run(importRules, { rules: { syncer_rule_automation: [document, others] } });
      expect(await muster.run(previewAutorules, { autorule: 'sites' })).toMatchObject(made);
      await muster.run(runAutorules, { autorule: 'sites' });
      expect((await documents('custom_attributes')).map(({ name }) => name)).toEqual(['site x', 'site y']);
      expect(await muster.run(previewAutorules, { autorule: 'sites' })).toMatchObject({ rules: 0, existing: 3 });
      const shown = await muster.run(showRule, { rule_type: 'custom_attributes', rule: 'site y' });
      expect(shown.made_by).toEqual({ autorule: 'sites', id: expect.any(String), hostname: 'c' });
      const own = await muster.run(showRule, { rule_type: 'syncer_rule_automation', rule: 'sites' });
      expect(own.made_by).toBeNull();
      await expect(muster.run(previewAutorules, { autorule: 'nobody' })).rejects.toEqual(code('not_found'));
    });

    it('that an import brings are told apart: new ones, the same as here, and those that differ', async () => {
      const before = [variable('same', '1'), variable('differs', '1')];
      await muster.run(importRules, { rules: { custom_attributes: before } });
      const mistyped = {
        ...variable('new', '1', { sort_feild: 3 }),
        outcomes: [{ attribute_name: 'x', attribute_valeu: 1 }],
      };
      const rules = { custom_attributes: [variable('same', '1'), variable('differs', '2'), mistyped] };
      const told = { same: { custom_attributes: 1 }, different: { custom_attributes: 1 } };
      const outcomes = (value: string) => variable('', value).outcomes;
      expect(await muster.run(importRules, { rules, dry_run: true })).toMatchObject({
        ...told,
        imported: { custom_attributes: 1 },
        duplicate: { custom_attributes: 2 },
        differing: [{ name: 'differs', changes: [{ path: 'outcomes', before: outcomes('1'), after: outcomes('2') }] }],
        warnings: [
          {
            name: 'new',
            path: 'outcomes.0.attribute_valeu',
            message: expect.stringContaining('did you mean attribute_value?'),
          },
          { name: 'new', path: 'sort_feild', message: expect.stringContaining('did you mean sort_field?') },
        ],
      });
      const done = await muster.run(importRules, { rules });
      expect(done).toMatchObject({ ...told, duplicate: { custom_attributes: 2 } });
      expect(done.differing).toBeUndefined();
      const stays = [{ rule_type: 'custom_attributes', name: 'differs' }];
      const left = await muster.run(importRules, { rules, override: true, leave: stays });
      expect(left).toMatchObject({ duplicate: { custom_attributes: 1 }, imported: { custom_attributes: 2 } });
      const kept = await muster.run(showRule, { rule_type: 'custom_attributes', rule: 'differs' });
      expect(kept).toMatchObject({ version: 1, document: { outcomes: outcomes('1') } });
      const replaced = await muster.run(importRules, { rules, override: true });
      expect(replaced).toMatchObject({
        same: { custom_attributes: 2 },
        different: { custom_attributes: 1 },
        imported: { custom_attributes: 3 },
        duplicate: { custom_attributes: 0 },
      });
      const last = { rule_type: 'custom_attributes', rules: variable('differs', '3') };
      expect(await muster.run(importRulesOfType, last)).toMatchObject({ duplicate: 1, same: 0, different: 1 });
    });

    it('are listed once they are removed, until they are back', async () => {
      await muster.run(importRules, {
        rules: { custom_attributes: [variable('r', '1')], automation_customvars: [variable('v', '1')] },
      });
      expect(await muster.run(listRemoved, {})).toEqual({ removed: [], more: false });
      await muster.run(removeRule, { rule_type: 'custom_attributes', rule: 'r' });
      await muster.run(removeRule, { rule_type: 'automation_customvars', rule: 'v' });
      const { removed, more } = await muster.run(listRemoved, { limit: 1 });
      expect(removed).toMatchObject([{ rule_type: 'automation_customvars', name: 'v', version: 1 }]);
      expect(more).toBe(true);
      const { removed: ofType } = await muster.run(listRemoved, { rule_type: 'custom_attributes' });
      expect(ofType).toMatchObject([{ name: 'r', version: 1, removed_by: expect.any(String) }]);
      const [one] = ofType;
      await muster.run(revertRule, {
        rule_type: 'custom_attributes',
        rule: one?.id ?? '',
        version: one?.version ?? 0,
      });
      expect((await documents('custom_attributes')).map((document) => document.name)).toEqual(['r']);
      expect(await muster.run(listRemoved, { rule_type: 'custom_attributes' })).toEqual({ removed: [], more: false });
    });

    it('are told of one by one by an autorules pass with debug, the good ones too', async () => {
      for (const hostname of ['a', 'b', 'c'])
        await muster.run(saveHost, { hostname, account: 'red', labels: { body: hostname === 'b' ? 'no' : '{}' } });
      const body = `{% if body == "no" %}no{% endif %}${JSON.stringify(variable('made of {{ HOSTNAME }}', 'x'))}`;
      const autorule = (name: string, more: object) => ({
        name,
        enabled: true,
        rule_type: 'custom_attributes',
        ...more,
      });
      await muster.run(importRules, {
        rules: {
          custom_attributes: [variable('made of c', 'old')],
          syncer_rule_automation: [
            autorule('hosts', { rule_body: body }),
            autorule('networks', { rule_body: body, object_filter: 'network' }),
          ],
        },
      });
      const lines: LoggedLine[] = [];
      const logged = await OperationsApp.over(opened.storage, {}, recordingLogger(lines));
      await logged.run(runAutorules, {});
      expect(lines.filter(({ message }) => message === 'autorule')).toEqual([]);
      await muster.run(removeRule, { rule_type: 'custom_attributes', rule: 'made of a' });
      await logged.run(runAutorules, { debug: true });
      await logged.stop();
      const told = lines.filter(({ message }) => message === 'autorule').map(({ fields }) => fields);
      const of = (autorule: string) =>
        told.filter((line) => line.autorule === autorule).map(({ hostname, outcome }) => [hostname, outcome]);
      expect(of('hosts')).toEqual([
        ['a', 'made'],
        ['b', 'failed'],
        ['c', 'exists already'],
      ]);
      expect(of('networks')).toEqual(['a', 'b', 'c'].map((hostname) => [hostname, 'not for this object']));
    });

    it('are moved, switched and removed several at once, and nothing else changes in them', async () => {
      const rule_type = 'custom_attributes';
      const kept = { documentation: 'why', conditions: [], extra: { kept: true } };
      const rules = ['a', 'b', 'c', 'd'].map((name, index) =>
        variable(name, name, { ...kept, sort_field: index * 10 }),
      );
      await muster.run(importRules, { rules: { [rule_type]: rules } });
      const order = async () => (await muster.run(findRules, { rule_type })).rules.map((rule) => rule.name);
      const before = await documents(rule_type);
      const move = (more: object) => muster.run(moveRules, { rule_type, ...more });
      expect(await move({ rules: ['c', 'd'], before: 'b' })).toMatchObject({
        changed: [
          { name: 'c', sort_field: 3 },
          { name: 'd', sort_field: 6 },
        ],
      });
      expect(await order()).toEqual(['a', 'c', 'd', 'b']);
      expect(await move({ rules: ['c'], after: 'a' })).toMatchObject({ changed: [] });
      await move({ rules: ['b'], to: 'first' });
      expect(await order()).toEqual(['b', 'a', 'c', 'd']);
      await expect(move({ rules: ['a'], before: 'a' })).rejects.toEqual(code('invalid_input'));
      await expect(move({ rules: ['a'] })).rejects.toEqual(code('invalid_input'));
      await expect(move({ rules: ['a', 'nosuch'], to: 'last' })).rejects.toEqual(code('not_found'));
      const switched = await muster.run(switchRules, { rule_type, rules: ['a', 'b', 'a'], enabled: false });
      expect(switched.changed).toHaveLength(2);
      expect(await muster.run(switchRules, { rule_type, rules: ['a'], enabled: false })).toMatchObject({ changed: [] });
      const without = ({ enabled, sort_field, ...rest }: RuleDocument) => rest;
      expect((await documents(rule_type)).map(without)).toEqual(before.map(without));
      expect((await muster.run(showRule, { rule_type, rule: 'a' })).document.enabled).toBe(false);
      const { removed } = await muster.run(removeRules, { rule_type, rules: ['a', 'd'] });
      expect(await order()).toEqual(['b', 'c']);
      for (const { id, version } of removed) await muster.run(revertRule, { rule_type, rule: id, version });
      expect(await order()).toEqual(['b', 'a', 'c', 'd']);
      const chosen: { rules: RuleDocument[] } = await muster.read(listRules, {
        rule_type,
        rules: ['c', removed[0]?.id],
      });
      expect(chosen.rules.map(({ name }) => name)).toEqual(['a', 'c']);
      const scoped = await muster.addCaller('scoped', { roles: ['rules'], accounts: ['red'] });
      const reader = await muster.addCaller('reader', { roles: ['rules'], read_only: true });
      const refused = expect.objectContaining({ code: expect.stringMatching(/^(forbidden|read_only)$/) });
      for (const caller of [scoped, reader]) {
        const named = { rule_type, rules: ['c'] };
        await expect(muster.run(removeRules, named, caller)).rejects.toEqual(refused);
        await expect(muster.run(moveRules, { ...named, to: 'first' }, caller)).rejects.toEqual(refused);
        await expect(muster.run(switchRules, { ...named, enabled: false }, caller)).rejects.toEqual(refused);
      }
      await expect(muster.run(removeRules, { rule_type: 'users', rules: ['reader'] })).rejects.toEqual(
        code('invalid_input'),
      );
    });

    it('get the very positions back that they had before a move', async () => {
      const rule_type = 'custom_attributes';
      const rules = [10, 10, 20, 20, 25].map((sort_field, index) => variable(`r${index}`, 'x', { sort_field }));
      await muster.run(importRules, { rules: { [rule_type]: rules } });
      const positions = async () =>
        Object.fromEntries((await documents(rule_type)).map(({ name, sort_field }) => [name, sort_field]));
      const before = await positions();
      const { changed } = await muster.run(moveRules, { rule_type, rules: ['r3', 'r4'], after: 'r0' });
      expect(Object.keys(before)).toContain('r4');
      expect(await positions()).not.toEqual(before);
      expect(changed.length).toBeGreaterThan(2);
      const back = { rules: changed.map(({ id }) => id), sort_fields: changed.map(({ was }) => was) };
      await muster.run(moveRules, { rule_type, ...back });
      expect(await positions()).toEqual(before);
      expect(await muster.run(moveRules, { rule_type, ...back })).toMatchObject({ changed: [] });
      for (const wrong of [{ sort_fields: [] }, { ...back, to: 'first' as const }])
        await expect(muster.run(moveRules, { rule_type, rules: ['r1'], ...wrong })).rejects.toEqual(
          code('invalid_input'),
        );
    });

    it('stand in the audit log by name, however an operation was told which they are', async () => {
      const rule_type = 'custom_attributes';
      await muster.run(importRules, { rules: { [rule_type]: ['site', 'rack'].map((name) => variable(name, name)) } });
      const [site, rack] = await Promise.all(
        ['site', 'rack'].map(async (rule) => (await muster.run(showRule, { rule_type, rule })).id),
      );
      await muster.run(switchRules, { rule_type, rules: [site], enabled: false });
      await muster.run(moveRules, { rule_type, rules: [rack], to: 'first' });
      await muster.run(revertRule, { rule_type, rule: site, version: 1 });
      await muster.run(removeRule, { rule_type, rule: site });
      await muster.run(revertRule, { rule_type, rule: site, version: 1 });
      await muster.run(removeRules, { rule_type, rules: [rack, 'site'] });
      await expect(muster.run(removeRule, { rule_type, rule: site })).rejects.toEqual(code('not_found'));
      const { entries } = await muster.run(listAudit, {});
      expect(entries.slice(0, 7).map(({ operation, subject }) => [operation, subject])).toEqual([
        ['rules/remove-rule', `custom_attributes ${site}`],
        ['rules/remove-rules', `custom_attributes rack (${rack}), site (${site})`],
        ['rules/revert-rule', `custom_attributes site (${site})`],
        ['rules/remove-rule', `custom_attributes site (${site})`],
        ['rules/revert-rule', `custom_attributes site (${site})`],
        ['rules/move-rules', `custom_attributes rack (${rack})`],
        ['rules/switch-rules', `custom_attributes disabled: site (${site})`],
      ]);
      await muster.run(importRules, {
        rules: {
          automation_projects: [{ name: 'backup', enabled: true }],
          automation_customvars: [variable('tier', 'a', { project: 'backup' })],
        },
      });
      const tier = (await muster.run(showRule, { rule_type: 'automation_customvars', rule: 'tier' })).id;
      for (const _ of [1, 2]) await muster.run(switchProject, { project: 'backup', enabled: false });
      const switched = await muster.run(listAudit, { operation: 'rules/switch-project' });
      expect(switched.entries.map(({ subject }) => subject)).toEqual([
        'backup disabled',
        `backup disabled: automation_customvars tier (${tier})`,
      ]);
    });

    it('make inventories that can be looked through in pages', async () => {
      for (const hostname of ['a1', 'a2', 'b1'])
        await muster.run(saveHost, { hostname, account: hostname === 'b1' ? 'blue' : 'red', labels: {} });
      const groups = { outcomes: [{ attribute_name: 'ansible_groups', attribute_value: 'all,{{ HOSTNAME[0] }} { {' }] };
      await muster.run(importRules, {
        rules: {
          automation_projects: [{ name: 'p', enabled: true, description: 'why' }],
          automation_customvars: [{ ...variable('g', ''), ...groups }],
        },
      });
      const browse = (more: object) => muster.run(browseInventory, { provider: 'automation', ...more });
      expect(await browse({ limit: 2 })).toEqual({
        provider: 'automation',
        total: 3,
        found: 3,
        hosts: [
          { hostname: 'a1', groups: ['a { {'] },
          { hostname: 'a2', groups: ['a { {'] },
        ],
        group_count: 2,
        groups: [
          { name: 'a { {', hosts: 2, parents: [], children: [] },
          { name: 'b { {', hosts: 1, parents: [], children: [] },
        ],
      });
      expect(await browse({ text: 'A', start: 1 })).toMatchObject({ total: 3, found: 2, hosts: [{ hostname: 'a2' }] });
      expect(await browse({ group: 'b { {' })).toMatchObject({ found: 1, hosts: [{ hostname: 'b1' }] });
      await muster.run(saveHost, { hostname: 'a3', account: 'red', labels: {} });
      expect(await browse({ provider: 'p' })).toMatchObject({ total: 4, group_count: 0 });
      expect(await browse({ text: 'a' })).toMatchObject({ total: 4, found: 3 });
      await expect(browse({ provider: 'nowhere' })).rejects.toEqual(code('not_found'));
      const scoped = await muster.addCaller('scoped', { roles: ['automation'], accounts: ['blue'] });
      expect(await muster.run(browseInventory, { provider: 'automation' }, scoped)).toMatchObject({ total: 1 });
      const { hosts, providers } = await muster.run(listProviders, {}, scoped);
      expect(hosts).toBe(1);
      expect(providers.find((provider) => provider.name === 'p')).toMatchObject({
        plugin: null,
        project: { description: 'why' },
      });
      expect(providers.find((provider) => provider.name === 'automation')).toMatchObject({
        plugin: 'automation-inventory',
        project: null,
      });
    });
  });
}
