import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { aesGcmSecretBox } from '../../../src/adapters/secrets/aes-gcm-secret-box.ts';
import { fixedInstanceKey } from '../../../src/adapters/secrets/instance-key-file.ts';
import { restoreBackup } from '../../../src/app/backups/restore-backup.ts';
import { scheduledBackup } from '../../../src/app/backups/scheduled-backup.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { fillStorage, storedParts } from '../../../src/testing/stored-samples.ts';
import { openSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { failingAtWrite, fillHosts, freshFolder, freshMemory } from './support.ts';

const quiet = { signal: new AbortController().signal, progress: () => undefined };
const sealOf = (byte: number) => aesGcmSecretBox({ keys: fixedInstanceKey(() => Buffer.alloc(32, byte)) });

let storage: Storage;
let folder: string;
let minutes: number;

beforeEach(async () => {
  storage = await freshMemory();
  await fillStorage(storage);
  folder = join(await freshFolder(), 'backups');
  minutes = 0;
});

function keep(more: { keep?: number; encrypt?: boolean; open?: (url: string) => Promise<Storage> } = {}) {
  return scheduledBackup(storage, {
    ...quiet,
    productVersion: '1.2.3',
    createdAt: new Date(Date.now() + 60_000 * minutes++),
    folder,
    keep: more.keep ?? 2,
    encrypt: more.encrypt ?? false,
    seal: sealOf(1),
    openStorage: more.open ?? ((url) => openSqlite(url.slice('sqlite:'.length))),
  });
}

/** What is in the folder, but for the notes beside the backups. */
async function withoutNotes(): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !name.endsWith('.gz.json'));
}

describe('a backup by schedule', () => {
  it('is there when it was restored, for its owner alone, and the oldest go', async () => {
    const first = await keep();
    expect([first.kept, first.removed]).toEqual([1, []]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await writeFile(join(folder, 'mine.gz'), 'not ours');
    await keep();
    const third = await keep();
    expect(third.kept).toBe(2);
    expect(third.removed).toEqual([first.file.split('/').at(-1)]);
    expect((await readdir(folder)).filter((name) => !name.startsWith('muster-'))).toEqual(['mine.gz']);
    const target = await freshMemory();
    await restoreBackup(third.file, target, { ...quiet, force: false });
    expect(await storedParts(target)).toEqual(await storedParts(storage));
  });

  it('keeps the one it has just written when a wrong clock gave others names of a time to come', async () => {
    minutes = 10_000;
    await keep();
    await keep();
    minutes = 0;
    const { file, kept, removed } = await keep();
    expect([kept, removed.length]).toEqual([2, 1]);
    expect(await readdir(folder)).toContain(file.split('/').at(-1));
  });

  it('is not written when what is stored is damaged', async () => {
    const { file } = await keep();
    const check = async function* () {
      yield { subject: 'database', message: 'page 7 is damaged', fixed: false };
    };
    storage = { ...storage, check };
    await expect(keep({ keep: 1 })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('page 7 is damaged'),
    });
    expect(await withoutNotes()).toEqual([file.split('/').at(-1)]);
  });

  it('leaves all that are there, and nothing of itself, when it cannot be restored', async () => {
    await keep();
    const before = await readdir(folder);
    const open = async (url: string) => failingAtWrite(await openSqlite(url.slice('sqlite:'.length)), 2);
    await expect(keep({ keep: 1, open })).rejects.toThrow();
    expect(await readdir(folder)).toEqual(before);
  });

  it('takes away what a killed one left, a day later', async () => {
    await mkdir(join(folder, 'verifying-abcdef'), { recursive: true });
    await writeFile(join(folder, 'muster-20260101T000000000Z.gz.unverified'), 'x');
    await keep();
    expect(await withoutNotes()).toHaveLength(3);
    for (const name of ['verifying-abcdef', 'muster-20260101T000000000Z.gz.unverified']) {
      await utimes(join(folder, name), new Date(0), new Date(0));
    }
    await keep();
    expect((await withoutNotes()).every((name) => /^muster-\d{8}T\d{9}Z\.gz$/.test(name))).toBe(true);
  });
});

describe('an encrypted backup', () => {
  it('shows nothing of what is stored, and opens under its key alone', async () => {
    await fillHosts(storage, 3_000);
    const { file } = await keep({ encrypt: true });
    const bytes = await readFile(file);
    // How gzip begins, without a time: so long that chance does not make it.
    const beginning = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]);
    expect(bytes.includes(beginning)).toBe(false);
    const { file: plain } = await keep({ encrypt: false });
    expect((await readFile(plain)).includes(beginning)).toBe(true);
    const target = await freshMemory();
    await restoreBackup(file, target, { ...quiet, force: false, seal: () => sealOf(1) });
    expect(await storedParts(target)).toEqual(await storedParts(storage));
    const restore = (seal?: () => ReturnType<typeof sealOf>) =>
      restoreBackup(file, target, { ...quiet, force: true, ...(seal === undefined ? {} : { seal }) });
    await expect(restore(() => sealOf(2))).rejects.toThrow(/another instance key/);
    await expect(restore()).rejects.toThrow(/no instance key/);
    expect(await storedParts(target)).toEqual(await storedParts(storage));
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['cut at a piece', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf(0x0a) + 1 + 64 * 1024 + 16)],
    ['changed', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -20), Buffer.from([1]), bytes.subarray(-19)])],
    ['without its last piece', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf(0x0a) + 1)],
  ])('is refused when it is %s', async (_what, damage) => {
    await fillHosts(storage, 3_000);
    const { file } = await keep({ encrypt: true });
    await writeFile(file, damage(await readFile(file)));
    const target = await freshMemory();
    const restored = restoreBackup(file, target, { ...quiet, force: false, seal: () => sealOf(1) });
    await expect(restored).rejects.toThrow(/truncated or was changed/);
    expect(await storedParts(target)).toEqual(await storedParts(await freshMemory()));
  });
});
