import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** What knows every adapter and plugin. */
const COMPOSITION_ROOT = 'src/main/';

/** What only decides: of values that it is given, without a store, a clock or a service. */
const PURE =
  /^src\/app\/(templating|words|rules\/(engine|document)|kernel\/(json|masking|names|options)|(\w+\/)+decisions)\/|^src\/app\/kernel\/(unicode|plain-message|turns|worded|wildcard|template-fault)\.ts$/;

/**
 * What plugins and driven adapters may use of the core, so that one thing is decided or read in one way: stores decide where
 * they write, because a function cannot travel to the writer thread or into a compare-and-set. Sentences are put into words in one way too.
 */
const DECIDES =
  /^src\/app\/(((\w+\/)+decisions|kernel\/(json|masking|names|options)|rules\/document)\/|(kernel\/worded|templating\/point-in-time)\.ts$)/;

/** The rooms of the core, from the ground up. A room imports what lies below it, and none on its own floor. */
const FLOORS = [
  ['kernel', 'templating', 'words'],
  ['extensions', 'hosts', 'journal'],
  ['rules'],
  ['accounts', 'inventory', 'users'],
  ['logins', 'maintenance', 'runs', 'search'],
  ['catalogue'],
];

function roomOf(path: string): string | undefined {
  return /^src\/app\/(\w+)\//.exec(path)?.[1];
}

function floorOf(room: string | undefined): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room ?? ''));
}

function wrongImports(
  files: readonly SourceFile[],
  allowed: (imported: string, file: SourceFile) => boolean,
): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter((imported) => imported.startsWith('src/') || imported.startsWith('test/'))
      .filter((imported) => !allowed(imported, file))
      .map((imported) => `${file.path} imports ${imported}`),
  );
}

describe('layers', () => {
  it('lets ports import ports only', () => {
    const files = sourceFiles('src/ports');
    expect(files.length).toBeGreaterThan(10);
    expect(wrongImports(files, (imported) => imported.startsWith('src/ports/'))).toEqual([]);
  });

  it('lets the core import ports and itself only', () => {
    expect(wrongImports(sourceFiles('src/app'), (imported) => /^src\/(ports|app)\//.test(imported))).toEqual([]);
  });

  it('has every file of the core in a room, and every room on a floor', () => {
    const rooms = new Set(sourceFiles('src/app').map(({ path }) => roomOf(path)));
    expect([...rooms].sort()).toEqual(FLOORS.flat().sort());
  });

  it('lets a room of the core import only rooms below it', () => {
    const wrong = wrongImports(sourceFiles('src/app'), (imported, { path }) => {
      const [from, to] = [roomOf(path), roomOf(imported)];
      return !imported.startsWith('src/app/') || from === to || floorOf(to) < floorOf(from);
    });
    expect(wrong).toEqual([]);
  });

  it('lets what only decides import ports and the like, so that it needs no store and no clock', () => {
    const files = sourceFiles('src/app').filter(({ path }) => PURE.test(path));
    expect(files.length).toBeGreaterThan(80);
    expect(wrongImports(files, (imported) => imported.startsWith('src/ports/') || PURE.test(imported))).toEqual([]);
  });

  it('lets the template engine import nothing of Muster', () => {
    const files = sourceFiles('src/app/templating');
    expect(files.length).toBeGreaterThan(20);
    expect(wrongImports(files, (imported) => imported.startsWith('src/app/templating/'))).toEqual([]);
  });

  it('lets the listener import the core and ports, and no entrance', () => {
    const files = sourceFiles('src/adapters/listener');
    expect(files.length).toBeGreaterThan(10);
    expect(wrongImports(files, (imported) => /^src\/(ports|app|adapters\/listener)\//.test(imported))).toEqual([]);
  });

  it('lets plugins import ports, what plugins share, and what only reads or decides, never each other', () => {
    const wrong = wrongImports(sourceFiles('src/plugins'), (imported, file) => {
      const own = file.path.split('/').slice(0, 3).join('/');
      return (
        /^src\/ports\//.test(imported) ||
        DECIDES.test(imported) ||
        imported.startsWith(`${own}/`) ||
        imported.startsWith('src/plugins/shared/')
      );
    }).filter((line) => !line.startsWith('src/plugins/index.ts '));
    expect(wrong).toEqual([]);
  });

  it('lets driven adapters import ports, their own folder, and what only reads or decides', () => {
    const driven = [
      'audit-sinks',
      'http-client',
      'storage',
      'files',
      'secrets',
      'passwords',
      'playbooks',
      'logging',
      'scheduler',
    ];
    const wrong = driven.flatMap((folder) =>
      wrongImports(
        sourceFiles(`src/adapters/${folder}`),
        (imported) =>
          imported.startsWith('src/ports/') ||
          imported.startsWith(`src/adapters/${folder}/`) ||
          // The driver that the store and the scratch of imports open.
          imported === 'src/adapters/sqlite-driver.ts' ||
          DECIDES.test(imported),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('lets only the composition root read the environment', () => {
    const readers = sourceFiles('src').filter((file) => /process\.env\b/.test(file.text));
    expect(readers.map((file) => file.path).filter((path) => !path.startsWith(COMPOSITION_ROOT))).toEqual([]);
  });

  it('lets the tool server import the core, ports, the listener, and its own folder only', () => {
    const files = sourceFiles('src/adapters/mcp');
    expect(files.length).toBeGreaterThan(10);
    const wrong = wrongImports(files, (imported) => /^src\/(ports|app|adapters\/(mcp|listener))\//.test(imported));
    expect(wrong).toEqual([]);
    expect(files.filter(({ imports }) => imports.some((name) => name.startsWith(COMPOSITION_ROOT)))).toEqual([]);
  });

  it('loads the tool server and its SDK where they are used, and for no other command', () => {
    const others = sourceFiles('src').filter((file) => !file.path.startsWith('src/adapters/mcp/'));
    expect(others.filter(({ imports }) => imports.some((name) => name.startsWith('@modelcontextprotocol/')))).toEqual(
      [],
    );
    const loaded = others.filter(({ text }) => /^import (?!type )[^;]*from '[^']*\/mcp\/[^']*'/m.test(text));
    expect(loaded.map((file) => file.path)).toEqual([]);
  });

  it('lets the admin interface import the core, ports, the listener, and its own folder only', () => {
    const files = sourceFiles('src/adapters/admin');
    expect(files.length).toBeGreaterThan(5);
    const wrong = wrongImports(files, (imported) => /^src\/(ports|app|adapters\/(admin|listener))\//.test(imported));
    expect(wrong).toEqual([]);
    expect(files.filter(({ imports }) => imports.some((name) => name.startsWith(COMPOSITION_ROOT)))).toEqual([]);
  });

  it('lets published contract suites import ports and each other only, and nothing but tests load them', () => {
    const files = sourceFiles('src/testing');
    expect(files.length).toBeGreaterThan(10);
    expect(wrongImports(files, (imported) => /^src\/(ports|testing)\//.test(imported))).toEqual([]);
    const others = sourceFiles('src').filter(({ path }) => !path.startsWith('src/testing'));
    expect(wrongImports(others, (imported) => !imported.startsWith('src/testing'))).toEqual([]);
  });

  it('never imports from tests', () => {
    expect(wrongImports(sourceFiles('src'), (imported) => !imported.startsWith('test/'))).toEqual([]);
  });
});
