#!/usr/bin/env node
// Bundles the program into dist/. `--types` adds the declarations that plugin authors need, `--clean` builds even when
// nothing changed, and leaves nothing of earlier builds.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildCollection } from './build-collection.mjs';
import { buildDocs } from './build-docs.mjs';
import { bundlePages, writePages } from './build-pages.mjs';
import { bundleProgram, writeProgram } from './build-program.mjs';
import { writeCatalogue } from './catalogue.mjs';
import { filesBelow, fingerprintOfTimes } from './fingerprint.mjs';
import { writeWhole } from './outputs.mjs';
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

/** A fresh clone does not have them yet, and `npm pack` begins here. */
function requirePackages() {
  try {
    import.meta.resolve('esbuild');
  } catch {
    throw new SetupError(
      'The packages that build Muster are not installed. Run "npm run setup" first, which also builds.',
    );
  }
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
  requirePackages();
  const previous = clean ? nothingBuilt : await readStamp();
  // Taken before the sources are read: what is written meanwhile makes the next call build again.
  const current = fingerprint();
  const stale = previous.fingerprint !== current;
  if (stale) {
    await step('Building the program', async () => {
      let program;
      let admin;
      try {
        await writeCatalogue();
        [program, admin] = await Promise.all([bundleProgram(), bundlePages()]);
      } catch (error) {
        if (!error.errors) throw error;
        throw new SetupError('The sources do not build; the messages above say where.');
      }
      // A running service may yet load files of the build that it was started from, so those stay until the build after this one.
      const others = ['build.json', 'types', 'admin', 'docs-site', 'ansible_collections'];
      const files = await writeProgram(dist, program.outputs, [...previous.files, ...others]);
      const pageFiles = await writePages(join(dist, 'admin'), admin.pages, previous.pages ?? []);
      const packages = [...new Set([...program.packages, ...admin.packages])].sort();
      const stamp = { fingerprint: current, files, pages: pageFiles, packages };
      await writeWhole(stampFile, `${JSON.stringify(stamp, null, 1)}\n`);
    });
  }
  const docsStale = await buildDocs(join(dist, 'docs-site'), { clean });
  const collectionStale = await buildCollection(dist);
  if (types) await step('Writing type declarations', emitTypes);
  return stale || docsStale || collectionStale || types;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = process.argv.slice(2);
  build({ types: options.includes('--types'), clean: options.includes('--clean') }).catch(fail);
}
