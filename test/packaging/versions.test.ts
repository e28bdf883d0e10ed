import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

test('collection and chart have the version of the package', async () => {
  const { version } = JSON.parse(await read('package.json'));
  expect(parse(await read('packaging/ansible-collection/galaxy.yml')).version).toBe(version);
  const { version: ofChart, appVersion } = parse(await read('packaging/helm/muster/Chart.yaml'));
  expect([ofChart, appVersion]).toEqual([version, version]);
});

test('wherever the package is named with a version, it is the one of the package', async () => {
  const { version } = JSON.parse(await read('package.json'));
  const pages = (await readdir(join(ROOT, 'docs')))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const named: string[] = [];
  for (const page of ['README.md', 'CONTRIBUTING.md', ...pages]) {
    const text = await read(page);
    for (const [, found] of text.matchAll(
      /(?:muster-cmdb-muster-|@muster-cmdb\/muster@\^?)(\d[\w.-]*?)(?=\.tgz|[^\w.-]|$)/g,
    )) {
      named.push(`${page}: ${found}`);
    }
  }
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !name.endsWith(`: ${version}`))).toEqual([]);
});
