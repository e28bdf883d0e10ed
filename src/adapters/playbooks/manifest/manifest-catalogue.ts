import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { AppError, type ErrorDetail, type Playbook, type PlaybookCatalogue } from '../../../ports/index.ts';
import { type ManifestEntry, readManifest } from './read-manifest.ts';

export interface ManifestCatalogueOptions {
  /** The folder of playbooks, with their manifest. */
  readonly directory: string;
}

const MANIFEST = 'playbooks.yml';
/** Entries of the people who run this installation: further ones, and others in the place of those of the same file. */
const LOCAL_MANIFEST = 'playbooks.local.yml';
const USUAL_INVENTORY = 'automation';

/** The playbooks that the manifest of a folder names. */
export function manifestPlaybookCatalogue({ directory }: ManifestCatalogueOptions): PlaybookCatalogue {
  return {
    async list() {
      const bundled = await readManifest(join(directory, MANIFEST), MANIFEST);
      const local = await readManifest(join(directory, LOCAL_MANIFEST), LOCAL_MANIFEST);
      if (bundled === undefined && local === undefined) {
        throw new AppError(
          'failed',
          `there is no ${MANIFEST} in ${directory}; set PLAYBOOK_DIR to a folder that has one`,
        );
      }
      const problems: ErrorDetail[] = [...(bundled?.problems ?? []), ...(local?.problems ?? [])];
      const refused = new Set((local?.problems ?? []).map(({ path }) => path.slice(`${LOCAL_MANIFEST}: `.length)));
      const entries = new Map<string, ManifestEntry>();
      // A playbook must not run with what its broken local entry was to replace.
      for (const entry of bundled?.entries ?? []) if (!refused.has(entry.file)) entries.set(entry.file, entry);
      for (const entry of local?.entries ?? []) entries.set(entry.file, { ...entries.get(entry.file), ...entry });
      const playbooks: Playbook[] = [];
      for (const entry of entries.values()) {
        const message = await fileProblem(directory, entry.file);
        if (message === undefined) playbooks.push(toPlaybook(entry));
        else
          problems.push({
            path: `${local?.entries.includes(entry) ? LOCAL_MANIFEST : MANIFEST}: ${entry.file}`,
            message,
          });
      }
      return { playbooks: playbooks.sort((left, right) => (left.file < right.file ? -1 : 1)), problems };
    },
  };
}

function toPlaybook({ file, name, inventory, description }: ManifestEntry): Playbook {
  return { file, name: name || file, inventory: inventory ?? USUAL_INVENTORY, description: description ?? '' };
}

/** Why the file is none that may be run. Links are followed first, so that none leads out of the folder. */
async function fileProblem(directory: string, file: string): Promise<string | undefined> {
  if (isAbsolute(file)) return 'file must be relative to the folder of playbooks';
  if (file.split(/[\\/]/).includes('..')) return 'file must not lead out of the folder of playbooks';
  if (normalize(file) !== file || file.includes('\0')) return 'file must be a plain path without . and empty parts';
  try {
    const home = await realpath(directory);
    const found = await realpath(join(directory, file));
    if (!found.startsWith(home + sep)) return 'file is a link that leads out of the folder of playbooks';
    return (await stat(found)).isFile() ? undefined : 'file is not a regular file';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOENT' ? 'file does not exist' : `file cannot be read: ${code}`;
  }
}
