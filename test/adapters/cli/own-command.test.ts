import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFoundAs } from '../../../src/adapters/cli/commands/demo/own-command.ts';

let folder: string;
let program: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-own-'));
  program = join(folder, 'program');
  await writeFile(program, '');
  for (const name of ['ours', 'theirs', 'empty']) await mkdir(join(folder, name));
  await symlink(program, join(folder, 'ours/muster'));
  await writeFile(join(folder, 'theirs/muster'), '');
});
afterEach(() => rm(folder, { recursive: true }));

it.each([
  [['empty', 'ours', 'theirs'], true],
  [['theirs', 'ours'], false],
  [['empty', 'gone'], false],
  [[], false],
])('the program is found by its name on the path %j: %s', async (names, expected) => {
  const path = names.map((name) => join(folder, name)).join(delimiter);
  expect(await isFoundAs('muster', program, path)).toBe(expected);
});
