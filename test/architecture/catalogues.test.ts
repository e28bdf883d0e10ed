import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../generated/commands.ts';
import { HEAVY_OPERATIONS } from '../../generated/heavy.ts';
import { OPERATION_TITLES } from '../../generated/operation-titles.ts';
import { TOOL_OPERATIONS } from '../../generated/tools.ts';
import { OPERATIONS } from '../../src/app/catalogue/operations.ts';
import { BUILTIN_PLUGINS } from '../../src/plugins/index.ts';
import { ROOT, sourceFiles } from './source-files.ts';

describe('catalogues', () => {
  it('tells the command line what operations declare of their commands', async () => {
    const listed = await Promise.all(
      Object.entries(COMMANDS).map(async ([word, load]) => (await load()).map((command) => ({ word, ...command }))),
    );
    const loaded = listed
      .flat()
      .map(async ({ word, operation, ...usage }) => ({ word, operation: (await operation()).name, usage }));
    const declared = OPERATIONS.flatMap(({ name, description, at }) =>
      [at.command ?? []].flat().map((entry) => ({
        word: entry.words.split(' ')[0],
        operation: name,
        // Without the functions.
        usage: JSON.parse(JSON.stringify({ description, ...entry })),
      })),
    );
    expect(byWords(await Promise.all(loaded))).toEqual(byWords(declared));
  });

  it('declares for every operation who may use it and what it says of itself', () => {
    for (const operation of OPERATIONS) {
      expect(operation.roles.length, operation.name).toBeGreaterThan(0);
      expect(operation.title, operation.name).not.toBe('');
      expect(operation.description, operation.name).toMatch(/\.$/);
    }
  });

  it('gives the tool server every operation that is a tool', () => {
    expect(TOOL_OPERATIONS).toEqual(OPERATIONS.filter(({ at }) => at.tool !== undefined));
  });

  it('lists what is heavy and what changes something by its text as it is declared, under second names too', () => {
    const heavy = OPERATIONS.filter(({ weight }) => weight === 'heavy').map(({ name }) => name);
    expect(Object.keys(HEAVY_OPERATIONS)).toEqual(heavy);
    const titles = OPERATIONS.filter(({ effect }) => effect !== 'read').map(({ name, title }) => [name, title]);
    expect(OPERATION_TITLES).toEqual(Object.fromEntries(titles));
  });

  it('offers the pages what a page calls, and nothing else', () => {
    const pages = sourceFiles('src/adapters/admin/pages');
    const called = pages.flatMap(({ text }) =>
      Array.from(text.matchAll(/'([a-z]+\/[a-z-]+)'/g), ([, name = '']) => name),
    );
    const known = new Set(OPERATIONS.map(({ name }) => name));
    const offered = OPERATIONS.filter(({ at }) => at.page === true).map(({ name }) => name);
    expect(offered.toSorted()).toEqual([...new Set(called.filter((name) => known.has(name)))].sort());
  });

  it('lists every plugin of the folders, with the id of its folder', () => {
    const folders = readdirSync(join(ROOT, 'src/plugins'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
      .map((entry) => entry.name);
    expect(BUILTIN_PLUGINS.map((plugin) => plugin.id).sort()).toEqual(folders.sort());
  });
});

function byWords<Listed extends { readonly usage: { readonly words: string } }>(commands: readonly Listed[]): Listed[] {
  return commands.toSorted((a, b) => (a.usage.words < b.usage.words ? -1 : 1));
}
