import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** Path of the profiles; `undefined` if the user has no home directory. */
export function profilesPath({ variable }: Pick<Terminal, 'variable'>): string | undefined {
  const folder = variable('XDG_CONFIG_HOME') || under(variable('HOME'), '.config') || variable('APPDATA');
  return under(folder, 'muster', 'profiles.json');
}

export function hasProfiles(terminal: Pick<Terminal, 'variable'>): boolean {
  const path = profilesPath(terminal);
  return path !== undefined && existsSync(path);
}

function under(folder: string | undefined, ...names: readonly string[]): string | undefined {
  return folder === undefined || folder === '' ? undefined : join(folder, ...names);
}
