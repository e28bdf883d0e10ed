import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ENTRYPOINT = join(import.meta.dirname, '../../packaging/container/entrypoint');

describe('the entry script of the container', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-entry-'));
    for (const name of ['muster', 'muster-mcp', 'node']) {
      writeFileSync(join(folder, name), `#!/bin/sh\nprintf '[%s]' ${name} "$@"\nexit 7\n`, { mode: 0o755 });
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (args: readonly string[], cwd = folder) =>
    spawnSync(ENTRYPOINT, args, { cwd, encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } });

  it.each([
    [[], '[muster][serve]'],
    [['serve', '--http-port', '9000'], '[muster][serve][--http-port][9000]'],
    [['host', 'list', '--where', 'site:fra cpus>=8'], '[muster][host][list][--where][site:fra cpus>=8]'],
    [['--version'], '[muster][--version]'],
    [['muster', 'doctor'], '[muster][doctor]'],
    [['muster-mcp'], '[muster-mcp]'],
    [['node', '--version'], '[node][--version]'],
    [['sh', '-c', 'echo $0 "$1"', '$(id)'], '$(id) \n'],
  ] as const)('begins %j', (args, expected) => {
    expect(run(args).stdout).toBe(expected);
  });

  it('answers with the exit code of the command', () => {
    expect(run(['doctor']).status).toBe(7);
  });

  it.skipIf(process.getuid?.() === 0)('says whose the volume must be when nothing can be written there', () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    const { status, stderr } = run(['serve'], closed);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/cannot be written to by user \d+; mount a volume there/),
    ]);
  });
});
