// Servers of the tests, for questions about other systems: a NetBox that keeps what is written to it, and a database server.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../report.mjs';

/** A module of the tests, bundled; paths beside it stay what they are. */
async function ofTests(path) {
  const { build: esbuild } = await import('esbuild');
  const folder = await mkdtemp(join(root, 'node_modules', '.same-'));
  const outfile = join(folder, 'module.mjs');
  try {
    await esbuild({
      absWorkingDir: root,
      entryPoints: [path],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, path)).href) },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function startNetBox() {
  const { StatefulNetBox } = await ofTests('test/plugins/netbox/stateful-netbox.ts');
  return new StatefulNetBox().start();
}

export async function startMongodb() {
  const { startMongodbServer } = await ofTests('test/support/mongodb-server.ts');
  return startMongodbServer();
}
