import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Recipe } from './recipe.ts';

/** Where Debian puts servers that are not for everybody. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/local/sbin'];

/** The path of a program, if the machine has it. */
export function programPath(name: string): string | undefined {
  const places = name.startsWith('/') ? [name] : FOLDERS.map((folder) => join(folder, name));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What is installed, of a server or of programs that a test runs itself. */
type Needs = Pick<Recipe, 'packages' | 'programs' | 'rootBecause' | 'refusal'>;

/**
 * Sees to it that the programs of a server are there, and installs what is missing where this process may. Answers why the server
 * cannot be had here and what to do, or nothing.
 */
export async function whyNot(recipe: Needs): Promise<string | undefined> {
  return (await missing(recipe)) ?? (await recipe.refusal?.());
}

async function missing(recipe: Needs): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it is started on Linux only';
  const isRoot = process.getuid?.() === 0;
  if (recipe.rootBecause !== undefined && !isRoot) return `it needs root: ${recipe.rootBecause}`;
  const absent = (): readonly string[] => recipe.programs.filter((name) => programPath(name) === undefined);
  if (absent().length === 0) return undefined;
  const command = `apt-get install --no-install-recommends ${recipe.packages.join(' ')}`;
  if (programPath('apt-get') === undefined) {
    return `${absent().join(', ')} is not installed; install what Debian has as ${recipe.packages.join(' ')}`;
  }
  if (!isRoot) return `${absent().join(', ')} is not installed; run as root: ${command}`;
  try {
    await install(recipe.packages);
  } catch (error) {
    const told = error instanceof Error ? error.message.trim().split('\n').slice(-3).join(' ') : String(error);
    return `its packages cannot be installed (${told}); try yourself: ${command}`;
  }
  const still = absent();
  return still.length === 0 ? undefined : `its packages are installed, and ${still.join(', ')} is still missing`;
}

/** Debian starts services as it installs them; ours run by themselves, elsewhere. */
const QUIET = {
  ...process.env,
  DEBIAN_FRONTEND: 'noninteractive',
  RUNLEVEL: '1',
};

async function install(packages: readonly string[]): Promise<void> {
  const apt = (...args: readonly string[]) =>
    promisify(execFile)('apt-get', ['-qq', '-y', ...args], { env: QUIET, maxBuffer: 64 * 1024 * 1024 });
  const packed = ['install', '--no-install-recommends', ...packages];
  // The list of packages may be absent or old.
  await apt(...packed).catch(async () => {
    await apt('update');
    await apt(...packed);
  });
}
