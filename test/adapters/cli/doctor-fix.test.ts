import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { mendFiles } from '../../../src/app/maintenance/operations/mend-files.ts';
import { startHttpService } from '../http/http-service.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

let muster: MusterHarness;
let file: string;

beforeEach(async () => {
  muster = await musterHarness();
  await chmod(muster.directory, 0o755);
  await mkdir(join(muster.directory, 'data'), { recursive: true });
  await chmod(join(muster.directory, 'data'), 0o711);
  file = join(muster.directory, 'data', 'night.backup');
  await writeFile(file, 'secret');
  await chmod(file, 0o644);
});
afterEach(() => muster.close());

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const command = () => `chmod 600 ${file}`;

describe('muster doctor --fix', () => {
  it('only says what it would do where nobody can be asked', async () => {
    const { exitCode, stderr, stdout } = await muster.run(['doctor', '--fix']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`would be done: ${command()}`);
    expect(stderr).toContain('say --yes');
    expect(stdout).toBe('');
    expect(await modeOf(file)).toBe(0o644);
  });

  it('does it with --yes, looks again, and finds nothing to do then', async () => {
    const { stderr, stdout } = await muster.run(['doctor', '--fix', '--yes']);
    expect(stderr).toContain(`is done: ${command()}`);
    expect(stderr).not.toContain('would be done');
    expect(stderr).toContain('1 finding mended');
    expect(stdout).not.toContain('night.backup');
    expect(await modeOf(file)).toBe(0o600);
    expect((await muster.run(['doctor', '--fix'])).stderr).toContain('nothing to mend');
  });

  it.each([
    ['n', 0o644],
    ['y', 0o600],
  ])('does what a person answers: %s', async (typed, mode) => {
    const { stderr } = await muster.run(['doctor', '--fix'], { typed: `${typed}\n` });
    expect(stderr).toContain('Do that? [y/N]');
    expect(await modeOf(file)).toBe(mode);
  });

  it('leaves the file behind a link, and says so', async () => {
    const elsewhere = join(muster.directory, 'elsewhere');
    await writeFile(elsewhere, '22'.repeat(32));
    await chmod(elsewhere, 0o644);
    const link = join(muster.directory, 'data', 'instance.key');
    await symlink(elsewhere, link);
    const agreed = `chmod 600 ${link}`;
    expect(await mend([agreed, command()])).toEqual({
      mended: [command()],
      left: [{ command: agreed, message: 'it is a link' }],
    });
    expect(await modeOf(elsewhere)).toBe(0o644);
  });

  it('does nothing that was not agreed to, or is not found any more', async () => {
    expect(await mend(['chmod 777 /', 'muster storage check'])).toEqual({ mended: [], left: [] });
    expect(await modeOf(file)).toBe(0o644);
  });

  it('needs --fix for --yes, and is not for a service elsewhere', async () => {
    expect((await muster.run(['doctor', '--yes'])).exitCode).toBe(2);
    const away = ['--url', 'https://muster.invalid', 'doctor', '--fix', '--yes'];
    const { exitCode, stderr } = await muster.run(away, { variables: { MUSTER_TOKEN: 'muster_x' } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('run it there')]);
  });
});

it('is for the operator alone', async () => {
  const service = await startHttpService({ remote: true });
  try {
    const url = '/api/operations/system/mend-files';
    const answer = await service.request({ url, method: 'POST', payload: { commands: [] } });
    expect(answer.statusCode).toBeGreaterThanOrEqual(403);
  } finally {
    await service.stop();
  }
});

/** By the operator, over the files of the harness. */
async function mend(commands: readonly string[]) {
  const service = await startHttpService({ config: { DATA_DIR: join(muster.directory, 'data') } });
  const caller = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
  try {
    return await service.executor.value(mendFiles, { kind: 'value', value: { commands } }, caller);
  } finally {
    await service.stop();
  }
}
