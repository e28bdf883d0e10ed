import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file appears whole or not at all: a service or a test run may be reading the folder meanwhile. */
export async function writeWhole(path, contents) {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

/** Takes away what earlier builds left, but for what somebody is writing just now. */
export async function removeOthers(folder, kept) {
  for (const name of await readdir(folder)) {
    if (!kept.has(name) && !name.endsWith('.tmp')) await rm(join(folder, name), { recursive: true, force: true });
  }
}
