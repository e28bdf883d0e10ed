import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDocs } from '../../scripts/build-docs.mjs';
import { type Section, searchOptions } from '../../scripts/docs-site/search-options.mjs';
import { DOCS_OF_SECTIONS, docsAddress } from '../../src/adapters/admin/pages/shell/docs-address.ts';
import { ROOT } from './support/markdown.ts';

/** What the service has beside the site. */
const OF_THE_SERVICE = new Set(['openapi', '../admin']);

const folder = mkdtempSync(join(tmpdir(), 'muster-site-'));
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  await buildDocs(folder);
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
  pages = new Map(names.map((name) => [name, read(name)]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const valuesOf = (html: string, attribute: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<[^>]* ${attribute}="([^"]*)"`, 'g')), ([, value = '']) => value);

describe('the site of the documentation', () => {
  test('has every page of docs/', () => {
    const sources = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.md') && path !== 'README.md',
    );
    const expected = sources.map((path) => path.replace(/^.*\//, '').replace(/\.md$/, '.html'));
    expect([...pages.keys()]).toEqual(expect.arrayContaining([...expected, 'index.html', '404.html']));
  });

  test('has no dead link and no lost file', () => {
    const anchors = new Map([...pages].map(([name, html]) => [name, new Set(valuesOf(html, 'id'))]));
    const dead = [...pages].flatMap(([page, html]) =>
      [...valuesOf(html, 'href'), ...valuesOf(html, 'src')]
        .filter((target) => {
          if (/^https?:/.test(target) || OF_THE_SERVICE.has(target)) return false;
          const [file = '', anchor] = target.split('#');
          const name = file === '' ? page : file;
          if (anchor !== undefined) return anchors.get(name)?.has(decodeURIComponent(anchor)) !== true;
          return statSync(join(folder, name), { throwIfNoEntry: false }) === undefined;
        })
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  test('has what the menu of the admin interface leads to', () => {
    const addresses = [
      ...Object.keys(DOCS_OF_SECTIONS).map((section) => docsAddress(`/${section}/wikimedia`)),
      ...Object.keys(DOCS_OF_SECTIONS).map((section) => docsAddress(`/admin/${section}`)),
      docsAddress('/rules/custom_attributes/new'),
    ].filter((address) => !address.endsWith('#wikimedia'));
    expect(docsAddress('/')).toBe('/docs/pages.html#overview');
    expect(docsAddress('/nowhere')).toBe('/docs/');
    expect(docsAddress('/rules/custom_attributes/new')).toBe('/docs/rules.html#custom_attributes');
    for (const address of addresses) {
      const [name = '', anchor] = address.replace('/docs/', '').split('#');
      expect(pages.get(name), address).toBeDefined();
      if (anchor !== undefined) expect(pages.get(name), address).toContain(`id="${anchor}"`);
    }
  });

  test('needs no other host, and nothing that a strict policy refuses', () => {
    for (const [page, html] of pages) {
      expect(html, page).not.toMatch(/<script(?! [^>]*src="[\w.]+")|<style|<iframe|<[^>]+ (style|on\w+)="/);
      expect(html, page).not.toMatch(/<(script|link|img)[^>]+(src|href)="(https?:)?\/\//);
    }
    expect(read('site.css')).not.toMatch(/url\(|@import/);
  });

  test.each([
    ['delete_host_if_not_found_on_import', 'sources.html'],
    ['precedence of sources', 'sources.html'],
    ['archive threshold', 'sources.html'],
    ['passkey', 'sign-in.html'],
    ['notificatoin', 'notifications.html'],
  ])('is searched for %s', (words, page) => {
    const search = new MiniSearch<Section>(searchOptions);
    search.addAll(JSON.parse(read('search.json')) as Section[]);
    const found = search.search(words).slice(0, 12);
    expect(found.map(({ href }) => String(href).replace(/#.*/, ''))).toContain(page);
  });

  test('is built again only when something has changed', async () => {
    expect(await buildDocs(folder)).toBe(false);
  });

  test('has small pictures', () => {
    const large = readdirSync(folder).filter(
      (name) => name.endsWith('.webp') && statSync(join(folder, name)).size > 150_000,
    );
    expect(large).toEqual([]);
  });
});
