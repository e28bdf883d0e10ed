// What a release consists of, made of the checkout as it stands.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from '../build.mjs';
import { buildCollection } from '../build-collection.mjs';
import { filesBelow } from '../fingerprint.mjs';
import { capture, root, SetupError, step } from '../report.mjs';
import { writeArchive } from './archive.mjs';
import { packCollection } from './collection.mjs';
import { npm } from './npm.mjs';
import { billOfMaterials } from './sbom.mjs';

const chart = join('packaging', 'helm', 'muster');

/** Makes all files in the folder, which appears whole or not at all. `built` takes dist as it is. */
export async function makeFiles(folder, { version, day, notes, built }) {
  const made = `${folder}.part`;
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  // Modes of files are in the package.
  process.umask(0o022);
  if (built) await buildCollection(join(root, 'dist'));
  else await build({ types: true, clean: true });
  await checkBuild(version);
  const tarball = await step('Packing the program', () => packProgram(made));
  await step('Packing the maps of its sources', () => packMaps(join(made, `muster-${version}-source-maps.tgz`)));
  await step('Packing the Helm chart', () => packChart(join(made, `muster-${version}.tgz`)));
  await step('Packing the Ansible collection', () => packCollection(made, version));
  await step('Writing the bill of materials', async () => {
    const bill = await billOfMaterials({ tarball, day });
    await writeFile(join(made, `muster-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  });
  await writeFile(join(made, 'release-notes.md'), `${notes}\n`);
  await writeSums(made);
  await rm(folder, { recursive: true, force: true });
  await rename(made, folder);
}

async function checkBuild(version) {
  for (const path of ['plugin-api.js', join('types', 'plugin-api.d.ts'), join('admin', 'manifest.json')]) {
    if (!existsSync(join(root, 'dist', path))) {
      throw new SetupError(`dist/${path} is missing; "node scripts/build.mjs --clean --types" makes all of dist.`);
    }
  }
  const { output } = await capture(process.execPath, [join(root, 'bin', 'muster'), '--version']);
  if (output !== version)
    throw new SetupError(`The program in dist says that it is ${output}, not ${version}; build it anew.`);
}

async function packProgram(folder) {
  const name = await npm('pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  return join(folder, name.trim());
}

/** They are not in the package, where nothing reads them. Unpacked beside its files, they give the lines of a stack their names again. */
async function packMaps(path) {
  const maps = filesBelow('dist').filter((file) => /^dist[\\/][^\\/]+\.map$/.test(file));
  await writeArchive(
    path,
    maps.map((file) => [file, file]),
  );
}

async function packChart(path) {
  await writeArchive(
    path,
    filesBelow(chart).map((file) => [join('muster', relative(chart, file)), file]),
  );
}

/** For `sha256sum --check SHA256SUMS`. */
async function writeSums(folder) {
  const lines = [];
  for (const name of (await readdir(folder)).sort()) {
    lines.push(
      `${createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex')}  ${name}\n`,
    );
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}
