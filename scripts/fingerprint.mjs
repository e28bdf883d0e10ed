import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './report.mjs';

/** Every file below a folder, sorted, as paths from the project's root. */
export function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Changes when a file comes, goes or is written. Reads no contents, so that asking costs milliseconds. */
export function fingerprintOfTimes(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const { mtimeMs, size } = statSync(join(root, path));
    hash.update(`${path}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

export function fingerprintOfContents(path) {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
}
