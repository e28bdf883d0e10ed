import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { correctHost } from '../../../src/app/corrections/operations/correct-host.ts';
import { explainHost } from '../../../src/app/explain/operations/explain-host.ts';
import { getHost } from '../../../src/app/hosts/operations/get-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { createRule } from '../../../src/app/rules/operations/create-rule.ts';
import { findRules } from '../../../src/app/rules/operations/find-rules.ts';
import { switchRules } from '../../../src/app/rules/operations/switch-rules.ts';
import { memberObjects } from '../../../src/kit/document/members.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OPERATOR, OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const TYPE = 'custom_attributes';

/** Corrections of imported hosts. Run over every storage adapter. */
export function describeCorrections(name: string, create: StorageHarness['create']): void {
  describe(`${name}: corrections`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red', 'blue');
      for (const [hostname, account] of [
        ['web01', 'red'],
        ['web02', 'red'],
        ['db01', 'blue'],
      ])
        await muster.run(saveHost, { hostname, account, labels: { rack: 'R1', cpus: 4 } });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const person = (user: string, more: Partial<Caller> = {}): Caller => ({
      ...OPERATOR,
      ...{ name: user, roles: ['rules'], globalAdmin: false, entrance: 'rest', ...more },
    });
    const blue = async () => [(await muster.app.services.accounts.byName('blue'))?.id ?? ''];
    const served = async (host: string): Promise<Record<string, unknown>> =>
      JSON.parse(await muster.text(renderInventory, { provider: 'automation', host }));
    const stored = async () => (await opened.storage.rules.findByName(TYPE, 'Corrections'))?.document.value;

    it('win in what is served, with their types, behind all other rules, and leave the labels of the source', async () => {
      const rule = { name: 'Late', enabled: true, sort_field: 70, condition_typ: 'anyway' };
      const outcomes = [{ attribute_name: 'rack', attribute_value: 'nowhere' }];
      await muster.run(createRule, { rule_type: TYPE, rule: { ...rule, outcomes } });
      const answer = await muster.run(
        correctHost,
        { hostname: 'web01', attribute: 'rack', value: 'R12' },
        person('ada'),
      );
      expect(answer).toMatchObject({ status: 'corrected', hostname: 'web01', rule: { name: 'Corrections' } });
      await muster.run(correctHost, { hostname: 'web01', attribute: 'cpus', json_value: '8' }, person('ada'));
      expect(await served('web01')).toMatchObject({ rack: 'R12', cpus: 8 });
      expect(await served('web02')).toMatchObject({ rack: 'nowhere', cpus: 4 });
      expect((await muster.run(getHost, { hostname: 'web01' })).labels).toEqual({ rack: 'R1', cpus: 4 });
      expect(await stored()).toMatchObject({ rule_source: 'list', sort_field: 80 });
      const { explanation } = await muster.run(explainHost, { hostname: 'web01' });
      expect(explanation.rules.find(({ name }) => name === 'Corrections')).toMatchObject({
        conditions: [{ text: 'rows 1, 2 of its list are about the host', holds: true }],
        changes: [
          { name: 'rack', before: 'nowhere', after: 'R12' },
          { name: 'cpus', before: 4, after: 8 },
        ],
      });
      const [found] = (await muster.run(findRules, { rule_type: TYPE, text: 'corrections' })).rules;
      expect(found).toMatchObject({ condition_count: 1, outcome_count: 2, waits: false });
      expect(found?.outcome_lines[0]?.text).toBe('web01: rack = R12');
    });

    it('are changed and removed one by one, and audited', async () => {
      const rack = { hostname: 'web01', attribute: 'rack' };
      expect((await muster.run(correctHost, rack, person('ada'))).status).toBe('unchanged');
      expect(await stored()).toBeUndefined();
      await muster.run(correctHost, { ...rack, value: 'R12' }, person('ada'));
      await muster.run(correctHost, { hostname: 'web02', attribute: 'rack', value: 'R3' }, person('ada'));
      expect((await muster.run(correctHost, { ...rack, value: 'R12' }, person('bob'))).status).toBe('unchanged');
      expect((await muster.run(correctHost, { ...rack, value: 'R13' }, person('bob'))).status).toBe('corrected');
      expect(await served('web01')).toMatchObject({ rack: 'R13' });
      expect((await muster.run(correctHost, { ...rack, value: null }, person('bob'))).status).toBe('removed');
      expect(await served('web01')).toMatchObject({ rack: 'R1' });
      expect((await muster.run(correctHost, { ...rack, remove: true }, person('bob'))).status).toBe('unchanged');
      expect((await stored())?.outcomes).toEqual([
        { hostname: 'web02', attribute_name: 'rack', attribute_value: 'R3' },
      ]);
      const { entries } = await muster.run(listAudit, { operation: 'hosts/correct-host' });
      expect(entries.at(-1)).toMatchObject({ actor: 'ada', subject: 'web01 rack' });
    });

    it('of people at the same time are all there, also where none of them found the rule', async () => {
      const rows = Array.from({ length: 6 }, (_, index) => ({
        hostname: 'web01',
        attribute: `a${index}`,
        value: index,
      }));
      await Promise.all(rows.map((row, index) => muster.run(correctHost, row, person(`person${index}`))));
      const outcomes = memberObjects((await stored()) ?? {}, 'outcomes');
      expect(outcomes.map((row) => row.attribute_value).sort()).toEqual([0, 1, 2, 3, 4, 5]);
      expect((await opened.storage.rules.list(TYPE)).length).toBe(1);
      await Promise.all(rows.slice(0, 5).map(({ value: _, ...row }) => muster.run(correctHost, row)));
      expect((await stored())?.outcomes).toMatchObject([{ attribute_name: 'a5' }]);
    });

    it('are for people with the role of rules, of hosts in their reach, and show no others', async () => {
      const rack = { hostname: 'web01', attribute: 'rack', value: 'R12' };
      const eve = person('eve', { scope: await blue(), scopeNames: ['blue'], globalAdmin: true });
      await expect(muster.run(correctHost, rack, eve)).rejects.toEqual(code('not_found'));
      await expect(muster.run(correctHost, rack, person('eve', { roles: ['objects'] }))).rejects.toEqual(
        code('role_missing'),
      );
      await expect(muster.run(correctHost, rack, person('eve', { readOnly: true }))).rejects.toEqual(code('read_only'));
      await muster.run(correctHost, rack);
      const confirmedBy = async () => (await opened.storage.rules.findByName(TYPE, 'Corrections'))?.confirmedBy;
      expect(await confirmedBy()).toBe('operator');
      await muster.run(correctHost, { ...rack, hostname: 'db01' }, eve);
      expect(await served('db01')).toMatchObject({ rack: 'R12' });
      expect(await confirmedBy()).toBe('operator');
      expect((await muster.run(findRules, { rule_type: TYPE }, eve)).rules).toEqual([]);
    });

    it('are about one host, and not about others whose names differ in case', async () => {
      await muster.run(saveHost, { hostname: 'WEB01', account: 'blue', labels: { rack: 'R1' } });
      const eve = person('eve', { scope: await blue(), scopeNames: ['blue'] });
      await muster.run(correctHost, { hostname: 'web01', attribute: 'rack', value: 'R12' });
      expect(await served('WEB01')).toMatchObject({ rack: 'R1' });
      await muster.run(correctHost, { hostname: 'WEB01', attribute: 'rack', value: 'R9' }, eve);
      expect([await served('web01'), await served('WEB01')]).toMatchObject([{ rack: 'R12' }, { rack: 'R9' }]);
      await muster.run(correctHost, { hostname: 'WEB01', attribute: 'rack', remove: true }, eve);
      expect([await served('web01'), await served('WEB01')]).toMatchObject([{ rack: 'R12' }, { rack: 'R1' }]);
      const { explanation } = await muster.run(explainHost, { hostname: 'WEB01' });
      expect(explanation.rules.find(({ name }) => name === 'Corrections')).toMatchObject({
        conditions: [{ holds: false }],
      });
    });

    it('make nothing act, and leave a rule of their name alone that is none of theirs', async () => {
      const connection = { hostname: 'web01', attribute: 'ansible_connection', value: 'local' };
      await expect(muster.run(correctHost, connection)).rejects.toEqual(code('invalid_input'));
      const secret = { hostname: 'web01', attribute: 'note', value: '{{ACCOUNT:red:password}}' };
      await expect(muster.run(correctHost, secret)).rejects.toEqual(code('invalid_input'));
      for (const value of [{ value: 1, remove: true }, { json_value: '{"a"' }, { json_value: '{"a":1}' }])
        await expect(muster.run(correctHost, { hostname: 'web01', attribute: 'x', ...value })).rejects.toEqual(
          code('invalid_input'),
        );
      const rack = { hostname: 'web01', attribute: 'rack', value: 'R12' };
      await muster.run(correctHost, rack);
      await muster.run(switchRules, { rule_type: TYPE, rules: ['Corrections'], enabled: false });
      await expect(muster.run(correctHost, { ...rack, value: 'R13' })).rejects.toEqual(code('conflict'));
      const rule = { name: 'Corrections', enabled: true, condition_typ: 'anyway', outcomes: [] };
      await muster.run(createRule, { rule_type: TYPE, rule, override: true });
      await expect(muster.run(correctHost, rack)).rejects.toEqual(code('conflict'));
    });
  });
}
