import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from './source-files.ts';

// A folder with a package.json is a workspace: the file says what it may import and what others may import of it. Nothing installs it
// by that file; what is published stays one package.

interface Manifest {
  readonly name: string;
  readonly private: boolean;
  readonly type: string;
  /** What others may import of it; `./*`: every file. */
  readonly exports: Readonly<Record<string, string>>;
  /** Packages, and other workspaces, that it may import. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Further folders and files of the project that it may import. */
  readonly folders?: readonly string[];
}

const workspaces = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /(^|[\\/])package\.json$/.test(path))
  .map((path) => ({
    folder: join('src', dirname(path)).replaceAll('\\', '/'),
    manifest: JSON.parse(readFileSync(join(ROOT, 'src', path), 'utf8')) as Manifest,
  }));
const folderOf = new Map(workspaces.map(({ folder, manifest }) => [manifest.name, folder]));
const files = sourceFiles('src');

/** The name of a package by what is imported of it. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

it('has the workspaces that documentation names', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  expect(workspaces.length).toBeGreaterThan(5);
  expect(workspaces.map(({ folder }) => folder).filter((folder) => !text.includes(`\`${folder}\``))).toEqual([]);
});

describe.each(workspaces)('the workspace $folder', ({ folder, manifest }) => {
  const own = files.filter(({ path }) => isIn(path, folder));
  const imports = own.flatMap(({ path, imports: all }) =>
    all.filter((name) => !isIn(name, folder) && !isBuiltin(name)).map((name) => ({ path, name })),
  );
  const folders = [...(manifest.folders ?? [])];
  const local = Object.keys(manifest.dependencies).flatMap((name) => folderOf.get(name) ?? []);
  const isProjects = (name: string) => name.startsWith('src/') || name.startsWith('generated/');

  it('is private, and says what it is', () => {
    expect(manifest).toMatchObject({ private: true, type: 'module' });
    const lines = readFileSync(join(ROOT, folder, 'README.md'), 'utf8').split('\n');
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  it('imports what its package.json names, and nothing else', () => {
    const wrong = imports.filter(({ name }) =>
      isProjects(name)
        ? ![...local, ...folders].some((allowed) => isIn(name, allowed))
        : manifest.dependencies[packageOf(name)] === undefined,
    );
    expect(wrong.map(({ path, name }) => `${path} imports ${name}`)).toEqual([]);
  });

  it('names nothing that it does not import', () => {
    const names = imports.map(({ name }) => name);
    const packages = new Set(names.filter((name) => !isProjects(name)).map(packageOf));
    const unused = Object.keys(manifest.dependencies).filter((name) => {
      const its = folderOf.get(name);
      return its === undefined ? !packages.has(name) : !names.some((imported) => isIn(imported, its));
    });
    expect([...unused, ...folders.filter((each) => !names.some((name) => isIn(name, each)))]).toEqual([]);
  });

  it('is imported by what it exports', () => {
    const exported = new Set(Object.keys(manifest.exports));
    const entered = files
      .filter(({ path }) => !isIn(path, folder))
      .flatMap(({ path, imports: all }) => all.filter((name) => isIn(name, folder)).map((name) => ({ path, name })));
    const wrong = entered.filter(({ name }) => !exported.has('./*') && !exported.has(`.${name.slice(folder.length)}`));
    expect(wrong.map(({ path, name }) => `${path} imports ${name}`)).toEqual([]);
    const used = new Set(entered.map(({ name }) => `.${name.slice(folder.length)}`));
    expect([...exported].filter((name) => name !== './*' && !used.has(name))).toEqual([]);
  });
});
