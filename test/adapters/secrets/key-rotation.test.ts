import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealUnbound } from '../../../src/adapters/secrets/aes-gcm.ts';
import { aesGcmSecretBox } from '../../../src/adapters/secrets/aes-gcm-secret-box.ts';
import { instanceKeysOfFile } from '../../../src/adapters/secrets/instance-key-file.ts';
import { fileKeyRotation } from '../../../src/adapters/secrets/key-rotation.ts';
import { documentPlace } from '../../../src/ports/index.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-key-'));
  path = join(folder, 'instance.key');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const PLACE = documentPlace('accounts', '6'.repeat(24), 'password_crypted');

/** A box as each process has one. */
function box() {
  return aesGcmSecretBox({ keys: instanceKeysOfFile(path, async () => true) });
}

describe('rotating the key of a file', () => {
  it('gives secrets a new key and forgets the old one', async () => {
    const secret = await box().seal('hunter2', PLACE);
    const before = await readFile(path, 'utf8');
    const renewed = await fileKeyRotation(path, async () => true).rotate(async (renew) => {
      expect(await renew('$argon2id$v=19$no-sealed-text')).toBeUndefined();
      const sealed = await renew(secret);
      expect(await renew(sealed ?? '')).toBeUndefined();
      return sealed;
    });
    expect(await readFile(path, 'utf8')).not.toBe(before);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['instance.key']);
    expect(await box().open(renewed ?? '', PLACE)).toBe('hunter2');
    await expect(box().open(secret, PLACE)).rejects.toMatchObject({ code: 'failed' });
  });

  it('gives a text its place that has none yet, also under the same key', async () => {
    await box().seal('x', PLACE);
    const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
    const old = sealUnbound('hunter2', key);
    const renewed = await fileKeyRotation(path, async () => true).rotate(async (renew) => {
      const without = (await renew(old)) ?? '';
      expect(box().placeOf(without)).toBeNull();
      expect(await renew(without)).toBeUndefined();
      expect(box().placeOf((await renew(without, PLACE)) ?? '')).toBe(PLACE);
      return renew(old, PLACE);
    });
    expect(await box().open(renewed ?? '', PLACE)).toBe('hunter2');
    await expect(box().open(renewed ?? '', `${PLACE}2`)).rejects.toMatchObject({ code: 'failed' });
  });

  it('lets a running process open what is under either key, and seal under the new one', async () => {
    const running = box();
    const secret = await running.seal('hunter2', PLACE);
    let late = '';
    await fileKeyRotation(path, async () => true).rotate(async (renew) => {
      expect(await running.open(secret, PLACE)).toBe('hunter2');
      expect(await running.open((await renew(secret)) ?? '', PLACE)).toBe('hunter2');
      late = await running.seal('late', PLACE);
      expect(await renew(late)).toBeUndefined();
    });
    expect(await running.open(late, PLACE)).toBe('late');
  });

  it('goes on wherever it was cut off', async () => {
    const secret = await box().seal('hunter2', PLACE);
    await expect(
      fileKeyRotation(path, async () => true).rotate(async () => {
        throw new Error('cut off');
      }),
    ).rejects.toThrow('cut off');
    expect(await readdir(folder)).toEqual(['instance.key', 'instance.key.previous']);
    expect(await box().open(secret, PLACE)).toBe('hunter2');
    const half = await readFile(path, 'utf8');
    const renewed = await fileKeyRotation(path, async () => true).rotate((renew) => renew(secret));
    expect(await readFile(path, 'utf8')).toBe(half);
    expect(await box().open(renewed ?? '', PLACE)).toBe('hunter2');
  });

  it('goes on after the old key got its second name, and after the new one was made beside', async () => {
    for (const isNextMade of [false, true]) {
      const secret = await box().seal('hunter2', PLACE);
      await link(path, `${path}.previous`);
      if (isNextMade) await writeFile(`${path}.next`, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
      const renewed = await fileKeyRotation(path, async () => true).rotate((renew) => renew(secret));
      expect(await box().open(renewed ?? '', PLACE)).toBe('hunter2');
      expect(await readdir(folder)).toEqual(['instance.key']);
    }
  });

  it('says when a secret opens under neither key', async () => {
    await box().seal('x', PLACE);
    const other = join(folder, 'other.key');
    await copyFile(path, other);
    await writeFile(other, randomBytes(32).toString('hex'));
    const foreign = await aesGcmSecretBox({ keys: instanceKeysOfFile(other, async () => true) }).seal('lost', PLACE);
    const rotated = fileKeyRotation(path, async () => true).rotate((renew) => renew(foreign));
    await expect(rotated).rejects.toMatchObject({ code: 'failed' });
  });

  it('is done by one process at a time, and the lock of a dead one does not count', async () => {
    await box().seal('x', PLACE);
    const both = fileKeyRotation(path, async () => true).rotate(() =>
      fileKeyRotation(path, async () => true).rotate(async () => 'twice'),
    );
    await expect(both).rejects.toMatchObject({ code: 'conflict' });
    await writeFile(`${path}.lock`, '999999999');
    expect(await fileKeyRotation(path, async () => true).rotate(async () => 'done')).toBe('done');
  });
});
