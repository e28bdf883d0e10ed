import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { countHosts } from '../../../src/app/search/operations/count-hosts.ts';
import { reportQuality } from '../../../src/app/search/operations/report-quality.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from './operations-app.ts';

/** What is incomplete or doubtful in the data of hosts. Run over every storage adapter. */
export function describeHostQuality(name: string, create: StorageHarness['create']): void {
  describe(`${name}: data quality`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let now: Date;
    beforeEach(async () => {
      opened = await create();
      now = new Date('2026-03-01T08:00:00Z');
      muster = await OperationsApp.over(opened.storage, {}, undefined, undefined, { now: () => now });
      await muster.addAccounts('red', 'blue');
      await save('red', 'old.example.org', { site: 'Berlin' });
      now = new Date('2026-03-20T08:00:00Z');
      await save('blue', 'web01.example.org', { site: 'berlin', serial_number: 'J4711', ip: '10.3.0.11/24' });
      await save('blue', 'web01', { site: '', 'Serial Number': 'j 4711', name: 'web02', roles: ['web', ''] });
      await save('blue', 'web02.example.net', { site: 'BER LIN', serial_number: 'None', mgmt_ip: ['10.3.0.11', 'x'] });
      await save('blue', 'db01', { site: 'paris', serial_number: 'none', ip: '127.0.0.1', 'Serial Number': null });
      await save('blue', 'db02', { ip: '127.0.0.1', roles: ['db', 'DB'], 'a "b" (c)': 'x' });
      await save('blue', 'db03', { roles: 'db ', ip: 'fd00:0::1' });
      await save('blue', 'db04', { Roles: 'db', ip6: 'y', ipv6: 'fd00::1', 'a "b" (c)': 'X' });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const save = (account: string, hostname: string, labels: object) =>
      muster.run(saveHost, { hostname, account, labels });

    it('says what is missing, doubtful and unseen', async () => {
      const report = await muster.run(reportQuality, {});
      expect(report).toMatchObject({ size: 8, is_exact: true, unseen: { hosts: 1 }, unowned: { hosts: 0 } });
      expect(report.silent_sources).toMatchObject([
        { account: 'red', hosts: 1, last_seen: '2026-03-01T08:00:00.000Z', where: 'own.account:red' },
      ]);
      const shares = report.labels.map(({ label, filled, empty, missing }) => {
        return [label, filled.hosts, empty.hosts, missing.hosts];
      });
      expect(shares.filter(([label]) => label === 'site' || label === 'roles' || label === 'Serial Number')).toEqual([
        ['Serial Number', 1, 1, 6],
        ['roles', 2, 1, 5],
        ['site', 4, 1, 3],
      ]);
      expect(report.spellings.map(({ label, hosts, spellings }) => [label, hosts, spellings])).toEqual([
        [
          'site',
          3,
          [
            { value: 'BER LIN', hosts: 1 },
            { value: 'Berlin', hosts: 1 },
            { value: 'berlin', hosts: 1 },
          ],
        ],
        ['a "b" (c)', 2, expect.anything()],
        ['roles', 2, expect.anything()],
        ['serial_number', 2, expect.anything()],
      ]);
      expect(report.label_names).toEqual([
        {
          names: [
            { name: 'roles', hosts: 3 },
            { name: 'Roles', hosts: 1 },
          ],
          hosts: 4,
          where: 'label.roles:* OR label.Roles:*',
        },
      ]);
      expect(report.label_names_total).toBe(1);
      expect(report.duplicates.map(({ kind, value, sample }) => [kind, value, sample])).toEqual([
        ['serial', 'j4711', ['web01', 'web01.example.org']],
        ['address', '10.3.0.11', ['web01.example.org', 'web02.example.net']],
        ['address', 'fd00::1', ['db03', 'db04']],
        ['short_name', 'web01', ['web01', 'web01.example.org']],
      ]);
      expect(report.duplicates_total).toEqual({ spelling: 0, serial: 1, uuid: 0, address: 2, short_name: 1 });
    });

    it('gives a query with each number that finds just these hosts', async () => {
      const { labels, spellings, label_names, duplicates, silent_sources, unseen, unowned } = await muster.run(
        reportQuality,
        {
          unseen_days: 3,
        },
      );
      const all = [
        ...labels.flatMap(({ filled, empty, missing }) => [filled, empty, missing]),
        ...spellings,
        ...label_names,
        ...duplicates,
        ...silent_sources,
        unseen,
        unowned,
      ];
      expect(all.length).toBeGreaterThan(30);
      for (const { where, hosts } of all) {
        const { size } = await muster.run(countHosts, { where, kind: 'hosts' });
        expect([where, size]).toEqual([where, hosts]);
      }
    });

    it('looks at the hosts that the caller reaches, and shows as many rows as are asked for', async () => {
      const caller = await muster.addCaller('of-red', { roles: ['objects'], accounts: ['red'] });
      expect(await muster.run(reportQuality, {}, caller)).toMatchObject({
        size: 1,
        labels: [{ label: 'site', filled: { hosts: 1 } }],
        spellings: [],
        label_names: [],
        duplicates: [],
      });
      const report = await muster.run(reportQuality, { limit: 1 });
      expect(report.duplicates.map(({ kind }) => kind)).toEqual(['serial', 'address', 'short_name']);
      expect([report.labels.length, report.spellings.length, report.spellings_total]).toEqual([1, 1, 4]);
    });
  });
}
