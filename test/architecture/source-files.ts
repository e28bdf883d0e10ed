import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** What it imports: project files as paths from the root, packages by name. Type imports count too. */
  readonly imports: readonly string[];
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g;

/** All TypeScript files below a folder of the project. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readSource(join(entry.parentPath, entry.name)));
}

function readSource(absolute: string): SourceFile {
  const text = readFileSync(absolute, 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, specifier]) => {
    const name = specifier as string;
    return name.startsWith('.') ? relative(ROOT, resolve(dirname(absolute), name)) : name;
  });
  return { path: relative(ROOT, absolute), text, imports };
}
