import { readFile } from 'node:fs/promises';
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
