import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Its exit code where a generator cannot be had here; it says why. */
const NOT_HERE = 3;

describe('clients that generators make of the OpenAPI document', () => {
  it.for(['python', 'go'])(
    'create an account, save, read and list hosts, and take errors as described: %s',
    {
      timeout: 900_000,
    },
    (name, { skip }) => {
      const program = join(ROOT, 'scripts/check-clients.mjs');
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, name], { cwd: ROOT, encoding: 'utf8' });
      skip(status === NOT_HERE, stdout.trim());
      expect(status, stdout + stderr).toBe(0);
      expect(stdout.match(/^✓ .*: (?:generated|drives a service)$/gm)).toHaveLength(2);
    },
  );
});
