#!/usr/bin/env node
// Stands in for npm: `npm install` in the folder of a new plugin takes what this checkout has, and fetches nothing. The rest is npm's own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const args = process.argv.slice(2);
if (args[0] === 'install') {
  mkdirSync('node_modules');
  const present = join(root, 'node_modules');
  for (const name of readdirSync(present)) symlinkSync(join(present, name), join('node_modules', name));
  symlinkSync(root, join('node_modules', 'muster'));
} else if (args.join(' ') === 'root --global') {
  const modules = join(process.env.HOME ?? '.', '.global/node_modules');
  process.stdout.write(`${modules}\n`);
} else {
  // The folder of the stand-in comes first on the path.
  const path = (process.env.PATH ?? '').split(delimiter).slice(1).join(delimiter);
  const { status } = spawnSync('npm', args, { stdio: 'inherit', env: { ...process.env, PATH: path } });
  process.exitCode = status ?? 1;
}
