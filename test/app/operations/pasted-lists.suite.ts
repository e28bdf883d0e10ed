import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainHost } from '../../../src/app/explain/operations/explain-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { rulesImpact } from '../../../src/app/preview/operations/rules-impact.ts';
import { tryList } from '../../../src/app/preview/operations/try-list.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OPERATOR, OperationsApp } from './operations-app.ts';

const TYPE = 'automation_customvars';
const notFound = expect.objectContaining({ code: 'not_found' });

function listRule(list_source: string, more: JsonObject = {}): JsonObject {
  return {
    name: 'appliances',
    enabled: true,
    rule_source: 'list',
    list_source,
    outcomes: [{ attribute_name: 'tier', attribute_value: 'level {{ level }}' }],
    ...more,
  };
}

interface List {
  readonly all: { readonly hosts: readonly string[] };
  readonly _meta: { readonly hostvars: Readonly<Record<string, JsonObject>> };
}

/** Rules over pasted lists beside stored hosts. Run over every storage adapter. */
export function describePastedLists(name: string, create: StorageHarness['create']): void {
  describe(`${name}: pasted lists`, () => {
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

    const store = (...documents: JsonObject[]) =>
      muster.run(importRules, { rules: { [TYPE]: documents }, override: true });
    const list = (input: object = {}, caller?: Parameters<OperationsApp['read']>[2]): Promise<List> =>
      muster.read(renderInventory, { provider: 'automation', ...input }, caller);

    it('stand among stored hosts where their names belong, and in the place of those of their names', async () => {
      const stored = Array.from({ length: 600 }, (_, index) => `h${String(index).padStart(3, '0')}`);
      const objects = stored.map((hostname) => ({ hostname, labels: { site: 'berlin' } }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      // Before all, at the ends of batches, between, in the place of stored ones, and after all; in no order.
      const rows = ['z', 'h250', 'H9', 'h249', 'a', 'h250x', 'h599', 'h000', 'ü', 'h100 b'];
      await store(listRule(['hostname;level', ...rows.map((row, index) => `${row};${index}`)].join('\n')));
      const { all, _meta } = await list();
      const wanted = [...new Set([...stored, ...rows])].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(all.hosts).toEqual(wanted);
      for (const hostname of wanted) {
        const index = rows.indexOf(hostname);
        const variables = index < 0 ? { site: 'berlin' } : { hostname, level: String(index), tier: `level ${index}` };
        expect(_meta.hostvars[hostname], hostname).toMatchObject(variables);
        if (index < 0) continue;
        expect(_meta.hostvars[hostname]).toEqual(variables);
        expect(await list({ host: hostname })).toEqual(variables);
      }
    });

    it('make the answer another one as soon as a row changes, goes, or its rule is off', async () => {
      const revision = async () => {
        const value = { kind: 'value', value: { provider: 'automation' } } as const;
        return (await muster.app.executor.stream(renderInventory, value, OPERATOR)).etag;
      };
      const seen = [await revision()];
      for (const rule of [
        listRule('hostname;level\na;1'),
        listRule('hostname;level\na;2'),
        listRule('hostname;level\nb;2'),
        listRule('hostname;level\nb;2', { enabled: false }),
      ]) {
        await store(rule);
        seen.push(await revision());
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(await revision()).toBe(seen.at(-1));
    });

    it('are explained by the row, to who may see it', async () => {
      await muster.run(saveHost, { hostname: 'own', account: 'red', labels: { level: 'stored' } });
      await store(listRule('hostname;level\nonly;gold\nown;silver'));
      const scoped = await muster.addCaller('scoped', { roles: ['all'], accounts: ['red'] });
      expect(await muster.run(explainHost, { hostname: 'only' })).toMatchObject({
        account: null,
        explanation: { row: { name: 'appliances', line: 2 }, result: { tier: 'level gold' } },
      });
      expect(await muster.run(explainHost, { hostname: 'own' })).toMatchObject({
        replaces: { account: 'red' },
        contributions: [],
        explanation: { row: { line: 3 }, result: { tier: 'level silver' } },
      });
      await expect(muster.run(explainHost, { hostname: 'only', project: 'other' })).rejects.toEqual(notFound);
      // Who is restricted to accounts has the stored host in the inventory too.
      await expect(muster.run(explainHost, { hostname: 'only' }, scoped)).rejects.toEqual(notFound);
      const own = await muster.run(explainHost, { hostname: 'own' }, scoped);
      expect(own).toMatchObject({ account: 'red', explanation: { result: { level: 'stored' } } });
      expect(own).not.toHaveProperty('replaces');
      expect(own.explanation).not.toHaveProperty('row');
      expect((await list({}, scoped)).all.hosts).toEqual(['own']);
    });

    it('are among the hosts that other rules would change', async () => {
      await muster.run(saveHost, { hostname: 'h1', account: 'red', labels: { site: 'berlin' } });
      await store(listRule('hostname;level\na;1\nh1;1\nsame;1\nz;1'));
      const changed = listRule('hostname;level\na;2\nb;1\nh1;2\nsame;1');
      const given = { text: JSON.stringify({ rules: { [TYPE]: [changed] } }), override: true };
      const impact = await muster.run(rulesImpact, given);
      expect(impact).toMatchObject({ hosts: 5, changed: 4, is_exact: true, of: 5 });
      expect(impact.details.map(({ hostname, change }) => `${hostname} ${change}`).sort()).toEqual([
        'a changed',
        'b appears',
        'h1 changed',
        'z disappears',
      ]);
    });

    it('are tried before they are stored, and warn of what has no effect', async () => {
      await muster.run(saveHost, { hostname: 'own', account: 'red', labels: {} });
      const document = listRule('hostname;level\nown;1\nnew;2\n;3\nnew;4', { enabled: false });
      const trial = { rule_type: TYPE, document };
      expect(await muster.run(tryList, { ...trial, limit: 4 })).toEqual({
        total: 4,
        rows: [
          { line: 2, hostname: 'own', state: 'replaces', variables: variables('own', '1'), playbooks: [], errors: [] },
          { line: 3, hostname: 'new', state: 'replaced', variables: variables('new', '2'), playbooks: [], errors: [] },
          { line: 4, hostname: '', state: 'nameless', variables: {}, playbooks: [], errors: [] },
          { line: 5, hostname: 'new', state: 'made', variables: variables('new', '4'), playbooks: [], errors: [] },
        ],
      });
      expect((await muster.run(tryList, { ...trial, limit: 1 })).rows).toHaveLength(1);
      const hosts = { ...trial, document: { ...document, rule_source: 'hosts', condition_typ: 'anyway' } };
      expect(await muster.run(tryList, hosts)).toEqual({ total: 0, rows: [] });
      const fire = listRule('hostname\nown\nnew', { outcomes: [{ playbook: 'x.yml' }] });
      expect(await muster.run(tryList, { rule_type: 'automation_playbook_fire', document: fire })).toMatchObject({
        rows: [
          { state: 'runs', playbooks: ['x.yml'], variables: {} },
          { state: 'left', why: 'there is no active host of this name.' },
        ],
      });
      await expect(
        muster.run(tryList, { ...trial, document: { ...document, list_source: 'a;a' } }),
      ).rejects.toMatchObject({ code: 'invalid_input', details: [{ path: 'list_source' }] });
      const { warnings } = await store({ ...document, list_source: 'hostname;other\na;1\n;2' });
      expect(warnings).toMatchObject([
        { path: 'outcomes.0', message: expect.stringMatching(/^reads level, which is not a column/) },
        { path: 'list_source', message: '1 row has no hostname and no name, and so no effect: line 3' },
      ]);
    });
  });
}

function variables(hostname: string, level: string): JsonObject {
  return { hostname, level, tier: `level ${level}` };
}
