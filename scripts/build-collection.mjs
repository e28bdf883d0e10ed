// Makes the Ansible collection `muster_cmdb.muster`: packaging/ansible-collection, the licence, and the inventory plugin. The plugin stands
// once, in ansible/inventory_plugins, where installations have it. No link leads from one to the other: npm packs none, Windows checks them
// out as text, and a file that only imports another would have no options, for Ansible reads DOCUMENTATION from the text of a plugin.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { filesBelow } from './fingerprint.mjs';
import { writeWhole } from './outputs.mjs';
import { root } from './report.mjs';

const skeleton = join('packaging', 'ansible-collection');

/** Where it is below a folder in which Ansible looks for collections. */
export const collectionPath = join('ansible_collections', 'muster_cmdb', 'muster');

/** The files of the collection, each with the one that it is made of. */
function sources() {
  const own = filesBelow(skeleton).map((path) => [relative(skeleton, path), path]);
  const plugin = join('ansible', 'inventory_plugins', 'muster.py');
  return new Map([...own, ['LICENSE', 'LICENSE'], [join('plugins', 'inventory', 'muster.py'), plugin]]);
}

async function contentsOf(path) {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}

/** Writes what is not there yet, takes away what is none of it, and says whether anything was written. */
export async function buildCollection(folder) {
  const target = join(folder, collectionPath);
  const files = sources();
  await mkdir(target, { recursive: true });
  let stale = false;
  for (const [name, source] of files) {
    const path = join(target, name);
    const contents = await readFile(join(root, source));
    if ((await contentsOf(path))?.equals(contents)) continue;
    stale = true;
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path, contents);
  }
  for (const path of filesBelow(relative(root, target))) {
    if (!files.has(relative(relative(root, target), path))) await rm(join(root, path));
  }
  return stale;
}
