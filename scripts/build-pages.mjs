// Bundles the pages of the admin interface: every file compressed once, and a list of them for the service.
import { mkdir, readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { pagesOptions } from './bundle.mjs';
import { bundledPackages } from './bundled-packages.mjs';
import { groupScripts, importsOf, neededBy } from './group-pages.mjs';
import { removeOthers, writeWhole } from './outputs.mjs';
import { SetupError } from './report.mjs';

const mediaTypes = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
};

const compressions = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) };

/** For `writePages`, where files live for one change: 14 ms instead of 5.8 s for the script, and half as many bytes again. */
export const QUICKLY = { level: 1, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Bundles the pages; answers their files, for `writePages`, and the packages in them. */
export async function bundlePages() {
  const { build: esbuild } = await import('esbuild');
  const result = await esbuild(pagesOptions);
  const { outputs, manifest } = pageFiles(result);
  const { scripts, outputs: grouped } = await groupScripts(result);
  const [script, ...parts] = scripts.get('main');
  const inside = scripts.get('inside').filter((name) => !parts.includes(name));
  const rooms = [...scripts].filter(([loader]) => loader.startsWith('room-'));
  const files = [...outputs.filter(({ name }) => !name.endsWith('.js')), ...grouped];
  const pages = {
    outputs: files,
    manifest: {
      ...manifest,
      script,
      parts,
      inside,
      rooms: Object.fromEntries(
        rooms.map(([loader, names]) => [
          loader.slice('room-'.length),
          names.filter((name) => !parts.includes(name) && !inside.includes(name)),
        ]),
      ),
      texts: textsOf(scripts),
      files: mediaTypesOf(files),
    },
  };
  return { pages, packages: bundledPackages(result.metafile) };
}

/** The files of a bundle as they are, and their list, once nothing of the server is among them. */
export function pageFiles({ outputFiles, metafile }) {
  refuseProgram(metafile);
  const outputs = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  const [script, entry] = Object.entries(metafile.outputs).find(
    ([path, { entryPoint }]) => entryPoint === pagesOptions.entryPoints.main && path.endsWith('.js'),
  );
  const manifest = {
    script: basename(script),
    style: basename(entry.cssBundle),
    parts: neededBy(script, (path) => importsOf(metafile.outputs[path])).map((path) => basename(path)),
    inside: [],
    rooms: {},
    texts: {},
    files: mediaTypesOf(outputs),
  };
  return { outputs, manifest };
}

/** Returns the files with texts of each language: of the login page, and of the pages behind it. */
function textsOf(scripts) {
  const texts = {};
  for (const [loader, [script]] of scripts) {
    const [, language, part] = /^later-language-(\w+)\.po\?(first|pages)$/.exec(loader) ?? [];
    if (language !== undefined) texts[language] = { ...texts[language], [part]: script };
  }
  return texts;
}

function mediaTypesOf(outputs) {
  return Object.fromEntries(outputs.map(({ name }) => [name, mediaTypes[extname(name)] ?? 'application/octet-stream']));
}

// How a value is said, at the terminal and on pages alike, how a pasted table and the body of an autorule are read and when a cron group
// starts, where the service and whoever fills in the form must see the same: without imports but of such files, and of types.
const SHARED =
  /^src\/(?:kit\/(?:words\/|document\/(?:pasted-[a-z]+|autorule-condition)\.ts$)|app\/(?:.*\/words\.ts$|runs\/cron\/decisions\/schedule\.ts$))/;

// What runs on the server must not go to browsers, where a page imported more of it than that and types.
function refuseProgram({ inputs }) {
  const wrong = Object.keys(inputs).filter(
    (path) => path.startsWith('src/') && !path.startsWith('src/adapters/admin/pages/') && !SHARED.test(path),
  );
  if (wrong.length === 0) return;
  throw new SetupError(`The pages of the admin interface load modules of the server:\n\n  ${wrong.join('\n  ')}`);
}

/** Writes files that are not there yet, then the list; keeps the files of the build before, which open pages may yet load. */
export async function writePages(folder, { outputs, manifest }, previousFiles, compression = {}) {
  await mkdir(folder, { recursive: true });
  const present = new Set(await readdir(folder));
  for (const { name, contents } of outputs) {
    for (const [suffix, compress] of Object.entries(compressions)) {
      if (!present.has(name + suffix))
        await writeWhole(join(folder, name + suffix), await compress(contents, compression));
    }
    if (!present.has(name)) await writeWhole(join(folder, name), contents);
  }
  await writeWhole(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  const files = outputs.map(({ name }) => name);
  const kept = new Set([...files, ...previousFiles].flatMap((name) => [name, `${name}.br`, `${name}.gz`]));
  kept.add('manifest.json');
  await removeOthers(folder, kept);
  return files;
}
