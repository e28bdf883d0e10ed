import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { deleteAccount } from '../../../src/app/accounts/operations/delete-account.ts';
import { listDays } from '../../../src/app/host-days/operations/list-days.ts';
import { MOST_DAYS } from '../../../src/app/hosts/host-counts.ts';
import { archiveHost } from '../../../src/app/hosts/operations/archive-hosts.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { runMaintenance } from '../../../src/app/maintenance/operations/run-maintenance.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

/** How many hosts there were, day by day. Run over every storage adapter. */
export function describeHostDays(name: string, create: StorageHarness['create']): void {
  describe(`${name}: hosts day by day`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    let now: Date;
    beforeEach(async () => {
      opened = await create();
      now = new Date('2026-03-01T08:00:00Z');
      muster = await OperationsApp.over(opened.storage, { ARCHIVE_DAYS: 0, STALE_DAYS: 0 }, undefined, undefined, {
        now: () => now,
      });
      await muster.addAccounts('red', 'blue');
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const save = (hostname: string, account: string) => muster.run(saveHost, { hostname, account, labels: {} });
    const until = (day: string): void => {
      now = new Date(`${day}T08:00:00Z`);
    };

    it('are what maintenance counted last on each day, and today as it is now', async () => {
      expect(await muster.run(listDays, {})).toEqual({ days: [], accounts: [] });
      await muster.run(runMaintenance, {});
      until('2026-03-02');
      await save('web1', 'red');
      await muster.run(runMaintenance, {});
      await save('web2', 'red');
      await muster.run(runMaintenance, {});
      until('2026-03-04');
      await save('db1', 'blue');
      await muster.run(archiveHost, { hostname: 'web1' });
      expect(await muster.run(listDays, {})).toEqual({
        days: [
          { day: '2026-03-02', hosts: 2, objects: 0, archived: 0 },
          { day: '2026-03-04', hosts: 2, objects: 0, archived: 1 },
        ],
        accounts: [
          { account: 'blue', hosts: [0, 1], objects: [0, 0], archived: [0, 0] },
          { account: 'red', hosts: [2, 1], objects: [0, 0], archived: [0, 1] },
        ],
      });
      expect(await muster.run(listDays, { days: 2 })).toMatchObject({ days: [{ day: '2026-03-04' }] });
      expect(await muster.run(listDays, { account: 'blue' })).toMatchObject({
        days: [{ day: '2026-03-04', hosts: 1 }],
        accounts: [{ account: 'blue', hosts: [1] }],
      });
    });

    it('are counted at the end of an import, and not by a dry run', async () => {
      const path = 'sample/wikimedia-nodes.csv';
      await muster.run(addAccount, { name: 'nodes', type: 'csv', settings: { path, hostname_field: 'host' } });
      const kept = async () => (await opened.storage.hostCounts.since('')).map(({ day, accounts }) => [day, accounts]);
      await muster.run(importAccount, { account: 'nodes', dry_run: true });
      expect(await kept()).toEqual([]);
      await muster.run(importAccount, { account: 'nodes' });
      expect(await kept()).toMatchObject([['2026-03-01', [{ hosts: 964, objects: 0, archived: 0 }]]]);
    });

    it('are those of the accounts that the caller reaches', async () => {
      await save('web1', 'red');
      await muster.run(runMaintenance, {});
      until('2026-03-02');
      await save('db1', 'blue');
      const caller = (name: string, holds: object) => muster.addCaller(name, { roles: ['syncer'], ...holds });
      expect(await muster.run(listDays, {}, await caller('of-blue', { accounts: ['blue'] }))).toEqual({
        days: [{ day: '2026-03-02', hosts: 1, objects: 0, archived: 0 }],
        accounts: [{ account: 'blue', hosts: [1], objects: [0], archived: [0] }],
      });
      const limited = { ...(await caller('of-template', {})), templates: ['linux'] };
      expect(await muster.run(listDays, {}, limited)).toEqual({ days: [], accounts: [] });
      const red = await muster.callerOf('of-blue');
      await expect(muster.run(listDays, { account: 'red' }, red)).rejects.toEqual(code('not_found'));
    });

    it('keep hosts of accounts that are no more, without their name', async () => {
      await save('web1', 'red');
      await muster.run(runMaintenance, {});
      until('2026-03-02');
      await muster.run(deleteAccount, { name: 'red', with_hosts: true });
      await save('db1', 'blue');
      expect(await muster.run(listDays, {})).toMatchObject({
        days: [{ hosts: 1 }, { hosts: 1 }],
        accounts: [
          { account: 'blue', hosts: [0, 1] },
          { account: null, hosts: [1, 0] },
        ],
      });
    });

    it('are forgotten after more than a year', async () => {
      await save('web1', 'red');
      await muster.run(runMaintenance, {});
      until('2026-03-02');
      await muster.run(runMaintenance, {});
      now = new Date(Date.parse('2026-03-02T08:00:00Z') + MOST_DAYS * 86_400_000);
      await muster.run(runMaintenance, {});
      expect((await opened.storage.hostCounts.since('')).map(({ day }) => day)).toEqual(['2026-03-02', '2027-04-06']);
    });
  });
}
