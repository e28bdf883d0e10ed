import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from '../architecture/source-files.ts';
import { readPage } from './support/markdown.ts';

/** The rows of the table of lines: what is looked for, its folder, and a part of the line. */
const ROWS = [...readPage('docs/map.md').matchAll(/^\| ([^|`]+) \| `(src\/[^`]+)` \| `(.+)` \|$/gm)].map(
  ([, what = '', folder = '', line = '']) => ({ what, folder, line }),
);

const SOURCES = sourceFiles('src');

test('the map has six lines to find', () => {
  expect(ROWS).toHaveLength(6);
});

test.each(ROWS)('$what stands in $folder', ({ folder, line }) => {
  const files = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.some(({ name }) => readFileSync(join(ROOT, folder, name), 'utf8').includes(line))).toBe(true);
});

test.each(ROWS)('$what stands in no other room', ({ folder, line }) => {
  const others = SOURCES.filter(({ path, text }) => !path.startsWith(`${folder}/`) && text.includes(line));
  expect(others.map(({ path }) => path)).toEqual([]);
});
