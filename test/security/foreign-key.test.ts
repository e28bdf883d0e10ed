import { randomBytes } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aesGcmSecretBox } from '../../src/adapters/secrets/aes-gcm-secret-box.ts';
import { fixedInstanceKey } from '../../src/adapters/secrets/instance-key-file.ts';
import { createApp } from '../../src/main/compose.ts';
import { loadConfig } from '../../src/main/config/load.ts';
import { type MusterHarness, musterHarness } from '../adapters/cli/run-muster.ts';

let muster: MusterHarness;
beforeEach(async () => {
  muster = await musterHarness();
  await muster.run(['account', 'add', 'lab', '--type', 'api']);
  expect(await setSecret('one')).toMatchObject({ exitCode: 0 });
});
afterEach(() => muster.close());

const keyFile = () => join(muster.directory, 'data/instance.key');
const setSecret = (secret: string) =>
  muster.run(['account', 'set', 'lab', '--password-stdin'], { stdin: `${secret}\n` });
const otherKey = () => writeFile(keyFile(), randomBytes(32).toString('hex'), { mode: 0o600 });
const REFUSED = { exitCode: 1, stderr: expect.stringContaining('the instance key is not the one') };

/** What a node of its own, which has nothing in memory, does at its start. */
async function startNode(role: 'service' | 'server'): Promise<void> {
  const { config, origins } = await loadConfig({
    environment: { SERVICE_DATABASE_URL: 'memory:', SERVICE_LOG_LEVEL: 'silent' },
    workingDirectory: muster.directory,
    flags: {},
  });
  const { directory: workingDirectory, storage } = muster;
  const app = await createApp({ config, origins, workingDirectory, role, storage });
  await app.start().finally(() => app.stop());
}

it('refuses to start and to encrypt with another key, and says so in doctor', async () => {
  await copyFile(keyFile(), `${keyFile()}.kept`);
  await otherKey();
  await expect(startNode('service')).rejects.toThrow('the instance key is not the one');
  await expect(startNode('server')).rejects.toThrow('the instance key is not the one');
  expect(await setSecret('two')).toMatchObject(REFUSED);
  expect(await muster.run(['storage', 'rotate-key'])).toMatchObject(REFUSED);
  const doctor = await muster.run(['doctor']);
  expect(doctor).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('the instance key is not the one') });

  await copyFile(`${keyFile()}.kept`, keyFile());
  expect(await setSecret('three')).toMatchObject({ exitCode: 0 });
  expect((await muster.run(['account', 'show', 'lab'])).exitCode).toBe(0);
});

it('refuses the old key after a rotation', async () => {
  await copyFile(keyFile(), `${keyFile()}.old`);
  expect(await muster.run(['storage', 'rotate-key'])).toMatchObject({ exitCode: 0 });
  expect(await setSecret('two')).toMatchObject({ exitCode: 0 });
  await copyFile(`${keyFile()}.old`, keyFile());
  await expect(startNode('service')).rejects.toThrow('the instance key is not the one');
  expect(await setSecret('three')).toMatchObject(REFUSED);
});

it('begins anew only by the command that says so', async () => {
  await otherKey();
  expect(await muster.run(['storage', 'begin-audit-chain'])).toMatchObject({ exitCode: 0 });
  await startNode('service');
  expect(await setSecret('two')).toMatchObject({ exitCode: 0 });
});

it('asks documents where the store has no audit chain, and takes a key that opens one of them', async () => {
  const [mine, foreign] = [randomBytes(32), randomBytes(32)];
  const sealed = await Promise.all(
    [foreign, mine].map((key) => aesGcmSecretBox({ keys: fixedInstanceKey(() => key) }).seal('x', 'document/a/1/b')),
  );
  const boxOf = (key: Buffer, texts: readonly string[]) =>
    aesGcmSecretBox({
      keys: fixedInstanceKey(() => key),
      async *witnesses() {
        yield* texts;
      },
    });
  await boxOf(mine, sealed).seal('y', 'document/a/1/b');
  await boxOf(mine, []).seal('y', 'document/a/1/b');
  await expect(boxOf(randomBytes(32), sealed).seal('y', 'document/a/1/b')).rejects.toMatchObject({ code: 'failed' });
});
