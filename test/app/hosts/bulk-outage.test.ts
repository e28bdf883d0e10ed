import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { saveInventoriesBulk } from '../../../src/app/hosts/operations/save-inventories-bulk.ts';
import { AppError, type HostStore, type Storage } from '../../../src/ports/index.ts';
import { OperationsApp } from '../operations/operations-app.ts';

// A bulk whose storage does not answer for a moment, as while a replica set elects a primary.

let storage: Storage;
let muster: OperationsApp;

beforeEach(async () => {
  storage = memoryStorage()({ clock: { now: () => new Date() } });
  await storage.start();
  muster = await OperationsApp.over(storage);
  await muster.run(addAccount, { name: 'api', type: 'csv', settings: { path: 'none.csv', hostname_field: 'host' } });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await muster.stop();
  await storage.stop();
});

/** The first call is done without an answer, the second one not done. */
function failTwice(name: 'saveLabels' | 'saveInventory'): void {
  const { hosts } = storage;
  const call = hosts[name].bind(hosts) as HostStore['saveLabels'];
  const away = () => new AppError('unavailable', 'The database does not answer. Try again shortly.');
  let tries = 0;
  vi.spyOn(hosts as Pick<HostStore, 'saveLabels'>, name as 'saveLabels').mockImplementation(async (write) => {
    tries++;
    if (tries === 2) throw away();
    const outcomes = await call(write);
    if (tries === 1) throw away();
    return outcomes;
  });
}

it('is saved, each host once', async () => {
  failTwice('saveLabels');
  const objects = [
    { hostname: 'web1', labels: { os: 'linux' } },
    { hostname: 'web2', labels: { os: 'linux' } },
  ];
  expect(await muster.run(saveHostsBulk, { account: 'api', objects })).toEqual({ status: 'saved 2', 'not-saved': [] });
  expect((await storage.hosts.get('web1', null))?.labels.value).toEqual({ os: 'linux' });
  expect(await storage.history.ofHost('web1', 9)).toHaveLength(1);
});

it('is saved where it is of inventories', async () => {
  await muster.run(saveHostsBulk, { account: 'api', objects: [{ hostname: 'web1', labels: {} }] });
  failTwice('saveInventory');
  const inventories = [{ hostname: 'web1', key: 'facts', inventory: { cpu: 2 } }];
  expect(await muster.run(saveInventoriesBulk, { inventories })).toMatchObject({ status: 'saved 1' });
  expect(await storage.history.ofHost('web1', 9)).toHaveLength(2);
});
