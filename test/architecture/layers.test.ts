import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts';

/** What knows every adapter and plugin. */
const COMPOSITION_ROOT = 'src/main/';

/** What only decides: of values that it is given, without a store, a clock or a service. */
const PURE = /^src\/(jinja|kit|app\/(rules\/engine|([\w-]+\/)+decisions))\/|^src\/app\/kernel\/turns\.ts$/;

/**
 * Decisions of the core that driven adapters may use: stores decide where they write, because a function cannot travel to the writer
 * thread or into a compare-and-set.
 */
const DECIDES = /^src\/(kit|app\/([\w-]+\/)+decisions)\//;

/**
 * The rooms of the core, from the ground up; features are above them. A room imports rooms below its own floor, and none on it.
 * More than five floors in all are a longer way than a reader follows.
 */
const FLOORS = [
  ['kernel'],
  ['extensions', 'hosts', 'journal', 'rules'],
  ['accounts', 'catalogue', 'inventory', 'users'],
  ['maintenance', 'runs'],
];
const MOST_FLOORS = 5;

/** Rooms of which the folders import each other in one direction only. */
const WITHOUT_CYCLES = ['rules'];

function roomOf(path: string): string | undefined {
  return /^src\/app\/([\w-]+)\//.exec(path)?.[1];
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

/** The folders below `folder` that lead back to themselves by imports of their files, types too. */
function foldersInCycles(folder: string): readonly string[] {
  const imports = new Map<string, Set<string>>();
  for (const { path, imports: imported } of sourceFiles(folder)) {
    const own = imports.get(dirname(path)) ?? new Set();
    imports.set(dirname(path), own);
    for (const name of imported)
      if (name.startsWith(`${folder}/`) && dirname(name) !== dirname(path)) own.add(dirname(name));
  }
  const reached = (from: string, found: Set<string>): ReadonlySet<string> => {
    for (const next of imports.get(from) ?? []) if (!found.has(next)) reached(next, found.add(next));
    return found;
  };
  return [...imports.keys()].filter((each) => reached(each, new Set()).has(each)).sort();
}

describe('layers', () => {
  it('lets ports import ports only', () => {
    const files = sourceFiles('src/ports');
    expect(files.length).toBeGreaterThan(10);
    expect(wrongImports(files, (imported) => imported.startsWith('src/ports/'))).toEqual([]);
  });

  it('lets the kit import ports, the template engine and itself only', () => {
    const files = sourceFiles('src/kit');
    expect(files.length).toBeGreaterThan(100);
    expect(wrongImports(files, (imported) => /^src\/(ports|jinja|kit)\//.test(imported))).toEqual([]);
  });

  it('lets the core import ports, the kit, the template engine and itself only', () => {
    const wrong = wrongImports(sourceFiles('src/app'), (imported) => /^src\/(ports|app|kit|jinja)\//.test(imported));
    expect(wrong).toEqual([]);
  });

  it('has every file of the core in a room of a floor, and every other room is a feature', () => {
    const rooms = new Set(sourceFiles('src/app').map(({ path }) => roomOf(path) ?? path));
    const others = [...rooms].filter((room) => floorOf(room) === -1);
    expect(others.filter((room) => !existsSync(join(ROOT, 'src/app', room, 'feature.ts')))).toEqual([]);
    expect(FLOORS.flat().filter((room) => !rooms.has(room))).toEqual([]);
    expect(FLOORS.length + 1).toBeLessThanOrEqual(MOST_FLOORS);
  });

  it.each(WITHOUT_CYCLES)('has no cycle between the folders of %s', (room) => {
    expect(foldersInCycles(`src/app/${room}`)).toEqual([]);
  });

  it('lets a room of the core import only rooms below it, and a feature only the core', () => {
    const wrong = wrongImports(sourceFiles('src/app'), (imported, { path }) => {
      if (!imported.startsWith('src/app/')) return true;
      const [from, to] = [roomOf(path), roomOf(imported)];
      return from === to || (floorOf(to) !== -1 && (floorOf(from) === -1 || floorOf(to) < floorOf(from)));
    });
    expect(wrong).toEqual([]);
  });

  it('lets what only decides import ports and the like, so that it needs no store and no clock', () => {
    const files = sourceFiles('src/app').filter(({ path }) => PURE.test(path));
    expect(files.length).toBeGreaterThan(80);
    expect(wrongImports(files, (imported) => imported.startsWith('src/ports/') || PURE.test(imported))).toEqual([]);
  });

  it('lets the template engine import nothing of Muster', () => {
    const files = sourceFiles('src/jinja');
    expect(files.length).toBeGreaterThan(20);
    expect(wrongImports(files, (imported) => imported.startsWith('src/jinja/'))).toEqual([]);
  });

  it('lets the listener import the core and ports, and no entrance', () => {
    const files = sourceFiles('src/adapters/listener');
    expect(files.length).toBeGreaterThan(10);
    expect(
      wrongImports(files, (imported) => /^src\/(ports|kit|jinja|app|adapters\/listener)\//.test(imported)),
    ).toEqual([]);
  });

  it('lets plugins import ports, the kit and what plugins share, never the core or each other', () => {
    const wrong = wrongImports(sourceFiles('src/plugins'), (imported, file) => {
      const own = file.path.split('/').slice(0, 3).join('/');
      return (
        /^src\/(ports|kit)\//.test(imported) ||
        imported === 'src/jinja/point-in-time.ts' ||
        imported.startsWith(`${own}/`) ||
        imported.startsWith('src/plugins/shared/') ||
        // The list of all plugins.
        (file.path === 'src/plugins/index.ts' && /^src\/plugins\/[\w-]+\/index\.ts$/.test(imported))
      );
    });
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
    const wrong = wrongImports(files, (imported) => /^src\/(ports|kit|app|adapters\/(mcp|listener))\//.test(imported));
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
    const wrong = wrongImports(files, (imported) =>
      /^src\/(ports|kit|app|adapters\/(admin|listener))\//.test(imported),
    );
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
