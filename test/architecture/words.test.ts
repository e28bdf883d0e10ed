import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('has no more comments of unclear English than its rooms are allowed', async () => {
  // The script names each room that has more, and the command that prints its comments.
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/words.mjs', '--limits']);
  expect(stdout).toMatch(/^\d+ of \d+ comments match/);
}, 60_000);
