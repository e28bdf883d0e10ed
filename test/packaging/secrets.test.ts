import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

/** How many secrets each installation of several nodes has. */
const INSTALLATIONS = [
  ['postgresql.yaml', 3],
  ['replica-set.yaml', 4],
] as const;

/** What the first lines of a compose file tell people to make, and what it uses, as paths of the checkout. */
async function secretFiles(name: string): Promise<readonly string[]> {
  const text = await read(`packaging/compose/${name}`);
  const made = [...text.matchAll(/^# .* > (secrets\/\S+)$/gm)].map(([, path]) => path);
  const used = [...text.matchAll(/^ {4}file: \.\/(\S+)$/gm)].map(([, path]) => path);
  expect(made.toSorted()).toEqual(used.toSorted());
  return used.map((path) => `packaging/compose/${path}`);
}

describe.each(INSTALLATIONS)('the keys of the installation by %s', (name, count) => {
  it.each([
    ['the repository', '.gitignore'],
    ['what builds the image', '.dockerignore'],
  ])('are not taken into %s', async (_where, list) => {
    const ignored = (await read(list)).split('\n').map((line) => line.replace(/\/$/, ''));
    // An exception would open them again.
    expect(ignored.filter((line) => line.startsWith('!'))).toEqual([]);
    const files = await secretFiles(name);
    expect(files).toHaveLength(count);
    for (const file of files) {
      const folders = file.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/'));
      expect(
        folders.some((folder) => ignored.includes(folder)),
        file,
      ).toBe(true);
    }
  });
});
