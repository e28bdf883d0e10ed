import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { keepBackup } from '../../../src/app/maintenance/operations/keep-backup.ts';
import { listBackups } from '../../../src/app/maintenance/operations/list-backups.ts';
import { readBackup } from '../../../src/app/maintenance/operations/read-backup.ts';
import { verifyBackup } from '../../../src/app/maintenance/operations/verify-backup.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { fillStorage } from '../../../src/testing/stored-samples.ts';
import { OPERATOR, OperationsApp } from '../operations/operations-app.ts';
import { freshFolder, freshMemory } from './support.ts';

const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
let storage: Storage;
let folder: string;

beforeEach(async () => {
  storage = await freshMemory();
  await fillStorage(storage);
  folder = join(await freshFolder(), 'backups');
});

async function open(config: Record<string, unknown> = {}): Promise<OperationsApp> {
  const opened = await OperationsApp.over(storage, {
    BACKUP_DIR: folder,
    INSTANCE_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...config,
  });
  onTestFinished(() => opened.stop());
  return opened;
}

async function bytesOf(app: OperationsApp, file: string, caller: Caller = OPERATOR): Promise<Buffer> {
  const { body } = await app.app.executor.stream(readBackup, { kind: 'value', value: { file } }, caller);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Overwrites a byte in the middle. */
async function damage(file: string): Promise<void> {
  const bytes = await readFile(join(folder, file));
  const place = bytes.length >> 1;
  bytes.writeUInt8((bytes.readUInt8(place) + 1) % 256, place);
  await writeFile(join(folder, file), bytes);
}

describe('kept backups', () => {
  it('are listed with what they are, the newest first; none where there is no folder', async () => {
    const app = await open();
    expect(await app.run(listBackups, {})).toEqual({ folder, keep: 14, encryption: 'none', backups: [] });
    const first = await app.run(keepBackup, {});
    const sealed = await open({ BACKUP_ENCRYPTION: 'instance-key' });
    await sealed.run(keepBackup, {});
    const { backups, encryption } = await sealed.run(listBackups, {});
    expect(encryption).toBe('instance-key');
    expect(backups.map(({ encryption: how }) => how)).toEqual(['instance-key', 'none']);
    expect(backups[1]).toMatchObject({
      file: first.file.split('/').at(-1),
      bytes: first.bytes,
      file_sha256: first.file_sha256,
      records: Object.values(first.counts).reduce((sum, count) => sum + count, 0),
      verified_at: null,
      failed_at: null,
    });
    expect(Date.now() - Date.parse(backups[1]?.written_at ?? '')).toBeLessThan(60_000);
  });

  it.each([
    ['none', {}, 'content'],
    ['instance-key', {}, 'content'],
    ['age', { BACKUP_RECIPIENTS: [RECIPIENT] }, 'checksum'],
  ])('of encryption %s are verified, and a changed byte is found and noted', async (encryption, more, by) => {
    const app = await open({ BACKUP_ENCRYPTION: encryption, ...more });
    const file = (await app.run(keepBackup, {})).file.split('/').at(-1) as string;
    const verified = await app.run(verifyBackup, { file });
    expect(verified).toMatchObject({ file, by });
    expect((await app.run(listBackups, {})).backups[0]).toMatchObject({
      encryption,
      records: verified.records,
      verified_at: verified.verified_at,
    });
    await damage(file);
    await expect(app.run(verifyBackup, { file })).rejects.toMatchObject({ code: 'failed' });
    expect((await app.run(listBackups, {})).backups[0]).toMatchObject({
      verified_at: null,
      failed_at: expect.any(String),
      failure: expect.stringContaining('checksum'),
    });
  });

  it('without a note are those of an earlier version: read where they can be opened', async () => {
    const app = await open();
    const file = (await app.run(keepBackup, {})).file.split('/').at(-1) as string;
    await rm(join(folder, `${file}.json`));
    expect((await app.run(listBackups, {})).backups[0]).toMatchObject({ records: null, file_sha256: null });
    const { records } = await app.run(verifyBackup, { file });
    expect((await app.run(listBackups, {})).backups[0]).toMatchObject({ records, file_sha256: expect.any(String) });
  });

  it('go with their notes, and a note whose backup was taken away goes too', async () => {
    const app = await open({ BACKUP_KEEP: 1 });
    const first = (await app.run(keepBackup, {})).file.split('/').at(-1) as string;
    const second = (await app.run(keepBackup, {})).file.split('/').at(-1) as string;
    expect((await readdir(folder)).sort()).toEqual([second, `${second}.json`]);
    await writeFile(join(folder, `${first}.json`), '{}');
    await rm(join(folder, second));
    const third = (await app.run(keepBackup, {})).file.split('/').at(-1) as string;
    expect((await readdir(folder)).sort()).toEqual([third, `${third}.json`]);
  });

  it('are downloaded as they are, and kept in the audit log', async () => {
    const app = await open();
    const file = (await app.run(keepBackup, {})).file.split('/').at(-1) as string;
    expect((await bytesOf(app, file)).equals(await readFile(join(folder, file)))).toBe(true);
    await expect(bytesOf(app, file, { ...OPERATOR, readOnly: true })).rejects.toMatchObject({ code: 'read_only' });
    const entries = () => storage.audit.latest({ limit: 10, operation: 'storage/read-backup' });
    await expect
      .poll(async () => (await entries()).map(({ outcome }) => outcome).sort())
      .toEqual(['done', 'read_only']);
    expect((await entries()).map(({ subject }) => subject)).toEqual([file, file]);
  });

  it('are nothing else than what has such a name in that folder', async () => {
    const app = await open();
    await app.run(keepBackup, {});
    const link = 'muster-20260101T000000000Z.gz';
    await symlink('/etc/hostname', join(folder, link));
    for (const file of ['../backups', '/etc/hostname', 'muster-20250101T000000000Z.gz', link, `${link}.json`]) {
      await expect(bytesOf(app, file)).rejects.toMatchObject({ code: 'not_found' });
      await expect(app.run(verifyBackup, { file })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await app.run(listBackups, {})).backups).toHaveLength(1);
  });
});
