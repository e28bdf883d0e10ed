#!/usr/bin/env node
// `npm run docs`: makes of docs/ the site that the service shows at /docs. Does nothing where the sources say what they said before.
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { siteScript } from './bundle.mjs';
import { filesBelow, fingerprintOfContents } from './fingerprint.mjs';
import { removeOthers, writeWhole } from './outputs.mjs';
import { fail, note, root, step } from './report.mjs';

const mediaTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

// The best level of brotli takes seconds for all pages, and this one a tenth of a second.
const compressions = {
  '.br': (contents) => promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  '.gz': promisify(gzip),
};

const digest = (contents) => createHash('sha256').update(contents).digest('base64url').slice(0, 22);

function fingerprint() {
  const sources = [
    ...filesBelow('docs'),
    ...filesBelow('scripts/docs-site'),
    'scripts/build-docs.mjs',
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'package.json',
  ];
  return digest(sources.map((path) => `${path} ${fingerprintOfContents(path)}\n`).join(''));
}

/** Names and contents of all files of the site. */
async function siteFiles() {
  const [{ readSources }, { renderPage }, { iconSvg, LOST, pageHtml }, { build: esbuild }] = await Promise.all([
    import('./docs-site/sources.mjs'),
    import('./docs-site/markdown.mjs'),
    import('./docs-site/layout.mjs'),
    import('esbuild'),
  ]);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { groups, pages, pictures } = readSources();
  const names = new Map(pages.map(({ path, name }) => [path, name]));
  const named = groups.map((group) => ({
    ...group,
    pages: group.pages.map((page) => ({ ...page, name: names.get(page.path) })),
  }));
  const order = named.flatMap((group) => group.pages);
  const around = { groups: named, order, version };
  const files = new Map();
  const sections = [];
  for (const page of pages) {
    const rendered = renderPage(page, { names, pictures: new Set(pictures) });
    files.set(page.name, pageHtml({ page, ...rendered, ...around }));
    for (const { id, heading, text } of rendered.sections) {
      const href = id === '' ? page.name : `${page.name}#${id}`;
      sections.push({ id: sections.length, page: page.title, heading: id === '' ? page.title : heading, href, text });
    }
  }
  files.set(
    '404.html',
    pageHtml({ page: { name: '404.html', title: 'No such page' }, html: LOST, headings: [], ...around }),
  );
  files.set('search.json', JSON.stringify(sections));
  files.set('icon.svg', iconSvg);
  const script = await esbuild(siteScript);
  files.set('site.js', script.outputFiles[0].contents);
  for (const name of ['colours.js', 'site.css']) files.set(name, await readFile(join(root, 'scripts/docs-site', name)));
  for (const path of pictures) files.set(basename(path), await readFile(join(root, path)));
  return files;
}

/** Every file as it is and compressed, and the list of them last. */
async function writeSite(folder, files, current) {
  await mkdir(folder, { recursive: true });
  const listed = {};
  const kept = new Set(['manifest.json']);
  for (const [name, contents] of files) {
    const bytes = Buffer.from(contents);
    const isPicture = name.endsWith('.webp');
    listed[name] = { type: mediaTypes[extname(name)], tag: digest(bytes), compressed: !isPicture };
    const forms = isPicture ? [] : Object.entries(compressions);
    for (const [suffix, compress] of forms) await writeWhole(join(folder, name + suffix), await compress(bytes));
    await writeWhole(join(folder, name), bytes);
    for (const suffix of ['', ...forms.map(([ending]) => ending)]) kept.add(name + suffix);
  }
  const manifest = { fingerprint: current, files: listed };
  await writeWhole(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  await removeOthers(folder, kept);
}

async function builtBefore(folder) {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')).fingerprint;
  } catch {
    return undefined;
  }
}

/** Builds the site if its sources have changed, and says whether they had. */
export async function buildDocs(folder, { clean = false } = {}) {
  const current = fingerprint();
  if (!clean && (await builtBefore(folder)) === current) return false;
  await step('Building the documentation', async () => writeSite(folder, await siteFiles(), current));
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  buildDocs(join(root, 'dist/docs-site'))
    .then(() => note('The site is in dist/docs-site; a service shows it at /docs.'))
    .catch(fail);
}
