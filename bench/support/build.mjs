import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleProgram, writeProgram } from '../../scripts/build-program.mjs';
import { bundleOptions, entries, programOptions } from '../../scripts/bundle.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Below node_modules, so that packages with compiled parts are found; apart from dist/, which may be rebuilt meanwhile. */
const target = join(root, 'node_modules/.cache/muster-bench');

/** Bundles as `npm run build` does, with the benchmarks beside the program's own entries. */
export async function buildBenchmarks() {
  await rm(target, { recursive: true, force: true });
  const folder = join(target, 'dist');
  const { outputs } = await bundleProgram({
    ...programOptions,
    entryPoints: { ...entries, main: 'bench/support/main.ts', side: 'bench/support/side.ts' },
    outdir: folder,
  });
  await writeProgram(folder, outputs, []);
  // As beside dist/: without it, Node reads each file a second time to tell what kind of module it is.
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  // Programs of their own, with nothing in them that they do not need.
  for (const name of await readdir(join(root, 'bench/floors'))) {
    await build({
      ...bundleOptions,
      entryPoints: [join('bench/floors', name)],
      outfile: join(folder, `floor-${basename(name, '.ts')}.js`),
    });
  }
  // It looks for its own files beside its source.
  await build({
    ...bundleOptions,
    entryPoints: ['bench/support/server-process.ts'],
    outfile: join(folder, 'server-process.js'),
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'test/support/mongodb-server.ts')).href) },
  });
  await cp(join(root, 'bench/support/usage.cjs'), join(folder, 'usage.cjs'));
  await cp(join(root, 'bin'), join(target, 'bin'), { recursive: true });
  return { folder };
}
