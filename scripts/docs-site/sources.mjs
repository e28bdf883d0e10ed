// Which files of the project are pages of the documentation's site, in which order, and how they are called there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root, SetupError } from '../report.mjs';

/** Its headings and lists are the sidebar. */
const CONTENTS = 'docs/README.md';

/** Pages from outside of docs/, whose names would be others' too. */
const NAMES = {
  [CONTENTS]: 'index.html',
  'README.md': 'about.html',
  'SECURITY.md': 'reporting.html',
  'CONTRIBUTING.md': 'contributing.html',
  'CHANGELOG.md': 'changelog.html',
};

/** All files of the site lie in one folder, so that links between them are names. */
function siteName(path) {
  return NAMES[path] ?? posix.basename(path).replace(/\.md$/, '.html');
}

/** The groups of the sidebar: `{ title, pages: [{ title, path }] }`, as the page of contents lists them. */
function groupsOf(contents) {
  const groups = [];
  for (const line of contents.split('\n')) {
    const heading = /^## (.+)$/.exec(line);
    if (heading !== null) groups.push({ title: heading[1], pages: [] });
    const link = /^- \[([^\]]+)\]\(([^)#]+\.md)\)/.exec(line);
    if (link !== null) groups.at(-1).pages.push({ title: link[1], path: posix.join('docs', link[2]) });
  }
  return groups;
}

/** The pages with their texts, and the pictures; fails where a page of docs/ is not among the contents. */
export function readSources() {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const groups = groupsOf(read(CONTENTS));
  const pages = [{ title: 'Documentation', path: CONTENTS }, ...groups.flatMap((group) => group.pages)];
  const files = readdirSync(join(root, 'docs'), { recursive: true }).map((name) => posix.join('docs', name));
  const listed = new Set(pages.map(({ path }) => path));
  const missing = files.filter((path) => path.endsWith('.md') && !listed.has(path));
  if (missing.length > 0) throw new SetupError(`${CONTENTS} does not list ${missing.join(', ')}.`);
  const lost = pages.filter(({ path }) => !existsSync(join(root, path)));
  if (lost.length > 0)
    throw new SetupError(`${CONTENTS} lists what is not there: ${lost.map(({ path }) => path).join(', ')}.`);
  return {
    groups,
    pages: pages.map((page) => ({ ...page, name: siteName(page.path), text: read(page.path) })),
    pictures: files.filter((path) => /\.(?:webp|svg)$/.test(path)).sort(),
  };
}
