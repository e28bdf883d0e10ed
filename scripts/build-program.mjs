// Bundles the program that `bin/muster` runs: entries, what they share, and the files that they read.
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { assets, entries, programOptions } from './bundle.mjs';
import { bundledPackages } from './bundled-packages.mjs';
import { commonPart, namingCommonPart } from './common-part.mjs';
import { withoutIdleImports } from './idle-imports.mjs';
import { removeOthers, writeWhole } from './outputs.mjs';
import { root, SetupError } from './report.mjs';

/** Bundles the program; answers its files, for `writeProgram`, and the packages in them. */
export async function bundleProgram(options = programOptions) {
  const { build: esbuild } = await import('esbuild');
  const { metafile } = await esbuild({ ...options, sourcemap: false });
  const plugins = [...options.plugins, namingCommonPart(root, commonPart(metafile.inputs))];
  const result = await esbuild({ ...options, plugins });
  return { outputs: programFiles(result), packages: bundledPackages(result.metafile) };
}

/** The files of a bundle, once it is known to work. */
export function programFiles({ outputFiles, metafile }) {
  refuseNamelessImports(metafile);
  refuseMissingPackages(metafile);
  return withoutIdleImports(outputFiles, metafile);
}

// Packages that are bundled are tools of this checkout, and nobody who installs the program gets them. What a package asks for and
// does without (`snappy`) is none of ours.
function refuseMissingPackages({ outputs }) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Only the suites for authors load it, who bring it.
  const { vitest: _, ...absent } = devDependencies;
  const asked = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const names = new Set(asked.map(({ path }) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')));
  const faults = [...names].filter((name) => Object.hasOwn(absent, name));
  if (faults.length === 0) return;
  throw new SetupError(
    `The bundle leaves out ${faults.join(', ')}, and package.json has it among devDependencies; move it to dependencies.`,
  );
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

/** Writes the files of a bundle into a folder, the entries last, and takes away what is neither of them nor kept. */
export async function writeProgram(folder, outputs, kept) {
  await mkdir(folder, { recursive: true });
  const isEntry = (file) => basename(file.path).replace(/\.js$/, '') in entries;
  for (const file of outputs.filter((output) => !isEntry(output))) await writeWhole(file.path, file.contents);
  for (const file of outputs.filter(isEntry)) await writeWhole(file.path, file.contents);
  for (const [name, source] of Object.entries(assets)) {
    if (!existsSync(join(root, source))) continue;
    await cp(join(root, source), join(folder, name), { recursive: true });
  }
  const files = outputs.map((file) => basename(file.path)).sort();
  await removeOthers(folder, new Set([...files, ...kept, ...Object.keys(assets)]));
  return files;
}
