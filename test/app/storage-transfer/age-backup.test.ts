import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { beforeEach, describe, expect, it } from 'vitest';
import { identitiesIn } from '../../../src/app/backups/age-file.ts';
import { requireBackup } from '../../../src/app/backups/read-backup.ts';
import { restoreBackup } from '../../../src/app/backups/restore-backup.ts';
import { scheduledBackup } from '../../../src/app/backups/scheduled-backup.ts';
import { writeBackup } from '../../../src/app/backups/write-backup.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { fillStorage, storedParts } from '../../../src/testing/stored-samples.ts';
import { openSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { fillHosts, freshFolder, freshMemory } from './support.ts';

const quiet = { signal: new AbortController().signal, progress: () => undefined };
const written = { ...quiet, productVersion: '1.2.3', createdAt: new Date('2026-03-01T12:00:00Z') };

let storage: Storage;
let folder: string;
let identity: string;
let recipient: string;

beforeEach(async () => {
  storage = await freshMemory();
  await fillStorage(storage);
  folder = await freshFolder();
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
});

async function restored(file: string, identities: readonly string[]) {
  const target = await freshMemory();
  await restoreBackup(file, target, { ...quiet, force: false, identities });
  return storedParts(target);
}

const backUp = (name = 'muster.gz.age') =>
  writeBackup(storage, join(folder, name), { ...written, recipients: [recipient] });

describe('a backup for recipients', () => {
  it('is opened by the identity of any of them, and by no other', async () => {
    const second = await generateX25519Identity();
    const recipients = [recipient, await identityToRecipient(second)];
    const { file } = await writeBackup(storage, join(folder, 'muster.gz.age'), { ...written, recipients });
    const before = await storedParts(storage);
    expect(await restored(file, [identity])).toEqual(before);
    expect(await restored(file, [second])).toEqual(before);
    await expect(restored(file, [await generateX25519Identity()])).rejects.toThrow(
      /none of the given identities opens/,
    );
    await expect(restored(file, [])).rejects.toThrow(/--identity/);
  });

  it('is what other programs read as age', async () => {
    const { file } = await backUp();
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const plain = await decrypter.decrypt(await readFile(file));
    expect(Buffer.from(plain).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });

  it('is refused when anything of it was changed or cut off, before anything is touched', async () => {
    await fillHosts(storage, 500);
    const { file } = await backUp();
    const whole = await readFile(file);
    const target = await freshMemory();
    for (const place of [whole.length - 1, whole.length - 2_000, 150]) {
      const damaged = Buffer.from(whole);
      damaged[place] = (damaged[place] ?? 0) ^ 1;
      await writeFile(file, damaged);
      await expect(restoreBackup(file, target, { ...quiet, force: false, identities: [identity] })).rejects.toThrow(
        /was changed|none of the given/,
      );
    }
    await writeFile(file, whole.subarray(0, whole.length - 20));
    await expect(restored(file, [identity])).rejects.toThrow(/truncated/);
    expect(await storedParts(target)).toEqual(await storedParts(await freshMemory()));
  });

  it('is replaced by a newer one, and no other file of age is', async () => {
    const { file } = await backUp();
    await backUp();
    await requireBackup(file);
    const foreign = (await readFile(file, 'latin1')).replace('-> muster-backup', '-> other-program');
    await writeFile(join(folder, 'letters.age'), foreign, 'latin1');
    await expect(backUp('letters.age')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is not begun for what is no recipient', async () => {
    const wrong = `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`;
    const work = writeBackup(storage, join(folder, 'muster.gz.age'), { ...written, recipients: [wrong] });
    await expect(work).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('by schedule is proved without the identity, which opens it all the same', async () => {
    const work = {
      ...written,
      folder: join(folder, 'backups'),
      keep: 1,
      encrypt: false,
      recipients: [recipient],
      seal: { seal: () => Promise.reject(new Error('unused')), open: () => Promise.reject(new Error('unused')) },
      openStorage: (url: string) => openSqlite(url.slice('sqlite:'.length)),
    };
    const first = await scheduledBackup(storage, work);
    const second = await scheduledBackup(storage, { ...work, createdAt: new Date('2026-03-02T12:00:00Z') });
    expect(second).toMatchObject({ kept: 1, removed: [first.file.split('/').at(-1)] });
    expect(second.file).toMatch(/\.gz\.age$/);
    expect((await readdir(work.folder)).filter((name) => !name.endsWith('.json'))).toHaveLength(1);
    expect(await restored(second.file, [identity])).toEqual(await storedParts(storage));
  });
});

describe('a file of identities', () => {
  it('is as age-keygen writes it', async () => {
    const path = join(folder, 'backup.key');
    await writeFile(path, `# created: 2026-03-01\n# public key: ${recipient}\n${identity}\n`);
    expect(await identitiesIn(path)).toEqual([identity]);
  });

  it.each(['', '# nothing\n', 'AGE-SECRET-KEY-1WRONG\n', 'age-encryption.org/v1\n-> scrypt x 18\n'])(
    'is refused without telling what is in it: %j',
    async (text) => {
      const path = join(folder, 'backup.key');
      await writeFile(path, text);
      const refusal = await identitiesIn(path).catch((error: unknown) => error);
      expect(String(refusal)).toMatch(/holds no identity of age/);
      expect(String(refusal)).not.toContain('WRONG');
    },
  );
});
