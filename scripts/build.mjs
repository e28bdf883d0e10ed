#!/usr/bin/env node
// Bundles the program into dist/. `--types` adds the declarations that plugin authors need, `--clean` builds even when
// nothing changed, and leaves nothing of earlier builds.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePages, writePages } from './build-pages.mjs';
import { assets, entries, splitOptions } from './bundle.mjs';
import { filesBelow, fingerprintOfTimes } from './fingerprint.mjs';
import { capture, fail, root, SetupError, step } from './report.mjs';

const dist = join(root, 'dist');
const stampFile = join(dist, 'build.json');

const nothingBuilt = { fingerprint: '', files: [], pages: [] };

async function readStamp() {
  try {
    return JSON.parse(await readFile(stampFile, 'utf8'));
  } catch {
    return nothingBuilt;
  }
}

function fingerprint() {
  return fingerprintOfTimes([...filesBelow('src'), ...filesBelow('scripts'), 'package-lock.json', 'package.json']);
}

// A file appears whole or not at all: a service or a test run may be reading dist/ meanwhile.
async function writeWhole(path, contents) {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

async function bundle() {
  const { build: esbuild } = await import('esbuild');
  const { outputFiles, metafile } = await esbuild({
    ...splitOptions,
    entryPoints: entries,
    outdir: 'dist',
    write: false,
    metafile: true,
    legalComments: 'external',
  });
  refuseNamelessImports(metafile);
  return outputFiles;
}

// A bundled CommonJS package that is imported by `await import()` has a default export and nothing else, unlike in Node, so that
// `const { parse } = await import('yaml')` works in the tests and is undefined in the program. Static imports have the names.
function refuseNamelessImports({ inputs }) {
  const faults = Object.entries(inputs)
    .filter(([file]) => file.startsWith('src/'))
    .flatMap(([file, { imports }]) =>
      imports
        .filter(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        .map(({ original }) => `  ${file} imports ${original}`),
    );
  if (faults.length === 0) return;
  throw new SetupError(
    'These load a CommonJS package with import(), which loses its named exports in the bundle. Import it statically in a\n' +
      `module of its own, and load that module with import():\n\n${faults.join('\n')}`,
  );
}

async function writeOutputs(outputs, previous) {
  await mkdir(dist, { recursive: true });
  const isEntry = (file) => basename(file.path).replace(/\.js$/, '') in entries;
  for (const file of outputs.filter((output) => !isEntry(output))) await writeWhole(file.path, file.contents);
  for (const file of outputs.filter(isEntry)) await writeWhole(file.path, file.contents);
  for (const [name, source] of Object.entries(assets)) {
    if (!existsSync(join(root, source))) continue;
    await cp(join(root, source), join(dist, name), { recursive: true });
  }
  const files = outputs.map((file) => basename(file.path)).sort();
  // A running service may yet load chunks of the build that it was started from, so those stay until the build after this one.
  const kept = new Set([...files, ...previous.files, 'build.json', 'types', 'admin', ...Object.keys(assets)]);
  for (const name of await readdir(dist)) {
    if (!kept.has(name) && !name.endsWith('.tmp')) await rm(join(dist, name), { recursive: true, force: true });
  }
  return files;
}

async function emitTypes() {
  await rm(join(dist, 'types'), { recursive: true, force: true });
  const { code, output } = await capture(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--project',
    'scripts/tsconfig.types.json',
  ]);
  if (code !== 0) throw new SetupError(`The type declarations could not be made.\n\n${output}`);
}

/** Builds what is out of date and says whether anything was. */
export async function build({ types = false, clean = false } = {}) {
  const previous = clean ? nothingBuilt : await readStamp();
  // Taken before the sources are read: what is written meanwhile makes the next call build again.
  const current = fingerprint();
  const stale = previous.fingerprint !== current;
  if (stale) {
    await step('Building the program', async () => {
      let outputs;
      let pages;
      try {
        [outputs, pages] = await Promise.all([bundle(), bundlePages()]);
      } catch (error) {
        if (!error.errors) throw error;
        throw new SetupError('The sources do not build; the messages above say where.');
      }
      const files = await writeOutputs(outputs, previous);
      const pageFiles = await writePages(pages, previous.pages ?? [], writeWhole);
      const stamp = { fingerprint: current, files, pages: pageFiles };
      await writeWhole(stampFile, `${JSON.stringify(stamp, null, 1)}\n`);
    });
  }
  if (types) await step('Writing type declarations', emitTypes);
  return stale || types;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = process.argv.slice(2);
  build({ types: options.includes('--types'), clean: options.includes('--clean') }).catch(fail);
}
