import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const launchers = fileURLToPath(new URL('../../bin', import.meta.url));

for (const name of ['muster']) {
  test(`${name} in a checkout that is not built says what to do`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-launcher-'));
    try {
      cpSync(launchers, join(folder, 'bin'), { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      const { status, stdout, stderr } = spawnSync(join(folder, 'bin', name), ['--help'], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain('npm run setup');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
