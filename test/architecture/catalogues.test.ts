import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lists } from '../../scripts/catalogue.mjs';
import { COMMANDS } from '../../src/app/catalogue/commands.generated.ts';
import { OPERATIONS } from '../../src/app/catalogue/operations.ts';
import { TOOL_OPERATIONS } from '../../src/app/catalogue/tools.generated.ts';
import { BUILTIN_PLUGINS } from '../../src/plugins/index.ts';
import { ROOT, sourceFiles } from './source-files.ts';

describe('catalogues', () => {
  it.each(Object.entries(lists()))(
    '%s holds the operations that the files declare; else: npm run catalogue',
    (path, text) => {
      expect(lines(readFileSync(join(ROOT, path), 'utf8'))).toEqual(lines(text));
    },
  );

  it('tells the command line what operations declare of their commands; else: npm run catalogue', async () => {
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

  it('offers the pages what a page calls, and nothing else', () => {
    // The list of titles names all that change something, also for others.
    const pages = sourceFiles('src/adapters/admin/pages').filter(({ path }) => !path.endsWith('.generated.ts'));
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

/** The formatter sorts imports. */
function lines(text: string): string[] {
  return text.split('\n').sort();
}
