import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from './source-files.ts';

const MANTINE = join(ROOT, 'node_modules/@mantine/core');
const PAGES = 'src/adapters/admin/pages';

/** Pages load the styles of the components that they use, and not of all: shell/mantine.css lists them. */
describe('styles of components', () => {
  it('are there for every component that a page uses', () => {
    const list = readFileSync(join(ROOT, PAGES, 'shell/mantine.css'), 'utf8');
    const loaded = Array.from(list.matchAll(/@import "@mantine\/core\/(.+)";/g), ([, path = '']) =>
      readFileSync(join(MANTINE, path), 'utf8'),
    ).join('\n');
    const all = readFileSync(join(MANTINE, 'styles.css'), 'utf8');
    const missing = [...usedModules()]
      .filter((path) => path.endsWith('.module.mjs'))
      .filter((path) => classesIn(path).some((name) => all.includes(`.${name}`) && !loaded.includes(`.${name}`)));
    expect(missing.map((path) => path.slice(MANTINE.length + 1))).toEqual([]);
  });
});

function classesIn(path: string): string[] {
  return Array.from(readFileSync(path, 'utf8').matchAll(/\bm_[0-9a-f]+/g), ([name]) => name);
}

/** Modules of the library that the imports of pages lead to. */
function usedModules(): Set<string> {
  const index = readFileSync(join(MANTINE, 'esm/index.mjs'), 'utf8');
  const moduleOf = new Map(
    Array.from(index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)";/g), ([, names = '', path = '']) =>
      names.split(',').map((name) => [name.split(' as ').at(-1)?.trim() ?? '', join(MANTINE, 'esm', path)] as const),
    ).flat(),
  );
  const used = new Set<string>();
  const follow = (path: string): void => {
    if (used.has(path) || !existsSync(path)) return;
    used.add(path);
    for (const [, next = ''] of readFileSync(path, 'utf8').matchAll(/from "(\.[^"]+)"/g))
      follow(join(dirname(path), next));
  };
  for (const { text } of sourceFiles(PAGES)) {
    for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
      for (const name of names.split(',')) follow(moduleOf.get(name.trim()) ?? '');
    }
  }
  return used;
}
