import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { listAccounts } from '../../src/app/accounts/operations/list-accounts.ts';
import { listAccountFiles } from '../../src/app/accounts/operations/list-files.ts';
import { uploadFile } from '../../src/app/accounts/operations/upload-file.ts';
import { tryAccount } from '../../src/app/preview/operations/try-account.ts';
import { tryImport } from '../../src/app/preview/operations/try-import.ts';
import { searchHosts } from '../../src/app/search/operations/search-hosts.ts';
import { FileWorld } from './support/file-world.ts';

let world: FileWorld;
beforeEach(async () => {
  world = await FileWorld.create(async () => {
    const storage = memoryStorage()();
    await storage.start();
    return { storage, close: () => storage.stop() };
  });
});
afterEach(() => world.close());

const run: FileWorld['muster']['run'] = (...args) => world.muster.run(...args);

function csv(path: string, settings: Record<string, string> = {}) {
  return { name: 'datacentre', type: 'csv', settings: { path, ...settings } };
}

/** What is answered, or said instead of an answer. */
async function triedBoth(input: { name: string; type: string; settings: Record<string, string> }): Promise<string[]> {
  const both = [run(tryAccount, input, world.administrator), run(tryImport, input, world.administrator)];
  return Promise.all(
    both.map((answer) =>
      answer.then(
        (value) => JSON.stringify(value),
        (error: Error) => error.message,
      ),
    ),
  );
}

describe('an account that is not stored yet', () => {
  it('is tried and run dry, and nothing of it stays', async () => {
    const { administrator } = world;
    const path = world.at('data/imports/hosts.csv');
    expect(await run(tryAccount, csv(path), administrator)).toMatchObject({
      columns: ['host', 'site'],
      hostname_field: 'host',
      problem: null,
      records: [{ hostname: 'honest01', labels: { site: 'berlin' } }],
    });
    const report = await run(tryImport, csv(path, { owned_labels: '!site' }), administrator);
    expect(report).toMatchObject({ status: 'done', summary: { created: 1 } });
    expect((await run(listAccounts, {}, administrator)).accounts.map(({ name }) => name)).not.toContain('datacentre');
    expect((await run(searchHosts, {}, administrator)).hosts).toEqual([]);
  });

  it('says its columns where the one with the hostname is still to be chosen', async () => {
    await world.write('data/imports/devices.csv', 'device;rack\nweb01;r7\n');
    const path = world.at('data/imports/devices.csv');
    const tried = await run(tryAccount, csv(path), world.administrator);
    expect(tried).toMatchObject({ columns: ['device', 'rack'], records: [] });
    expect(tried.problem).toContain('has no column "host"');
    const chosen = await run(tryAccount, csv(path, { hostname_field: 'rack' }), world.administrator);
    expect(chosen.records).toMatchObject([{ hostname: 'r7', labels: { device: 'web01' } }]);
  });

  it('reads no file that it could not read once it is stored, and tells nothing of one', async () => {
    for (const path of ['elsewhere/secrets', 'data/instance.key', 'data/imports/link', 'data/imports/key']) {
      for (const said of await triedBoth(csv(world.at(path)))) {
        expect(said, path).toMatch(/outside the folders|belongs to the service itself/);
        expect(said, path).not.toContain('c0ffee');
      }
    }
    expect(await world.told()).not.toContain('c0ffee');
  });

  it('is refused with what is wrong, as it would be when it is stored', async () => {
    const { administrator } = world;
    await expect(run(tryAccount, csv('x.csv', { colour: 'red' }), administrator)).rejects.toThrow(/colour/);
    await expect(run(tryAccount, { name: 'x', type: 'api' }, administrator)).rejects.toThrow(/nothing to import/);
  });

  it('leaves nothing of a secret that was typed in what is said and noted', async () => {
    const input = {
      name: 'netbox',
      type: 'netbox',
      settings: { address: 'http://127.0.0.1:9', token: 'hunter2-typed' },
      password: 'hunter2-typed',
    };
    for (const said of await triedBoth(input)) {
      expect(said).not.toContain('hunter2');
    }
    const told = await world.told();
    expect(told).toContain('accounts/try-account');
    expect(told).not.toContain('hunter2');
  });
});

describe('records without a name', () => {
  it('show what they have, for who chooses the member with the hostname', async () => {
    const { administrator } = world;
    const text = JSON.stringify([{ device: 'web01', rack: { name: 'A1' } }]);
    const { path } = await run(uploadFile, { name: 'dc', end: 'json', text }, administrator);
    const tried = await run(tryAccount, { name: 'dc', type: 'json', settings: { path } }, administrator);
    const problem = 'has no name: "host" is missing';
    expect(tried.records).toEqual([
      { position: 'record 1', name: '', problem, labels: { device: 'web01', 'rack.name': 'A1' } },
    ]);
  });
});

describe('a file that is uploaded', () => {
  it('is a new one, which accounts can read', async () => {
    const { administrator } = world;
    const kept = { name: 'datacentre', end: 'csv', text: 'host,site\nweb01,berlin\n' } as const;
    const [one, other] = [await run(uploadFile, kept, administrator), await run(uploadFile, kept, administrator)];
    expect(one.path).toMatch(/imports\/datacentre-[0-9a-f]{6}\.csv$/);
    expect(one.path).not.toBe(other.path);
    const tried = await run(tryAccount, csv(one.path), administrator);
    expect(tried.records).toMatchObject([{ hostname: 'web01' }]);
  });

  it('takes the place of the one that an account reads, and of no file that somebody put there', async () => {
    const { administrator } = world;
    const text = 'host,site\nweb01,berlin\n';
    const { path } = await run(uploadFile, { name: 'dc', end: 'csv', text }, administrator);
    await run(addAccount, { ...csv(path), name: 'uploaded' }, administrator);
    const newer = { name: 'x', end: 'csv', text: 'host,site\nweb02,paris\n' } as const;
    expect(await run(uploadFile, { ...newer, replaces: 'uploaded' }, administrator)).toEqual({ path });
    expect((await run(tryAccount, csv(path), administrator)).records).toMatchObject([{ hostname: 'web02' }]);
    const own = world.at('data/imports/hosts.csv');
    await run(addAccount, { ...csv(own), name: 'placed' }, administrator);
    await expect(run(uploadFile, { ...newer, replaces: 'placed' }, administrator)).rejects.toThrow(
      /reads no file that was uploaded/,
    );
  });

  it('has no name that leads elsewhere', async () => {
    for (const name of ['../x', 'a/b', '.hidden', '']) {
      await expect(run(uploadFile, { name, end: 'csv', text: 'x' }, world.administrator)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    await expect(run(uploadFile, { name: 'x', end: 'sh' as 'csv', text: 'x' }, world.administrator)).rejects.toThrow();
  });
});

describe('all uploaded files together', () => {
  it('take no more than is configured, and what the operator put there does not count', async () => {
    const { administrator } = world;
    const { config } = world.muster.app.services;
    Object.assign(config, { UPLOADED_FILES_MAX_BYTES: 2_500 });
    await world.write('data/imports/large.csv', 'x'.repeat(10_000));
    const upload = () => run(uploadFile, { name: 'dc', end: 'csv', text: 'x'.repeat(1_000) }, administrator);
    const ended = await Promise.allSettled([upload(), upload(), upload(), upload()]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await expect(upload()).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/delete those that no account reads from .*imports.*UPLOADED_FILES_MAX_BYTES/),
    });
    const { sources, of_one_node } = await run(listAccountFiles, {}, administrator);
    expect(of_one_node).toBe(false);
    expect(sources.flatMap(({ files }) => files).filter((path) => /dc-[0-9a-f]{6}\.csv$/.test(path))).toHaveLength(2);
  });
});

describe('the files that accounts can read', () => {
  it('are named, and no others, to administrators', async () => {
    await world.write('data/imports/.hidden.csv', 'host\n');
    await world.write('data/imports/below/inner.csv', 'host\n');
    const { sources, targets } = await run(listAccountFiles, {}, world.administrator);
    const named = sources.flatMap(({ files }) => files);
    expect(named.some((path) => path.endsWith('imports/hosts.csv'))).toBe(true);
    expect(named.filter((path) => /hidden|inner|secrets|instance/.test(path))).toEqual([]);
    expect(sources.every(({ problem, more }) => problem === null && more === 0)).toBe(true);
    expect(targets.some((path) => path.endsWith('exports'))).toBe(true);
    // Each can be given to an account as it is named.
    const path = named.find((each) => each.endsWith('hosts.csv')) ?? '';
    expect((await run(tryAccount, csv(path), world.administrator)).records).toMatchObject([{ hostname: 'honest01' }]);
    const other = await world.muster.addCaller('rita', { roles: ['rules'] });
    await expect(run(listAccountFiles, {}, other)).rejects.toMatchObject({ code: 'role_missing' });
  });
});
