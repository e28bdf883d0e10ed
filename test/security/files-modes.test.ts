import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import type { Config } from '../../src/app/kernel/config/schema.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'muster-modes-'));
  await chmod(root, 0o755);
  for (const folder of ['data', 'data/exports', 'plugins', 'plugins/mine', 'playbooks']) await mkdir(at(folder), 0o755);
  await chmod(at('data'), 0o700);
  for (const file of ['data/instance.key', 'data/muster.db', 'data/night.backup']) await writeFile(at(file), '');
  await write('plugins/mine/index.mjs', 'export default {}');
  await write('playbooks/playbooks.yml', 'playbooks: []');
  await write('playbooks/site.yml', '[]');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const at = (path: string): string => join(root, path);

async function write(path: string, text: string): Promise<void> {
  await writeFile(at(path), text);
  await chmod(at(path), 0o644);
}

async function warnings(
  config: Partial<Config> = {},
): Promise<{ ok: boolean; warnings: string[]; commands: string[] }> {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  const muster = await OperationsApp.over(storage, {
    DATA_DIR: at('data'),
    DATABASE_URL: `sqlite:${at('data/muster.db')}`,
    INSTANCE_KEY_FILE: at('data/instance.key'),
    PLAYBOOK_DIR: at('playbooks'),
    PLUGINS: [at('plugins/mine')],
    ...config,
  });
  try {
    const { findings } = await muster.run(runDoctor, {});
    const files = findings.filter(({ check }) => check === 'files');
    const found = files.filter(({ warning }) => warning).map(({ message }) => message.replaceAll(root, ''));
    const mending = files.flatMap(({ commands = [] }) => commands);
    return { ok: files.every(({ ok }) => ok), warnings: found, commands: mending };
  } finally {
    await muster.stop();
  }
}

describe('the doctor and modes of files', () => {
  it('is content with what the service makes itself, and with programs that others may read', async () => {
    expect(await warnings()).toEqual({ ok: true, warnings: [], commands: [] });
    await chmod(at('data/muster.db'), 0o644);
    // Nobody else gets into the folder.
    expect(await warnings()).toEqual({ ok: true, warnings: [], commands: [] });
  });

  it('names secrets that others may read or write, with the command that mends it', async () => {
    await chmod(at('data'), 0o711);
    await chmod(at('data/instance.key'), 0o640);
    await chmod(at('data/muster.db'), 0o666);
    await chmod(at('data/night.backup'), 0o604);
    expect(await warnings()).toMatchObject({
      ok: true,
      warnings: [
        '/data/instance.key can be read by its group: chmod 600 /data/instance.key',
        '/data/muster.db can be read and written by everyone on this machine: chmod 600 /data/muster.db',
        '/data/night.backup can be read by everyone on this machine: chmod 600 /data/night.backup',
      ],
    });
    await chmod(at('data'), 0o777);
    expect((await warnings()).warnings).toContain(
      '/data can be read and written by everyone on this machine: chmod 700 /data',
    );
  });

  it('offers commands that do mend it, also where a path is no plain word', async () => {
    await mkdir(at('data of muster'));
    await write('data of muster/instance.key', 'k');
    await chmod(at('data of muster'), 0o755);
    const config = { DATA_DIR: at('data of muster'), INSTANCE_KEY_FILE: at('data of muster/instance.key') };
    const { commands } = await warnings(config);
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) execFileSync('sh', ['-c', command]);
    expect(await warnings(config)).toMatchObject({ warnings: [], commands: [] });
  });

  it('names plugins and playbooks that everybody may write', async () => {
    await chmod(at('plugins/mine/index.mjs'), 0o666);
    await chmod(at('playbooks'), 0o777);
    await chmod(at('playbooks/playbooks.yml'), 0o646);
    const { warnings: found } = await warnings();
    expect(found).toEqual([
      expect.stringMatching(/^\/plugins\/mine\/index\.mjs can be written by everyone .*: chmod o-w \/plugins/),
      expect.stringMatching(/^\/playbooks can be written by everyone .*: chmod o-w \/playbooks$/),
      expect.stringMatching(/^\/playbooks\/playbooks\.yml can be written .*: chmod o-w \/playbooks\/playbooks\.yml$/),
    ]);
  });
});
