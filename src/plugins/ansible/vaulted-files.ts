import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isVaultedText } from '../../kit/records/vaulted.ts';

/** Folders in which Ansible looks for variables by itself. */
const VARIABLES = new Set(['group_vars', 'host_vars']);
const MOST_ENTRIES = 100_000;
const FIRST_BYTES = 32;

/** A place as ansible-inventory reads it: itself, or a folder of links to all of it but the files that a vault encrypts as a whole. */
export interface ReadablePlace {
  readonly path: string;
  readonly encrypted: readonly string[];
}

/** The inventory without its encrypted files. `folder` is an empty one of ours, for the links. */
export async function withoutEncrypted(
  { path, isFolder }: { readonly path: string; readonly isFolder: boolean },
  folder: string,
): Promise<ReadablePlace> {
  const root = isFolder ? path : dirname(path);
  const encrypted = await encryptedBelow(root, isFolder);
  if (encrypted.length === 0) return { path, encrypted };
  await linkBut(root, folder, new Set(encrypted));
  return { path: isFolder ? folder : join(folder, basename(path)), encrypted };
}

/**
 * Returns the encrypted files below a folder. In the folder of an inventory, all of its own files count, otherwise only those
 * with variables.
 */
async function encryptedBelow(root: string, isInventory: boolean): Promise<readonly string[]> {
  const found: string[] = [];
  const open: { path: string; counts: boolean }[] = [{ path: root, counts: isInventory }];
  let seen = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const entry of await entriesOf(place.path)) {
      if (++seen > MOST_ENTRIES) return found;
      const path = join(place.path, entry.name);
      const isFolder = await leadsToFolder(entry, path);
      if (isFolder && (place.path !== root || isInventory || VARIABLES.has(entry.name)) && !entry.isSymbolicLink()) {
        open.push({ path, counts: true });
      } else if (!isFolder && place.counts && (await isEncrypted(path))) found.push(path);
    }
  }
  return found.sort();
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

async function leadsToFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function isEncrypted(path: string): Promise<boolean> {
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  const file = isFile ? await open(path).catch(() => undefined) : undefined;
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    const text = buffer.toString('latin1', 0, bytesRead);
    return isVaultedText(text) && text.startsWith('$');
  } finally {
    await file.close();
  }
}

async function linkBut(from: string, to: string, left: ReadonlySet<string>): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await entriesOf(from)) {
    const path = join(from, entry.name);
    if (left.has(path)) continue;
    const holds = [...left].some((file) => file.startsWith(`${path}/`));
    if (holds) await linkBut(path, join(to, entry.name), left);
    else await symlink(path, join(to, entry.name));
  }
}
