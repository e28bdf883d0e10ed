import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/app/catalogue.ts';
import { BUILTIN_PLUGINS } from '../../src/plugins/index.ts';
import { ROOT, sourceFiles } from './source-files.ts';

describe('catalogues', () => {
  it('lists every operation of the folders, once', () => {
    const declared = sourceFiles('src/app/operations').flatMap((file) =>
      [...file.text.matchAll(/= define(?:Stream)?Operation\(\{\s*name: '([^']+)'/g)].map(([, name]) => ({
        name: name as string,
        path: file.path,
      })),
    );
    expect(OPERATIONS.map((operation) => operation.name).sort()).toEqual(declared.map(({ name }) => name).sort());
    for (const { name, path } of declared) expect(path).toBe(`src/app/operations/${name}.ts`);
  });

  it('declares for every operation who may use it and what it says of itself', () => {
    for (const operation of OPERATIONS) {
      expect(operation.roles.length, operation.name).toBeGreaterThan(0);
      expect(operation.title, operation.name).not.toBe('');
      expect(operation.description, operation.name).toMatch(/\.$/);
    }
  });

  it('lists every plugin of the folders, with the id of its folder', () => {
    const folders = readdirSync(join(ROOT, 'src/plugins'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
      .map((entry) => entry.name);
    expect(BUILTIN_PLUGINS.map((plugin) => plugin.id).sort()).toEqual(folders.sort());
  });
});
