import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** The one file of the core that knows every adapter and plugin. */
const COMPOSITION_ROOT = 'src/app/compose.ts';

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

  it('lets the core import ports and itself only, but for the composition root', () => {
    const files = sourceFiles('src/app').filter((file) => file.path !== COMPOSITION_ROOT);
    expect(wrongImports(files, (imported) => /^src\/(ports|app)\//.test(imported))).toEqual([]);
  });

  it('lets the domain import ports and domain only', () => {
    const files = sourceFiles('src/app/domain');
    expect(wrongImports(files, (imported) => /^src\/(ports|app\/domain)\//.test(imported))).toEqual([]);
  });

  it('lets plugins import ports and what plugins share, never each other or the core', () => {
    const wrong = wrongImports(sourceFiles('src/plugins'), (imported, file) => {
      const own = file.path.split('/').slice(0, 3).join('/');
      return (
        /^src\/ports\//.test(imported) || imported.startsWith(`${own}/`) || imported.startsWith('src/plugins/shared/')
      );
    }).filter((line) => !line.startsWith('src/plugins/index.ts '));
    expect(wrong).toEqual([]);
  });

  it('lets driven adapters import ports and their own folder only', () => {
    const driven = ['audit-sinks', 'storage', 'files', 'secrets', 'passwords', 'playbooks', 'logging', 'scheduler'];
    const wrong = driven.flatMap((folder) =>
      wrongImports(
        sourceFiles(`src/adapters/${folder}`),
        (imported) => imported.startsWith('src/ports/') || imported.startsWith(`src/adapters/${folder}/`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('lets only the composition root read the environment', () => {
    const readers = sourceFiles('src').filter((file) => /process\.env\b/.test(file.text));
    expect(readers.map((file) => file.path).filter((path) => path !== COMPOSITION_ROOT)).toEqual([]);
  });

  it('lets the tool server import the core, ports, what HTTP entrances share, and its own folder only', () => {
    const shared = /^src\/adapters\/http\/(access\/|answers|bodies\/|errors|listener|methods|request-context)/;
    const files = sourceFiles('src/adapters/mcp');
    expect(files.length).toBeGreaterThan(10);
    const wrong = wrongImports(
      files,
      (imported) => /^src\/(ports|app|adapters\/mcp)\//.test(imported) || shared.test(imported),
    ).filter((line) => !line.includes(COMPOSITION_ROOT));
    expect(wrong).toEqual([]);
    expect(files.filter(({ imports }) => imports.includes(COMPOSITION_ROOT))).toEqual([]);
  });

  it('loads the tool server and its SDK where they are used, and for no other command', () => {
    const others = sourceFiles('src').filter((file) => !file.path.startsWith('src/adapters/mcp/'));
    expect(others.filter(({ imports }) => imports.some((name) => name.startsWith('@modelcontextprotocol/')))).toEqual(
      [],
    );
    const loaded = others.filter(({ text }) => /^import (?!type )[^;]*from '[^']*\/mcp\/[^']*'/m.test(text));
    expect(loaded.map((file) => file.path)).toEqual([]);
  });

  it('lets the admin interface import the core, ports, what HTTP entrances share, and its own folder only', () => {
    const shared = /^src\/adapters\/http\/(access\/|answers|compression|mount|request-context|stalled-readers)/;
    const files = sourceFiles('src/adapters/admin');
    expect(files.length).toBeGreaterThan(5);
    const wrong = wrongImports(
      files,
      (imported) => /^src\/(ports|app|adapters\/admin)\//.test(imported) || shared.test(imported),
    );
    expect(wrong).toEqual([]);
    expect(files.filter(({ imports }) => imports.includes(COMPOSITION_ROOT))).toEqual([]);
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
