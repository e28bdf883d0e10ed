import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { AppError, type ErrorDetail } from '../../../ports/index.ts';

/** One entry of a manifest file; members that are not given are absent. */
export interface ManifestEntry {
  readonly file: string;
  readonly name?: string;
  readonly inventory?: string;
  readonly description?: string;
}

export interface ReadManifest {
  readonly entries: readonly ManifestEntry[];
  readonly problems: readonly ErrorDetail[];
}

const MEMBERS = ['file', 'name', 'inventory', 'description'];

/** Reads one manifest file; `undefined` when there is none. Throws when it cannot be read as a manifest at all. */
export async function readManifest(path: string, label: string): Promise<ReadManifest | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw broken(path, String(error.code ?? error.message), error);
  });
  if (text === undefined) return undefined;
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault !== undefined) throw broken(path, fault.message.split('\n')[0] ?? '', fault);
  const content: unknown = toPlain(document, path);
  const list = isObject(content) ? content.playbooks : undefined;
  if (!Array.isArray(list)) throw broken(path, 'it must have a list named playbooks');
  return sortOut(list, label);
}

function toPlain(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    // Aliases are counted, so that a small file cannot become a large one.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw broken(path, error instanceof Error ? error.message : String(error), error);
  }
}

function sortOut(list: readonly unknown[], label: string): ReadManifest {
  const entries: ManifestEntry[] = [];
  const problems: ErrorDetail[] = [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const path = entryPath(label, index, item);
    const message = problemOf(item) ?? (isEntry(item) && seen.has(item.file) ? 'is named twice' : undefined);
    if (message !== undefined) problems.push({ path, message });
    else if (isEntry(item)) {
      seen.add(item.file);
      entries.push(item);
    }
  }
  return { entries, problems };
}

function problemOf(item: unknown): string | undefined {
  if (!isObject(item)) return 'must be an object with file, name, inventory and description';
  const unknown = Object.keys(item).filter((name) => !MEMBERS.includes(name));
  if (unknown.length > 0) return `has unknown members: ${unknown.join(', ')}`;
  const wrong = MEMBERS.filter((name) => item[name] !== undefined && typeof item[name] !== 'string');
  if (wrong.length > 0) return `${wrong.join(', ')} must be text`;
  if (typeof item.file !== 'string' || item.file === '') return 'has no file';
  return item.inventory === '' ? 'inventory must name a provider' : undefined;
}

/** Where the entry stands, by its file where it has one. */
function entryPath(label: string, index: number, item: unknown): string {
  const file = isObject(item) && typeof item.file === 'string' && item.file !== '' ? item.file : undefined;
  return `${label}: ${file ?? `entry ${index + 1}`}`;
}

/** Said after `problemOf` found nothing. */
function isEntry(item: unknown): item is ManifestEntry {
  return isObject(item) && typeof item.file === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function broken(path: string, reason: string, cause?: unknown): AppError {
  return new AppError('failed', `the list of playbooks ${path} cannot be read: ${reason}`, { cause });
}
