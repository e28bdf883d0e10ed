import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileSpools } from '../../../src/adapters/scratch/file-spool.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('gives back what was put there, in memory and on the disk', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(500), async (given, maxMemory) => {
      const spool = fileSpools({ maxMemory, maxDisk: 10_000, folder })();
      const places = [];
      for (const bytes of given) places.push(await spool.put(bytes));
      for (const [at, place] of places.entries()) expect([...(await spool.read(place))]).toEqual([...given[at]!]);
      await spool.close();
    }),
    { numRuns: 50 },
  );
});

test('what goes to the disk has no name there, and is not readable for who has the file', async () => {
  const open = fileSpools({ maxMemory: 0, maxDisk: 10_000, folder });
  const spool = open();
  const secret = Buffer.from('a password that nobody else may see');
  const places = [await spool.put(secret), await spool.put(secret)];
  expect(await readdir(folder)).toEqual([]);
  const raw: Buffer[] = [];
  for (const fd of await readdir('/proc/self/fd')) {
    const path = `/proc/self/fd/${fd}`;
    const target = await readlink(path).catch(() => '');
    if (target.startsWith(folder)) raw.push(await readFile(path));
  }
  const all = Buffer.concat(raw);
  expect(all.length).toBeGreaterThanOrEqual(2 * secret.length);
  expect(all.includes('password')).toBe(false);
  // Of two equal ones nobody sees that they are.
  expect(all.subarray(0, secret.length).equals(all.subarray(48, 48 + secret.length))).toBe(false);
  for (const place of places) expect(Buffer.from(await spool.read(place)).equals(secret)).toBe(true);
  await spool.close();
});

test('memory is shared by all, and given back', async () => {
  const open = fileSpools({ maxMemory: 100, maxDisk: 10_000, folder });
  const [one, two] = [open(), open()];
  const place = await one.put(Buffer.alloc(80));
  await two.put(Buffer.alloc(80));
  expect([one.held, two.held]).toEqual([
    { memory: 80, disk: 0 },
    { memory: 0, disk: 80 },
  ]);
  one.drop(place);
  await two.put(Buffer.alloc(80));
  expect(two.held).toEqual({ memory: 80, disk: 80 });
  // Whoever still has the place reads it to the end.
  expect((await one.read(place)).length).toBe(80);
  await Promise.all([one.close(), two.close()]);
  await open().put(Buffer.alloc(100));
});

test('says when there is no room, and when it is closed', async () => {
  const spool = fileSpools({ maxMemory: 0, maxDisk: 100, folder })();
  await spool.put(Buffer.alloc(90));
  await expect(spool.put(Buffer.alloc(90))).rejects.toMatchObject({ code: 'too_large' });
  await spool.close();
  await spool.close();
  await expect(spool.put(Buffer.alloc(1))).rejects.toMatchObject({ code: 'cancelled' });
  const nowhere = fileSpools({ maxMemory: 0, maxDisk: 100, folder: join(folder, 'missing') })();
  await expect(nowhere.put(Buffer.alloc(1))).rejects.toThrow();
  await nowhere.close();
});
