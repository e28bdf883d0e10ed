// Where the version of Muster stands besides the program, which takes it from package.json when it is built.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../report.mjs';

const number = '\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?';

/** Each pattern finds a version and what stands before it, which stays. */
const patterns = {
  'package.json': [/^( {2}"version": ")[^"]+/m],
  // Of the lock file itself, and of this package in it, which comes first.
  'package-lock.json': [/^( {2}"version": ")[^"]+/m, /^( {6}"version": ")[^"]+/m],
  'packaging/ansible-collection/galaxy.yml': [/^(version: ).*$/m],
  'packaging/helm/muster/Chart.yaml': [/^(version: ).*$/m, /^(appVersion: ).*$/m],
  'README.md': [new RegExp(`(muster-cmdb-muster-)${number}(?=\\.tgz)`, 'g')],
  'docs/operations.md': [new RegExp(`(muster-cmdb-muster-)${number}(?=\\.tgz)`, 'g')],
  'docs/plugins.md': [new RegExp(`(@muster-cmdb/muster@\\^)${number}`, 'g')],
};

export const versionedFiles = Object.keys(patterns);

export const isVersion = (text) => new RegExp(`^${number}$`).test(text);

const read = (path) => readFile(join(root, path), 'utf8');

export async function currentVersion() {
  return JSON.parse(await read('package.json')).version;
}

/** Whether the first version comes after the second, as npm orders them. */
export function isLater(version, other) {
  const parts = (text) => text.split(/-(.*)/s);
  const [numbers, pre = ''] = parts(version);
  const [otherNumbers, otherPre = ''] = parts(other);
  const order = compareNumbers(numbers, otherNumbers);
  if (order !== 0) return order > 0;
  if (pre === '' || otherPre === '') return pre === '' && otherPre !== '';
  return pre.localeCompare(otherPre, 'en', { numeric: true }) > 0;
}

function compareNumbers(one, other) {
  const others = other.split('.').map(Number);
  return (
    one
      .split('.')
      .map((part, place) => Number(part) - others[place])
      .find((difference) => difference !== 0) ?? 0
  );
}

/** The files that hold another version than this one. */
export async function filesOfOtherVersions(version) {
  const found = [];
  for (const path of versionedFiles) {
    if ((await withVersion(path, version)) !== (await read(path))) found.push(path);
  }
  return found;
}

export async function setVersion(version) {
  for (const path of versionedFiles) await writeFile(join(root, path), await withVersion(path, version));
}

async function withVersion(path, version) {
  let text = await read(path);
  for (const pattern of patterns[path]) text = text.replace(pattern, `$1${version}`);
  return text;
}
