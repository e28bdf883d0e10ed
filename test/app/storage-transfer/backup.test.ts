import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { restoreBackup } from '../../../src/app/backups/restore-backup.ts';
import { writeBackup } from '../../../src/app/backups/write-backup.ts';
import { readMarker } from '../../../src/app/maintenance/transfer/unfinished-transfer.ts';
import { type Storage, TRANSFER_PARTS } from '../../../src/ports/index.ts';
import { minute, save, saveNames } from '../../../src/testing/samples.ts';
import { fillStorage, storedParts } from '../../../src/testing/stored-samples.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { failingAtWrite, fillHosts, freshFolder, freshMemory, freshSqlite } from './support.ts';

const quiet = { signal: new AbortController().signal, progress: () => undefined };

function backUp(storage: Storage, file: string, options: { signal?: AbortSignal; progress?: () => void } = {}) {
  return writeBackup(storage, file, { productVersion: '1.2.3', createdAt: minute(0), ...quiet, ...options });
}

function restore(file: string, storage: Storage, force = false) {
  return restoreBackup(file, storage, { ...quiet, force });
}

async function filledBackup(): Promise<{ file: string; folder: string; storage: Storage }> {
  const storage = await freshMemory();
  await fillStorage(storage);
  const folder = await freshFolder();
  const file = join(folder, 'backup.gz');
  await backUp(storage, file);
  return { file, folder, storage };
}

describe('a backup', () => {
  it('holds everything, for its owner alone, and restores it into any store', async () => {
    const { file, folder, storage } = await filledBackup();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['backup.gz']);
    const target = await freshSqlite();
    const report = await restore(file, target);
    expect(report).toMatchObject({ product: '1.2.3', created: minute(0).toISOString(), resumed: false });
    expect(report.parts.map(({ part }) => part)).toEqual([...TRANSFER_PARTS]);
    expect(await storedParts(target)).toEqual(await storedParts(storage));
    const { storage: mongodb, close } = await createStorage();
    try {
      await restore(file, mongodb);
      expect(await storedParts(mongodb)).toEqual(await storedParts(storage));
      const again = join(folder, 'again.gz');
      await backUp(mongodb, again);
      const content = (path: string) => readFile(path).then((bytes) => gunzipSync(bytes).toString());
      expect(await content(again)).toBe(await content(file));
    } finally {
      await close();
    }
  });

  it('is one state, although others go on writing', async () => {
    const storage = await freshSqlite();
    await fillHosts(storage, 3_000);
    const before = await storedParts(storage, 1000);
    const file = join(await freshFolder(), 'backup.gz');
    const writes: Promise<unknown>[] = [];
    const progress = () => {
      const name = `late-${writes.length}`;
      writes.push(save(storage.hosts, { [name]: {}, 'host-9': { name } }, { at: minute(writes.length + 10) }));
    };
    await backUp(storage, file, { progress });
    await Promise.all(writes);
    expect(writes.length).toBeGreaterThan(3);
    const target = await freshSqlite();
    await restore(file, target);
    expect(await storedParts(target, 1000)).toEqual(before);
  });

  it('takes the place of an older backup only when it is complete, and of nothing else ever', async () => {
    const { file, folder, storage } = await filledBackup();
    const old = await readFile(file);
    const stopped = AbortSignal.abort();
    await expect(backUp(storage, file, { signal: stopped })).rejects.toThrow(/abort/);
    expect(await readFile(file)).toEqual(old);
    await saveNames(storage.hosts, ['new']);
    await backUp(storage, file);
    expect(await readFile(file)).not.toEqual(old);
    const database = join(folder, 'muster.db');
    await writeFile(database, 'precious');
    await expect(backUp(storage, database)).rejects.toMatchObject({ code: 'conflict' });
    expect(await readFile(database, 'utf8')).toBe('precious');
    await expect(backUp(storage, join(folder, 'missing', 'x.gz'))).rejects.toMatchObject({ code: 'failed' });
    expect((await readdir(folder)).sort()).toEqual(['backup.gz', 'muster.db']);
  });
});

/** Whether a compressed file is still read as this text. */
function isReadAs(bytes: Uint8Array, text: string): boolean {
  try {
    return gunzipSync(bytes).toString() === text;
  } catch {
    return false;
  }
}

describe('a restore', () => {
  it('refuses a damaged file before it touches anything', async () => {
    const { file, folder } = await filledBackup();
    const target = await freshMemory();
    await saveNames(target.hosts, ['mine']);
    const before = await storedParts(target);
    const bytes = await readFile(file);
    const text = gunzipSync(bytes).toString();
    const lines = text.split('\n');
    const refused = async (content: string | Uint8Array, reason: RegExp) => {
      const damaged = join(folder, 'damaged.gz');
      await writeFile(damaged, content);
      await expect(restore(damaged, target, true), String(reason)).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringMatching(reason),
      });
    };
    for (let at = 10; at < bytes.length; at += 37) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      // Some bits of a compressed file mean nothing, such as those that fill its last byte.
      if (!isReadAs(flipped, text)) await refused(flipped, /damaged|not a backup|truncated/);
      await refused(bytes.subarray(0, at), /truncated|not a backup|too long/);
    }
    await refused(Buffer.concat([bytes, Buffer.from('something')]), /damaged/);
    await refused(Buffer.concat([bytes, bytes]), /damaged|not a record/);
    await refused(gzipSync(lines.toSpliced(5, 1).join('\n')), /checksum/);
    await refused(gzipSync(text.replace('linux', 'windows')), /checksum/);
    await refused(gzipSync(lines.slice(0, -2).join('\n')), /truncated/);
    await refused(gzipSync(`${lines.slice(0, -2).join('\n')}\n`), /end is missing/);
    await refused(gzipSync(`${lines[0]}\n`), /no end/);
    await refused(gzipSync(text.replace('"version":1,', '"version":2,')), /format 2/);
    const unknown = ['{"part":"tickets","key":"1","value":{}}', ...lines.slice(1)];
    await refused(gzipSync([lines[0], ...unknown].join('\n')), /damaged: a line is not a record/);
    const newer = lines[0]?.replace('"parts":[', '"parts":["tickets",');
    await refused(gzipSync([newer, ...unknown].join('\n')), /contains tickets, which .*; use Muster .* or newer/);
    await refused('', /empty|truncated/);
    await refused('{"rules":{}}', /not a backup/);
    await refused(gzipSync('{"rules":{}}\n'), /not a backup/);
    await expect(restore(join(folder, 'missing.gz'), target)).rejects.toThrow(/does not exist/);
    expect(await storedParts(target)).toEqual(before);
  });

  it('takes a file that was written before there were states of cron groups', async () => {
    const { file, folder, storage } = await filledBackup();
    const wanted = { ...(await storedParts(storage)), cron_states: [] };
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
    const kept = lines.slice(0, -1).filter((line) => !line.startsWith('{"part":"cron_states"'));
    expect(kept.length).toBe(lines.length - 4);
    const body = `${kept.join('\n').replace(',"cron_states"', '')}\n`;
    expect(body).not.toContain('cron_states');
    const { cron_states: _, ...counts } = JSON.parse(lines.at(-1) ?? '').counts;
    const sha256 = createHash('sha256').update(body).digest('hex');
    const old = join(folder, 'old.gz');
    await writeFile(old, gzipSync(`${body}${JSON.stringify({ counts, sha256 })}\n`));
    const target = await freshSqlite();
    const report = await restore(old, target);
    expect(report.parts.map(({ part, count }) => [part, count])).toContainEqual(['cron_states', 0]);
    expect(await storedParts(target)).toEqual(wanted);
    const { rules, ...others } = counts;
    expect(rules).toBeGreaterThan(0);
    await writeFile(old, gzipSync(`${body}${JSON.stringify({ counts: others, sha256 })}\n`));
    await expect(restore(old, target, true)).rejects.toMatchObject({ code: 'failed' });
  });

  it('refuses a storage that holds something, unless it may be deleted', async () => {
    const { file, storage } = await filledBackup();
    const target = await freshSqlite();
    await saveNames(target.hosts, ['mine']);
    await expect(restore(file, target)).rejects.toMatchObject({ code: 'conflict' });
    expect(await target.transfer.count('hosts')).toBe(1);
    await restore(file, target, true);
    expect(await storedParts(target)).toEqual(await storedParts(storage));
  });

  it('finishes what was cut off at any write', async () => {
    const { file, folder, storage } = await filledBackup();
    const wanted = await storedParts(storage);
    for (let number = 1; number <= TRANSFER_PARTS.length; number++) {
      const target = await freshMemory();
      await expect(restore(file, failingAtWrite(target, number))).rejects.toThrow('cut off');
      expect(await readMarker(target)).toMatchObject({ kind: 'restore', state: 'copying' });
      await expect(backUp(target, join(folder, 'half.gz'))).rejects.toMatchObject({ code: 'conflict' });
      expect(await restore(file, target)).toMatchObject({ resumed: true });
      expect(await storedParts(target)).toEqual(wanted);
    }
  });
});
