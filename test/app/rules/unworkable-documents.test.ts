import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAutorules } from '../../../src/app/autorules/operations/run-autorules.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import { createRule } from '../../../src/app/rules/operations/create-rule.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { listRules } from '../../../src/app/rules/operations/list-rules.ts';
import { listUnworkableRules } from '../../../src/app/rules/operations/list-unworkable-rules.ts';
import { ruleFailures } from '../../../src/app/rules/operations/rule-failures.ts';
import { saveRule } from '../../../src/app/rules/operations/save-rule.ts';
import { showRule } from '../../../src/app/rules/operations/show-rule.ts';
import type { JsonObject } from '../../../src/ports/json.ts';
import { PluginWorld } from '../../security/support/plugin-world.ts';
import { STORES } from '../../security/support/two-stores.ts';
import type { OperationsApp } from '../operations/operations-app.ts';

const oid = (number: number) => ({ $oid: number.toString(16).padStart(24, '0') });
const rule = (name: string, members: object = {}) => ({
  _id: oid(name.length),
  name,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: [],
  sort_field: 1,
  last_match: false,
  ...members,
});
/** RE2 has no look-ahead; where the rule comes from, it hid a host. */
const hide = (members: object = {}) =>
  rule('Hide', {
    condition_typ: 'all',
    conditions: [{ match_type: 'host', hostname: '(?=db).*', hostname_match: 'regex', hostname_match_negate: false }],
    outcomes: [{ action: 'ignore_hosts', attribute_name: '' }],
    ...members,
  });
const vars = (name: string, attribute_value: string, members: object = {}) =>
  rule(name, { outcomes: [{ attribute_name: 'made', attribute_value }], ...members });

describe.each(STORES)('%s: documents of an existing installation that cannot work here', (store, create) => {
  const onOneStore = it.runIf(store === 'SQLite');
  let world: PluginWorld;
  let muster: OperationsApp;

  beforeEach(async () => {
    world = await PluginWorld.create(create);
    muster = await world.program();
    await muster.addAccounts('crm');
    for (const hostname of ['db01', 'web01']) {
      await muster.run(saveHost, { hostname, account: 'crm', labels: { site: 'berlin' } });
    }
  });
  afterEach(() => world.close());

  const hostvars = async () => {
    const answer = (await muster.read(renderInventory, { provider: 'automation' })) as {
      _meta: { hostvars: JsonObject };
    };
    return answer._meta.hostvars;
  };
  const stored = async (rule_type: string) =>
    ((await muster.read(listRules, { rule_type })) as { rules: JsonObject[] }).rules;

  it('are stored as they came and told, and a filter among them lets nothing out', async () => {
    expect(Object.keys(await hostvars())).toEqual(['db01', 'web01']);
    const answer = await muster.run(importRules, { rules: { ansible_filter: [hide()] } });
    expect(answer).toMatchObject({
      imported: { automation_filter: 1 },
      invalid: { automation_filter: 0 },
      details: [],
    });
    expect(answer.cannot_work).toEqual([
      {
        rule_type: 'automation_filter',
        index: 0,
        name: 'Hide',
        path: 'conditions.0.hostname',
        message: expect.stringMatching(/while it is enabled inventories and exports of its project fail/),
      },
    ]);
    expect(await stored('automation_filter')).toEqual([hide()]);
    await expect(hostvars()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('rule "Hide" of type automation_filter cannot work'),
    });
    expect(await muster.run(runDoctor, {})).toMatchObject({ ok: false });
    expect(await muster.run(listUnworkableRules, { rule_type: 'ansible_filter' })).toMatchObject({
      rules: [{ name: 'Hide', problems: [{ path: 'conditions.0.hostname' }] }],
    });
    expect(await muster.run(ruleFailures, {})).toMatchObject({ failures: [{ name: 'Hide', errors: 1 }] });
  });

  it('are invalid where somebody wrote them here: under our names, or without an id', async () => {
    const { _id, ...written } = hide();
    for (const rules of [{ automation_filter: [hide()] }, { ansible_filter: [written] }]) {
      const answer = await muster.run(importRules, { rules });
      expect(answer).toMatchObject({
        imported: { automation_filter: 0 },
        invalid: { automation_filter: 1 },
      });
      expect(answer).not.toHaveProperty('cannot_work');
    }
    expect(await stored('automation_filter')).toEqual([]);
  });

  it('can be disabled, and enabled only when they are right', async () => {
    await muster.run(importRules, { rules: { ansible_filter: [hide()] } });
    const save = async (document: JsonObject) => {
      const { version } = await muster.run(showRule, { rule_type: 'automation_filter', rule: 'Hide' });
      return muster.run(saveRule, { rule_type: 'automation_filter', document, version });
    };
    const off = await save(hide({ enabled: false }));
    expect(off.warnings).toMatchObject([{ message: expect.stringContaining('can be enabled once that is right') }]);
    expect(Object.keys(await hostvars())).toEqual(['db01', 'web01']);
    const shown = await muster.run(showRule, { rule_type: 'automation_filter', rule: 'Hide' });
    expect(shown.problems).toMatchObject([{ path: 'conditions.0.hostname' }]);
    await expect(save(hide())).rejects.toMatchObject({ code: 'invalid_input' });
    const worse = { outcomes: [{ action: 'show', attribute_name: 'x' }] };
    await expect(save(hide({ enabled: false, ...worse }))).rejects.toMatchObject({ code: 'invalid_input' });
    const right = { match_type: 'host', hostname: 'db', hostname_match: 'swith', hostname_match_negate: false };
    await save(hide({ conditions: [right] }));
    expect(Object.keys(await hostvars())).toEqual(['web01']);
    expect(await muster.run(listUnworkableRules, { rule_type: 'automation_filter' })).toEqual({ rules: [] });
  });

  onOneStore('are exported and replaced as they are, again and again', async () => {
    const rules = {
      ansible_filter: [hide({ enabled: false })],
      ansible_customvars: [vars('Bad', '{{ site', { enabled: false })],
    };
    await muster.run(importRules, { rules });
    const ours = {
      automation_filter: await stored('automation_filter'),
      automation_customvars: await stored('automation_customvars'),
    };
    expect(await muster.run(importRules, { rules: ours })).toMatchObject({ total: 0, details: [] });
    const again = await muster.run(importRules, { rules: ours, override: true });
    expect(again).toMatchObject({ total: 2, details: [] });
    expect(again.cannot_work).toHaveLength(2);
    expect(await stored('automation_customvars')).toEqual(rules.ansible_customvars);
  });

  onOneStore('are told when a list gives no rows, which stops nothing', async () => {
    const lists = [
      vars('Twice', '{{ name }}', { rule_source: 'list', list_source: 'name;name\nx;y\n' }),
      vars('Nothing', '{{ name }}', { rule_source: 'list', list_source: '' }),
      vars('Good', '{{ name }}', { rule_source: 'list', list_source: 'name\nrow01\n' }),
    ];
    const answer = await muster.run(importRules, { rules: { ansible_customvars: lists } });
    expect(answer.cannot_work?.map(({ name, message }) => [name, message])).toEqual([
      ['Twice', expect.stringMatching(/^column 2: there are two columns.*makes nothing until that is corrected$/)],
      ['Nothing', expect.stringMatching(/^is empty.*makes nothing until that is corrected$/)],
    ]);
    expect(Object.keys(await hostvars())).toEqual(['db01', 'row01', 'web01']);
    const { failures } = await muster.run(ruleFailures, {});
    expect(failures.map(({ name, errors }) => [name, errors])).toEqual([
      ['Nothing', 1],
      ['Twice', 1],
    ]);
  });

  onOneStore('make no rules and run nothing', async () => {
    const body = { rule_type: 'custom_attributes', rule_body: '{{ site' };
    const fires = { outcomes: [{ playbook: 'a.yml', extra_vars: 'region: {{ site\n' }] };
    const answer = await muster.run(importRules, {
      rules: {
        syncer_rule_automation: [{ _id: oid(1), name: 'Makes', enabled: true, ...body }],
        ansible_playbook_fire: [rule('Fires', fires)],
      },
    });
    expect(answer.cannot_work?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/makes no rules until that is corrected$/),
      expect.stringMatching(/runs nothing until that is corrected$/),
    ]);
    await muster.run(runAutorules, {});
    expect(await stored('custom_attributes')).toEqual([]);
    const [entry] = await muster.storage.logs.latest({ limit: 1 });
    expect(entry).toMatchObject({ hasError: true, message: expect.stringContaining('0 rules made') });
    expect(Object.keys(await hostvars())).toEqual(['db01', 'web01']);
  });

  onOneStore('are refused where somebody writes them here, and where their form is wrong', async () => {
    const document = hide();
    const counts = { imported: 0, duplicate: 0, invalid: 1 };
    for (const rule_type of ['automation_filter', 'ansible_filter']) {
      expect(await muster.run(importRulesOfType, { rule_type, rules: document })).toMatchObject(counts);
      expect(await muster.run(createRule, { rule_type, rule: document })).toMatchObject({ status: 'invalid' });
    }
    const own = await muster.run(importRules, { rules: { automation_filter: [document] } });
    expect(own).toMatchObject({ invalid: { automation_filter: 1 }, details: [{ name: 'Hide' }] });
    const wrong = hide({ outcomes: [{ action: 'show', attribute_name: 'x' }] });
    const answer = await muster.run(importRules, { rules: { ansible_filter: [wrong] } });
    expect(answer).toMatchObject({ total: 0, invalid: { automation_filter: 1 } });
    expect(answer.details.length).toBe(2);
    expect(await stored('automation_filter')).toEqual([]);
  });

  onOneStore('never take part in an inventory, whatever their texts are', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('{{ site', '{% if %}', '(?=x)', '[', '{{ HOSTNAME }}', 'a:b', ':', ',:x', 'x:1', '{{ 1 +'),
    );
    const member = fc.record({
      pattern: text,
      value: text,
      mode: fc.constantFrom('', 'string', 'split', 'jinja'),
      nameMode: fc.constantFrom('', 'string', 'jinja', 'convert_list'),
    });
    await fc.assert(
      fc.asyncProperty(member, async ({ pattern, value, mode, nameMode }) => {
        const rewrite = {
          ...hide({ _id: oid(77), name: 'R' }),
          conditions: [{ match_type: 'tag', tag: pattern, tag_match: 'regex', value: '', value_match: 'ignore' }],
          outcomes: [
            {
              overwrite_name: nameMode,
              old_attribute_name: 'site',
              new_attribute_name: `n${value}`,
              overwrite_value: mode,
              new_value: value,
            },
          ],
        };
        const answer = await muster.run(importRules, { rules: { ansible_rewrite: [rewrite] }, override: true });
        expect(answer).toMatchObject({ total: 1, details: [] });
        const runs = await hostvars().then(
          () => true,
          (error: { code: string }) => {
            expect(error.code).toBe('unavailable');
            return false;
          },
        );
        expect(runs).toBe(answer.cannot_work === undefined);
      }),
      { numRuns: 60 },
    );
  });
});
