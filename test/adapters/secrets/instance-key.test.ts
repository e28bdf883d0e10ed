import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aesGcmSecretBox } from '../../../src/adapters/secrets/aes-gcm-secret-box.ts';
import { instanceKeysOfFile } from '../../../src/adapters/secrets/instance-key-file.ts';
import { fileKeyRotation } from '../../../src/adapters/secrets/key-rotation.ts';

let folder: string;
let path: string;
/** Whether what is stored holds something that was sealed. */
let holdsSecrets: boolean;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-key-'));
  path = join(folder, 'instance.key');
  holdsSecrets = false;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const mayBeFirst = async (): Promise<boolean> => !holdsSecrets;

function box() {
  return aesGcmSecretBox({ keys: instanceKeysOfFile(path, mayBeFirst) });
}

describe('a key file that is not there', () => {
  it('is made, private, where nothing was sealed yet', async () => {
    const sealed = await box().seal('hunter2', 'x');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await box().open(sealed, 'x')).toBe('hunter2');
  });

  it('is missing where something was, and is not made', async () => {
    const sealed = await box().seal('hunter2', 'x');
    await rm(path);
    holdsSecrets = true;
    const missing = { code: 'failed', message: expect.stringMatching(/instance\.key is missing.*from your backup/s) };
    await expect(box().seal('', 'check')).rejects.toMatchObject(missing);
    await expect(box().open(sealed, 'x')).rejects.toMatchObject(missing);
    const rotated = fileKeyRotation(path, mayBeFirst).rotate(async () => 'done');
    await expect(rotated).rejects.toMatchObject(missing);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not made to open something', async () => {
    const sealed = await box().seal('hunter2', 'x');
    await rm(path);
    await expect(box().open(sealed, 'x')).rejects.toMatchObject({ code: 'failed' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('may be made by somebody else while that is found out', async () => {
    const keys = instanceKeysOfFile(path, async () => {
      await writeFile(path, '11'.repeat(32));
      return false;
    });
    expect((await keys.current()).toString('hex')).toBe('11'.repeat(32));
  });
});

it('a key file that holds no key is named, left as it is, and loses no audit entry', async () => {
  await writeFile(path, 'geheim');
  // `failed` is what entries of the audit log are kept for outside of their chain.
  const malformed = { code: 'failed', message: expect.stringMatching(/of .*instance\.key must be 32 bytes.*backup/s) };
  await expect(box().seal('', 'check')).rejects.toMatchObject(malformed);
  await expect(box().open('aes256gcm:x:AAAA', 'x')).rejects.toMatchObject(malformed);
  expect(await readFile(path, 'utf8')).toBe('geheim');
});
