import { Collection } from 'mongodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Storage } from '../../../src/ports/index.ts';
import { minute, save } from '../../../src/testing/samples.ts';
import { openNoted, type SentCommand } from './commands.ts';
import { dropDatabase, freshUrl, openStorage } from './harness.ts';

let url: string;
let storage: Storage;
let sent: SentCommand[];
let other: Storage;

beforeEach(async () => {
  url = await freshUrl();
  ({ storage, sent } = await openNoted(url));
  other = openStorage(url);
  await other.start();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all([storage.stop(), other.stop()]);
  await dropDatabase(url);
});

it('MongoDB: what a write did is read in the session of the write', async () => {
  await save(storage.hosts, { alpha: { n: 1 }, beta: { n: 1 } }, { at: minute(1) });
  const { bulkWrite } = Collection.prototype;
  let isFirst = true;
  vi.spyOn(Collection.prototype, 'bulkWrite').mockImplementation(async function (this: Collection, ...request) {
    if (this.collectionName === 'hosts' && isFirst) {
      isFirst = false;
      // Another node is faster, so the write has to look which hosts it met.
      await save(other.hosts, { alpha: { n: 2 } }, { at: minute(2) });
    }
    return bulkWrite.apply(this, request);
  });
  sent.splice(0);
  expect(await save(storage.hosts, { alpha: { n: 3 }, beta: { n: 3 } }, { at: minute(3) })).toEqual([
    'updated',
    'updated',
  ]);
  const write = sent.findIndex(({ name, command }) => name === 'update' && command.update === 'hosts');
  const reading = sent.slice(write).find(({ name, command }) => name === 'find' && command.find === 'hosts');
  expect(reading?.command.projection).toEqual({ w: 1, change: 1 });
  expect(reading?.command.lsid).toBeDefined();
  expect(reading?.command.lsid).toEqual(sent[write]?.command.lsid);
  // On a replica set, where members may be behind each other.
  const isTold = sent[write]?.command.$clusterTime !== undefined;
  if (isTold) expect(reading?.command.readConcern).toMatchObject({ afterClusterTime: expect.anything() });
});

it('MongoDB: a session sends one command at a time, however many hosts are looked at', async () => {
  const hosts = (n: number) => Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`h${index}`, { n }]));
  await save(storage.hosts, hosts(1), { at: minute(1) });
  const { bulkWrite } = Collection.prototype;
  let isFirst = true;
  vi.spyOn(Collection.prototype, 'bulkWrite').mockImplementation(async function (this: Collection, ...request) {
    if (this.collectionName === 'hosts' && isFirst) {
      isFirst = false;
      await save(other.hosts, { h0: { n: 2 } }, { at: minute(2) });
    }
    return bulkWrite.apply(this, request);
  });
  sent.splice(0);
  await save(storage.hosts, hosts(3), { at: minute(3) });
  const looks = sent.filter(
    ({ command }) => command.find === 'hosts' && command.projection?.w === 1 && command.limit === undefined,
  );
  expect(looks.length).toBeGreaterThanOrEqual(5);
  expect(Math.max(...sent.map(({ ofSession }) => ofSession))).toBe(1);
});

it('MongoDB: hosts are written in order of their names, in whatever order they are given', async () => {
  const names = ['mu', 'alpha', 'zeta', 'beta', 'nu'];
  const write = (n: number) =>
    save(
      storage.hosts,
      names.map((name): [string, { n: number }] => [name, { n }]),
      { at: minute(n) },
    );
  sent.splice(0);
  await write(1);
  await write(2);
  const ofHosts = (wanted: string) => sent.filter(({ name, command }) => name === wanted && command[name] === 'hosts');
  const inserted = ofHosts('insert').flatMap(({ command }) => command.documents.map(({ _id }: { _id: string }) => _id));
  const updated = ofHosts('update').flatMap(({ command }) =>
    command.updates.map(({ q }: { q: { _id: string } }) => q._id),
  );
  expect(inserted).toEqual(names.toSorted());
  expect(updated).toEqual(names.toSorted());
});
