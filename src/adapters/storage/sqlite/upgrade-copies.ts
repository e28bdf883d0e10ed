import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Copies of a database from before upgrades are kept next to it: `muster.db.before-upgrade-20-20261128T142405Z`. */

const NAME = /^\.before-upgrade-\d+-(\d{8}T\d{6}Z)(\.part)?$/;

export function copyName(path: string, version: number, now: Date): string {
  return `${path}.before-upgrade-${version}-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

/** Newest first. */
export function copiesOf(path: string): readonly string[] {
  return found(path)
    .filter(({ isDraft }) => !isDraft)
    .sort((one, other) => (one.moment < other.moment ? 1 : -1))
    .map((copy) => copy.path);
}

/** Unfinished copies of a process that died. */
export function draftsOf(path: string): readonly string[] {
  return found(path).flatMap((copy) => (copy.isDraft ? [copy.path] : []));
}

function found(path: string): { readonly moment: string; readonly isDraft: boolean; readonly path: string }[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const name = basename(path);
  return readdirSync(folder)
    .filter((file) => file.startsWith(name))
    .flatMap((file) => {
      const [, moment, part] = NAME.exec(file.slice(name.length)) ?? [];
      return moment === undefined ? [] : [{ moment, isDraft: part !== undefined, path: join(folder, file) }];
    });
}
