import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { AppError, type MachineSecrets } from '../../ports/index.ts';

export interface MachineSecretsOptions {
  /** Absolute paths of folders with files of secrets. */
  readonly folders: readonly string[];
  /** Files that are never read, wherever they lie: the instance key, the key of TLS, the database. */
  readonly closed: readonly string[];
  /** Names of variables, or beginnings that end in `*`. */
  readonly variables: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const MOST_BYTES = 64 * 1024;

/** Files and variables that the configuration opens for secrets. */
export function machineSecrets(options: MachineSecretsOptions): MachineSecrets {
  return {
    file: (path, { signal }) => secretFile(options, path, signal),
    variable(name) {
      if (!options.variables.some((allowed) => isAllowed(name, allowed))) {
        const allowed = options.variables.join(', ') || 'none';
        throw new AppError(
          'failed',
          `the variable ${name} is not open for secrets; SECRET_ENVIRONMENT allows ${allowed}`,
        );
      }
      const value = options.environment[name];
      if (value === undefined || value === '') throw new AppError('failed', `the variable ${name} is not set`);
      return value;
    },
  };
}

function isAllowed(name: string, allowed: string): boolean {
  return allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed;
}

/** Links are followed, because mounted secrets are links, and their targets must be below a folder too. */
async function secretFile(
  { folders, closed }: MachineSecretsOptions,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const asked = isAbsolute(path) ? [resolve(path)] : folders.map((folder) => join(folder, path));
  const inside = asked.filter((candidate) => folders.some((folder) => isBelow(candidate, folder)));
  if (inside.length === 0) throw outside(path, folders);
  for (const candidate of inside) {
    const real = await realpath(candidate).catch((error: unknown) => {
      if (isAbsent(error)) return undefined;
      throw unreadable(path, error);
    });
    if (real === undefined) continue;
    const [open, shut] = await Promise.all([realPaths(folders), realPaths(closed)]);
    if (!open.some((folder) => isBelow(real, folder)) || shut.includes(real)) throw outside(path, folders);
    signal.throwIfAborted();
    return textOf(path, real);
  }
  throw new AppError('failed', `there is no file ${path} below ${folders.join(', ')}`);
}

async function textOf(path: string, real: string): Promise<string> {
  try {
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new AppError('failed', `${path} is not a file`);
      if (stats.size > MOST_BYTES)
        throw new AppError('failed', `${path} has more than ${MOST_BYTES} bytes, which is too large for a secret`);
      // Editors end a file with a line break, which belongs to no password.
      return (await file.readFile('utf8')).replace(/\r?\n$/, '');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(path, error);
  }
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.allSettled(paths.map((path) => realpath(path)));
  return found.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function outside(path: string, folders: readonly string[]): AppError {
  return new AppError('failed', `${path} is not below a folder for secrets; SECRET_DIRS names ${folders.join(', ')}`);
}

function unreadable(path: string, error: unknown): AppError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === 'EACCES' ? 'the service may not read it; let its user read it' : (code ?? 'reading failed');
  return new AppError('failed', `${path} cannot be read: ${reason}`, { cause: error });
}
