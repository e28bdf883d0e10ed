#!/usr/bin/env node
// `npm run servers`: the servers that the tests of sources and targets use, to look at. See README.md beside this file.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root } from '../../scripts/report.mjs';

async function main() {
  // Recipes find files beside them from there, although they run from a bundle.
  process.chdir(root);
  const { build } = await import('esbuild');
  const folder = join(root, 'node_modules/.cache/servers');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, 'command.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/servers/command.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const { runCommand } = await import(pathToFileURL(outfile).href);
  process.exitCode = await runCommand(process.argv.slice(2));
}

main().catch(fail);
