import { readFileSync, type Stats, statSync } from 'node:fs';
import type { InstanceKeys } from './aes-gcm-secret-box.ts';
import { instanceKeyFile, type MayBeFirst, missing, parseInstanceKey, readKeyFile, unusable } from './instance-key.ts';

/** Path of the previous key during a rotation. */
export function previousKeyPath(path: string): string {
  return `${path}.previous`;
}

/** Keys from a file. A running service sees another process rotate them: a file that changed is read again. */
export function instanceKeysOfFile(path: string, mayBeFirst: MayBeFirst): InstanceKeys {
  const current = watched(path, () => readKeyFile(path) ?? fail(path));
  const previousPath = previousKeyPath(path);
  const previous = watched(previousPath, () => parseInstanceKey(readFileSync(previousPath, 'utf8'), previousPath));
  return {
    current: async () => current() ?? instanceKeyFile(path, mayBeFirst),
    existing: () => current() ?? fail(path),
    previous,
  };
}

export function fixedInstanceKey(key: () => Buffer): InstanceKeys {
  let known: Buffer | undefined;
  const existing = (): Buffer => {
    known ??= key();
    return known;
  };
  return {
    current: async () => existing(),
    existing,
    previous: () => undefined,
  };
}

/** Caches what `read` makes of a file until the file changes; `undefined` while there is none. */
function watched(path: string, read: () => Buffer): () => Buffer | undefined {
  let known: { readonly mark: string; readonly key: Buffer } | undefined;
  return () => {
    const stats = statsOf(path);
    if (stats === undefined) return undefined;
    const mark = markOf(stats);
    if (known?.mark !== mark) known = { mark, key: read() };
    return known.key;
  };
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw unusable(path, cause);
  }
}

function markOf({ ino, mtimeMs, size }: Stats): string {
  return `${ino}/${mtimeMs}/${size}`;
}

function fail(path: string): never {
  throw missing(path);
}
