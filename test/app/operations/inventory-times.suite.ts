import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareTimes } from '../../../src/app/earlier-times/operations/compare-times.ts';
import { valuesSince } from '../../../src/app/earlier-times/operations/values-since.ts';
import { archiveHost } from '../../../src/app/hosts/operations/archive-hosts.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { removeRule } from '../../../src/app/rules/operations/remove-rules.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OPERATOR, OperationsApp } from './operations-app.ts';

const TYPE = 'automation_customvars';

/** An inventory compared with that of an earlier time. Run over every storage adapter. */
export function describeInventoryTimes(name: string, create: StorageHarness['create']): void {
  describe(`${name}: an inventory compared with an earlier time`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let now: number;
    beforeEach(async () => {
      opened = await create();
      now = Date.UTC(2026, 0, 30, 12);
      muster = await OperationsApp.over(opened.storage, {}, undefined, undefined, { now: () => new Date(now) });
      await muster.addAccounts('red', 'blue');
      await host('web1', 'red', { site: 'berlin' });
      await host('db1', 'blue', { site: 'paris' });
      await rule('site', '{{ site }}');
      aDayLater();
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const host = (hostname: string, account: string, labels: JsonObject) =>
      muster.run(saveHost, { hostname, account, labels });
    const rule = (attribute: string, value: string) =>
      muster.run(importRules, {
        rules: {
          [TYPE]: [
            {
              name: 'place',
              enabled: true,
              condition_typ: 'anyway',
              outcomes: [{ attribute_name: attribute, attribute_value: value }],
            },
          ],
        },
        override: true,
      });
    const aDayLater = () => {
      now += 86_400_000;
    };
    const compare = (input: object = {}, caller = OPERATOR) =>
      muster.run(compareTimes, { since: '12h', ...input }, caller);

    it('tells since when a rule sets a value, and whether the rule, other rules or the host made it so', async () => {
      const since = async (hostname = 'web1', caller = OPERATOR) => {
        const { values } = await muster.run(valuesSince, { hostname }, caller);
        return values.map(({ name: value, since: at, is_exact, by, version }) => [value, at, is_exact, by, version]);
      };
      const created = '2026-01-30T12:00:00Z';
      expect(await since()).toEqual([['site', created, true, expect.stringMatching(/created|rule/), 1]]);
      await rule('site', 'dc-{{ site }}');
      const ruled = '2026-01-31T12:00:00Z';
      expect(await since()).toEqual([['site', ruled, true, 'rule', 2]]);
      aDayLater();
      await host('web1', 'red', { site: 'hamburg', rack: '1' });
      const moved = '2026-02-01T12:00:00Z';
      expect(await since()).toEqual([['site', moved, true, 'host', 2]]);
      expect(await since('db1')).toEqual([['site', ruled, true, 'rule', 2]]);
      aDayLater();
      // What changes nothing of the value is passed over.
      await host('web1', 'red', { site: 'hamburg', rack: '2' });
      expect(await since()).toEqual([['site', moved, true, 'host', 2]]);
      const blue = await muster.addCaller('blue-reader', { roles: ['objects'], accounts: ['blue'] });
      await expect(since('web1', blue)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('says "at least since" where the history does not reach back', async () => {
      now += 200 * 86_400_000;
      const { values } = await muster.run(valuesSince, { hostname: 'web1' });
      // 180 days of changes of hosts are kept.
      expect(values).toMatchObject([
        { name: 'site', since: '2026-02-20T12:00:00Z', is_exact: false, by: null, version: null },
      ]);
    });

    it('finds nothing where nothing changed', async () => {
      expect(await compare()).toMatchObject({ added: 0, removed: 0, changed: 0, details: [], rules: [], unknown: [] });
    });

    it('finds hosts that came, went and changed, by their own data', async () => {
      await host('web1', 'red', { site: 'hamburg' });
      await host('web2', 'red', { site: 'berlin' });
      await muster.run(archiveHost, { hostname: 'db1' });
      const answer = await compare();
      expect(answer).toMatchObject({ added: 1, removed: 1, changed: 1, rule_count: 0 });
      const found = new Map(answer.details.map((each) => [each.hostname, each]));
      expect(found.get('web2')).toMatchObject({ change: 'added', by: ['host'] });
      expect(found.get('db1')).toMatchObject({ change: 'removed', by: ['host'] });
      expect(found.get('web1')?.changes).toContainEqual({ path: 'site', before: 'berlin', after: 'hamburg' });
      expect(await compare({ text: 'WEB1', limit: 1 })).toMatchObject({ added: 0, removed: 0, changed: 1 });
    });

    it('finds what rules changed, and names them', async () => {
      await rule('site', 'dc-{{ site }}');
      const answer = await compare();
      expect(answer).toMatchObject({ added: 0, removed: 0, changed: 2, rule_count: 1, account_count: 0 });
      expect(answer.rules[0]).toMatchObject({ rule_type: TYPE, name: 'place', change: 'changed' });
      await muster.addAccounts('green');
      expect(await compare()).toMatchObject({ rule_count: 2, account_count: 1 });
      expect(answer.details[0]).toMatchObject({
        hostname: 'db1',
        by: ['rules'],
        changes: [{ path: 'site', before: 'paris', after: 'dc-paris' }],
      });
      await host('db1', 'blue', { site: 'rome' });
      expect((await compare()).details[0]).toMatchObject({
        by: ['host', 'rules'],
        changes: [{ path: 'site', before: 'paris', after: 'dc-rome' }],
      });
    });

    it('brings back a removed rule for the time when it was there, and leaves out one that is new since', async () => {
      await rule('ansible_groups', 'all_{{ site }}');
      const groups = await compare();
      expect(groups.groups).toContainEqual({ name: 'all_paris', joined: 1, left: 0 });
      await muster.run(removeRule, { rule_type: TYPE, rule: 'place' });
      const answer = await compare();
      expect(answer.rules).toMatchObject([{ name: 'place', change: 'removed' }]);
      aDayLater();
      await muster.run(importRules, {
        rules: {
          [TYPE]: [
            {
              name: 'owner',
              enabled: true,
              condition_typ: 'anyway',
              outcomes: [{ attribute_name: 'owner', attribute_value: 'ops' }],
            },
          ],
        },
      });
      expect((await compare()).details[0]).toMatchObject({ by: ['rules'], changes: [{ path: 'owner', after: 'ops' }] });
    });

    it('shows who is restricted only their hosts', async () => {
      const caller = await muster.addCaller('reader', { roles: ['automation'], accounts: ['red'] });
      await host('web1', 'red', { site: 'hamburg' });
      await host('db1', 'blue', { site: 'rome' });
      const answer = await compare({}, caller);
      expect(answer).toMatchObject({ hosts: 1, changed: 1, details: [{ hostname: 'web1' }] });
      expect(JSON.stringify(answer)).not.toContain('rome');
    });

    it('says which hosts were deleted for good, and refuses what is no time', async () => {
      await muster.run(deleteHost, { hostname: 'db1' });
      // Reads do not wait until the audit log is written.
      await expect
        .poll(async () => (await compare()).unknown, { timeout: 10_000 })
        .toEqual(['what was deleted for good since then: db1']);
      await expect(compare({ since: 'soon' })).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(compare({ since: '9999-01-01' })).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });
}
