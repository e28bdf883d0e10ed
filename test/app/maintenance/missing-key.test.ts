import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../../src/main/compose.ts';
import { loadConfig } from '../../../src/main/config/load.ts';
import { type MusterHarness, musterHarness } from '../../adapters/cli/run-muster.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

let muster: MusterHarness;
let key: string;

beforeEach(async () => {
  muster = await musterHarness();
  key = join(muster.directory, 'data', 'instance.key');
  const added = await muster.run(['account', 'add', 'rest1', '--type', 'api', '--password-stdin'], {
    stdin: 'hunter2\n',
  });
  expect(added.stderr).not.toContain('muster:');
  expect(existsSync(key)).toBe(true);
});
afterEach(() => muster.close());

async function firstWrong(): Promise<unknown> {
  const { stdout } = await muster.run(['doctor', '--json']);
  return (JSON.parse(stdout) as { findings: { ok: boolean }[] }).findings.find(({ ok }) => !ok);
}

it('is the first that the doctor finds, which makes no new one', async () => {
  await rm(key);
  expect(await firstWrong()).toMatchObject({
    check: 'instance key',
    message: expect.stringMatching(/instance\.key is missing.*put the file back/s),
  });
  expect(existsSync(key)).toBe(false);
});

it('is found too where the file holds no key, and where it holds another one', async () => {
  await writeFile(key, 'geheim');
  expect(await firstWrong()).toMatchObject({ check: 'instance key', message: expect.stringContaining('32 bytes') });
  await writeFile(key, '22'.repeat(32));
  expect(await firstWrong()).toMatchObject({
    check: 'instance key',
    message: expect.stringMatching(/is not the one that encrypted the stored secrets/),
  });
});

it('stops a service from starting, and a command from keeping a secret', async () => {
  await rm(key);
  const { config, origins } = await loadConfig({
    environment: { SERVICE_DATABASE_URL: 'memory:' },
    workingDirectory: muster.directory,
  });
  const app = await createApp({
    config,
    origins,
    workingDirectory: muster.directory,
    role: 'server',
    storage: muster.storage,
    logger: recordingLogger([]),
  });
  try {
    await expect(app.start()).rejects.toThrow(/instance\.key is missing/);
  } finally {
    await app.stop();
  }
  const refused = await muster.run(['account', 'add', 'rest2', '--type', 'api', '--password-stdin'], { stdin: 'x\n' });
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('instance.key is missing')]);
  expect(existsSync(key)).toBe(false);
});

it('loses no entry of the audit log: they are kept outside of its chain', async () => {
  const before = await muster.storage.audit.unlinked({ limit: 0 });
  await rm(key);
  const { exitCode } = await muster.run(['host', 'set', 'web01', '--account', 'rest1', '--label', 'os=debian']);
  expect(exitCode).toBe(0);
  const after = await muster.storage.audit.unlinked({ limit: 10 });
  expect(after.count).toBeGreaterThan(before.count);
  expect(after.first.map(({ operation }) => operation)).toContain('hosts/save-host');
});
