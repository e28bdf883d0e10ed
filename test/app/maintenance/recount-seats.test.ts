import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { archiveHost } from '../../../src/app/hosts/operations/archive-hosts.ts';
import { recountSeats } from '../../../src/app/maintenance/operations/recount-seats.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { PluginWorld } from '../../security/support/plugin-world.ts';
import { STORES } from '../../security/support/two-stores.ts';
import type { OperationsApp } from '../operations/operations-app.ts';

describe.each(STORES)('%s: seats of folder pools', (_store, create) => {
  let world: PluginWorld;
  let muster: OperationsApp;

  beforeEach(async () => {
    world = await PluginWorld.create(create);
    muster = await world.program({ CMDB_MODE: true });
    await muster.addAccounts('crm');
    const host = (hostname: string, folder: string, more: object = {}) => ({
      hostname,
      account: 'crm',
      labels: {},
      folder,
      ...more,
    });
    const pool = (folder_name: string, more: object = {}) => ({ folder_name, folder_seats: 10, note: 'kept', ...more });
    await muster.run(importRules, {
      rules: {
        host_objects: [
          host('a1', '/a'),
          host('a2', '/a'),
          host('a3', '/a', { lifecycle_state: 'planned' }),
          host('a4', '/a', { archived: { by: 'operator' } }),
          host('b1', '/b'),
          host('x1', '/no pool'),
        ],
        cmk_folder_pool: [
          pool('/a', { folder_seats_taken: 7 }),
          pool('/b', { folder_seats_taken: 1 }),
          pool('/empty', { folder_seats_taken: 3 }),
          pool('/new'),
        ],
      },
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await world.close();
  });

  const taken = async () =>
    Object.fromEntries(
      (await muster.storage.rules.list('cmk_folder_pool')).map(({ document: { value } }) => [
        value.folder_name,
        value.folder_seats_taken,
      ]),
    );

  it('are those of the active hosts in the folder, and what is right is not written', async () => {
    const before = await muster.storage.rules.list('cmk_folder_pool');
    expect(await muster.run(recountSeats, {})).toEqual({ pools: 4, corrected: 2, unsettled: 0 });
    expect(await taken()).toEqual({ '/a': 2, '/b': 1, '/empty': 0, '/new': undefined });
    const after = new Map((await muster.storage.rules.list('cmk_folder_pool')).map((pool) => [pool.id, pool]));
    for (const { id, version, document } of before) {
      const { folder_name } = document.value;
      const isCorrected = folder_name === '/a' || folder_name === '/empty';
      expect([folder_name, after.get(id)?.version]).toEqual([folder_name, version + (isCorrected ? 1 : 0)]);
      expect(after.get(id)?.document.value).toMatchObject({ note: 'kept' });
    }
    expect(await muster.run(recountSeats, {})).toEqual({ pools: 4, corrected: 0, unsettled: 0 });
  });

  it('are right also when a host gives its seat back meanwhile', async () => {
    const { scan } = muster.storage.hosts;
    let isFirst = true;
    vi.spyOn(muster.storage.hosts, 'scan').mockImplementation(async function* (...args) {
      yield* scan.apply(muster.storage.hosts, args);
      if (!isFirst) return;
      isFirst = false;
      await muster.run(archiveHost, { hostname: 'a1' });
    });
    expect(await muster.run(recountSeats, {})).toEqual({ pools: 4, corrected: 2, unsettled: 0 });
    expect(await taken()).toMatchObject({ '/a': 1, '/b': 1, '/empty': 0 });
  });
});
