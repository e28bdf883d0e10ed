import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { getHost } from '../../../src/app/hosts/operations/get-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { saveInventoriesBulk } from '../../../src/app/hosts/operations/save-inventories-bulk.ts';
import { saveInventory } from '../../../src/app/hosts/operations/save-inventory.ts';
import { addRelation } from '../../../src/app/relations/operations/add-relation.ts';
import { listRelations } from '../../../src/app/relations/operations/list-relations.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { listRules } from '../../../src/app/rules/operations/list-rules.ts';
import type { RuleDocument } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from './operations-app.ts';

const refused = expect.objectContaining({ code: 'invalid_input' });
const HALF_PAIR = '\ud83d';

/** Values that parsers and stores like to change: they come back as they went in, or they are refused. */
export function describeValues(name: string, create: StorageHarness['create']): void {
  describe(`${name}: values`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeAll(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage, { CMDB_MODE: true });
      await muster.addAccounts('lab');
      for (const hostname of ['a', 'b']) await muster.run(saveHost, { hostname, account: 'lab', labels: {} });
    });
    afterAll(async () => {
      await muster.stop();
      await opened.close();
    });

    const rules = async (type: string) => {
      const answer: { rules: RuleDocument[] } = await muster.read(listRules, { rule_type: type });
      return answer.rules;
    };

    describe('that JSON holds', () => {
      const odd = {
        'a\u0000b': 'nul \u0000 and \u0001',
        '\ufeffmark': '\ufeff',
        '\u2028': '\u2029',
        ['__proto__']: 'own',
        constructor: 'c',
        é: 'composed',
        'e\u0301': 'not',
        tiny: 5e-324,
        large: 1.7976931348623157e308,
        safe: [9007199254740991, -9007199254740991],
        exact: 9007199254740992,
        ' space ': '  ',
        ['k'.repeat(1024)]: '😀'.repeat(1000),
      };

      it('come back as labels, sections and rule documents', async () => {
        await muster.run(saveHost, { hostname: 'odd', account: 'lab', labels: odd });
        await muster.run(saveInventory, { hostname: 'odd', key: 'nul\u0000', inventory: { ...odd, deep: [odd] } });
        const host = await muster.run(getHost, { hostname: 'odd' });
        expect(host.labels).toEqual(odd);
        expect(host.inventory).toEqual({ 'nul\u0000': { ...odd, deep: [odd] } });
        const rule = { name: 'odd \u0000 \ufeff', ...odd };
        const answer = await muster.run(importRulesOfType, { rule_type: 'automation_projects', rules: [rule] });
        expect(answer).toMatchObject({ imported: 1 });
        expect(await muster.run(importRulesOfType, { rule_type: 'automation_projects', rules: [rule] })).toMatchObject({
          duplicate: 1,
        });
        expect(await rules('automation_projects')).toEqual([{ _id: expect.anything(), ...rule }]);
      });
    });

    describe('that stay no numbers', () => {
      // As the reader of bodies marks them.
      const numbers: [string, unknown][] = [
        ['an integer with too many digits', 12345678901234567890n],
        ['a number that is too large', Number.POSITIVE_INFINITY],
        ['a number that is too small', Number.NaN],
      ];

      it.each(numbers)('%s is refused in labels, sections and documents, with its place', async (_what, serial) => {
        const labels = { serial };
        await expect(muster.run(saveHost, { hostname: 'n', account: 'lab', labels })).rejects.toEqual(
          expect.objectContaining({
            code: 'invalid_input',
            details: [expect.objectContaining({ path: 'labels.serial' })],
          }),
        );
        await expect(
          muster.run(saveHost, { hostname: 'n', account: 'lab', labels: { list: [1, serial] } }),
        ).rejects.toEqual(refused);
        const objects = [
          { hostname: 'n', labels },
          { hostname: 'm', labels: {} },
        ];
        expect(await muster.run(saveHostsBulk, { account: 'lab', objects })).toEqual({
          status: 'saved 1',
          'not-saved': ['n'],
        });
        const section = { hostname: 'a', key: 'x', inventory: { deep: { serial } } };
        await expect(muster.run(saveInventory, section)).rejects.toEqual(refused);
        await expect(muster.run(saveInventoriesBulk, { inventories: [section] })).rejects.toEqual(refused);
        const documents = [{ name: 'n', deep: { serial } }, { name: `fine ${String(serial)}` }];
        const answer = await muster.run(importRulesOfType, { rule_type: 'automation_projects', rules: documents });
        expect(answer).toMatchObject({
          imported: 1,
          invalid: 1,
          details: [{ index: 0, name: 'n', path: 'deep.serial', message: expect.stringContaining('send it as text') }],
        });
        const host = { hostname: 'n', labels };
        expect(await muster.run(importRulesOfType, { rule_type: 'host_objects', rules: host })).toMatchObject({
          invalid: 1,
          details: [{ path: 'labels.serial' }],
        });
        await expect(muster.run(getHost, { hostname: 'n' })).rejects.toMatchObject({ code: 'not_found' });
      });
    });

    describe('that have no UTF-8', () => {
      it('are refused wherever a text is stored', async () => {
        await expect(muster.run(saveHost, { hostname: 'h', account: 'lab', labels: { x: HALF_PAIR } })).rejects.toEqual(
          refused,
        );
        await expect(muster.run(addAccount, { name: `x${HALF_PAIR}`, type: 'api' })).rejects.toEqual(refused);
        const edge = { hostname: 'a', type: 'depends_on', target: 'b', source: HALF_PAIR };
        await expect(muster.run(addRelation, edge)).rejects.toEqual(refused);
        const documents = [
          { name: `x${HALF_PAIR}` },
          { name: 'x', documentation: HALF_PAIR },
          { name: 'y', [HALF_PAIR]: 1 },
        ];
        const answer = await muster.run(importRules, { rules: { automation_projects: documents } });
        expect(answer.details.map(({ path }) => path)).toEqual(['name', 'documentation', HALF_PAIR]);
        expect(answer.total).toBe(0);
      });
    });

    it('of edges come back', async () => {
      const source = 'nul \u0000 \ufeff';
      await muster.run(addRelation, { hostname: 'a', type: 'depends_on', target: 'b', source });
      const { outgoing } = await muster.run(listRelations, { hostname: 'a' });
      expect(outgoing).toMatchObject([{ target: 'b', source }]);
    });

    it('of edges in host documents are checked, and none goes away silently', async () => {
      const documents = [
        { hostname: 'edge', relations: [{ type: 'depends_on' }] },
        { hostname: 'edge', relations: [{ type: 'depends_on', target: 'a' }] },
      ];
      const answer = await muster.run(importRulesOfType, { rule_type: 'host_objects', rules: documents });
      expect(answer).toMatchObject({ imported: 1, invalid: 1, details: [{ path: 'relations.0.target' }] });
    });
  });
}
