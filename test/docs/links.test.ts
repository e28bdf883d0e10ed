import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES, ROOT, readPage } from './support/markdown.ts';

/** The names that links lead to, as GitHub makes them from headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) => title as string);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

test.each([...PAGES, 'CHANGELOG.md', 'SECURITY.md'])('the links of %s lead somewhere', (page) => {
  const links = [...withoutBlocks(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(ROOT, path))) return true;
    return anchor !== undefined && !anchorsOf(readPage(path)).has(anchor);
  });
  expect(broken).toEqual([]);
});

test('files of the project that pages name exist', () => {
  const missing = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/`((?:src|test|examples|sample|ansible|scripts|docs|e2e)\/[\w./-]*\w)`/g)]
      .map(([, path]) => path as string)
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('every page is reachable from the list of pages, and every picture is shown', () => {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.\w+$/.test(name) && name !== 'README.md',
  );
  const contents = readPage('docs/README.md');
  const texts = PAGES.map(readPage).join('\n');
  const lost = files.filter((name) =>
    name.endsWith('.md') ? !contents.includes(`(${name})`) : !texts.includes(`${name.replace('-dark.', '-light.')})`),
  );
  expect(lost).toEqual([]);
  expect(readPage('README.md')).toContain('(docs/README.md)');
});

test('the licence is the one that the package names', () => {
  const { license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { license: string };
  expect(license).toBe('Apache-2.0');
  expect(readFileSync(join(ROOT, 'LICENSE'), 'utf8')).toContain('Apache License');
});
