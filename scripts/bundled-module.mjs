// Loads a module of TypeScript into a script: bundled to one file, with packages as they are installed.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The module at a path from `root`; `import.meta.url` is that of its own file, so that paths beside it stay what they are. */
export async function bundledModule(root, path) {
  const { build: esbuild } = await import('esbuild');
  // In the tree, where Node finds the packages.
  const folder = await mkdtemp(join(root, 'node_modules', '.module-'));
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
