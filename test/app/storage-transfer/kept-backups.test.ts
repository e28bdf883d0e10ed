import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keepBackup } from '../../../src/app/backups/operations/keep-backup.ts';
import { listBackups } from '../../../src/app/backups/operations/list-backups.ts';
import { readBackup } from '../../../src/app/backups/operations/read-backup.ts';
import { verifyBackup } from '../../../src/app/backups/operations/verify-backup.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import { saveCronGroup } from '../../../src/app/runs/cron/operations/save-group.ts';
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

describe('doctor', () => {
  const found = async (app: OperationsApp) =>
    (await app.run(runDoctor, {})).findings.find(({ check }) => check === 'backups');

  it('says that there is no backup yet where they are kept, and nothing where nobody keeps any', async () => {
    expect(await found(await open({ BACKUP_DIR: '', DATA_DIR: await freshFolder() }))).toBeUndefined();
    expect(await found(await open())).toMatchObject({
      ok: true,
      warning: true,
      message: `there is no kept backup in ${folder} yet`,
      commands: ['muster storage keep-backup'],
    });
  });

  it('says of when the newest is, and that it was not found whole', async () => {
    const app = await open();
    const { file } = await app.run(keepBackup, {});
    const name = file.split('/').at(-1) ?? '';
    const sound = await found(app);
    expect(sound).toMatchObject({ ok: true, message: expect.stringMatching(/^the newest is of \d{4}-/) });
    expect(sound?.warning).toBeUndefined();
    await damage(name);
    await expect(app.run(verifyBackup, { file: name })).rejects.toThrow(/not what was written/);
    expect(await found(app)).toMatchObject({
      ok: false,
      message: expect.stringMatching(`^the newest, ${name}, was not found whole at .*: .*its checksum is another one`),
    });
  });

  it('says that the newest is older than the schedule makes them', async () => {
    await (await open()).run(keepBackup, {});
    const later = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) });
    const at = async (hours: number) => {
      const config = { BACKUP_DIR: folder, INSTANCE_KEY: Buffer.alloc(32, 7).toString('base64') };
      const app = await OperationsApp.over(storage, config, undefined, undefined, later(hours));
      onTestFinished(() => app.stop());
      return app;
    };
    expect((await found(await at(6 * 24)))?.warning).toBeUndefined();
    expect(await found(await at(8 * 24))).toMatchObject({ ok: true, warning: true });
    const jobs = [{ command: 'Backup' }];
    const settings = { name: 'nightly backup', enabled: true, interval_minutes: 1440, hours: null, jobs };
    await (await open()).run(saveCronGroup, { settings });
    expect((await found(await at(48)))?.warning).toBeUndefined();
    expect(await found(await at(50))).toMatchObject({
      warning: true,
      message: expect.stringMatching(/the cron group that makes them starts every 1,440 minutes$/),
    });
  });
});
