import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../ports/errors.ts';
import type { Terminal } from '../terminal.ts';
import { profilesPath } from './profiles-file.ts';

/** The name that stands for the store of this machine. */
export const LOCAL = 'local';

const profileSchema = z.strictObject({
  url: z.string(),
  token: z.string(),
  /** Name at the service when the user logged in. */
  user: z.string(),
  ca_file: z.string().optional(),
  plain_http: z.literal(true).optional(),
});

const fileSchema = z.strictObject({
  current: z.string().optional(),
  profiles: z.record(z.string(), profileSchema),
});

export type Profile = z.infer<typeof profileSchema>;
export type Profiles = z.infer<typeof fileSchema>;

/** Read, write and execute of group and others. */
const OTHERS = 0o077;

/**
 * Returns the stored profiles; none if the file does not exist. It holds tokens, so it must belong to this user and be readable
 * to no one else.
 */
export async function readProfiles(terminal: Pick<Terminal, 'variable'>): Promise<Profiles> {
  const path = profilesPath(terminal);
  const found = path === undefined ? undefined : await stat(path).catch(absent);
  if (path === undefined || found === undefined) return { profiles: {} };
  // Windows has no such permissions.
  const owner = process.getuid?.();
  if (owner !== undefined && (found.mode & OTHERS) !== 0) {
    throw new AppError(
      'failed',
      `${path} holds tokens, and other users may read it; run "chmod 600 ${path}", and make new tokens if someone did`,
    );
  }
  if (owner !== undefined && owner !== 0 && found.uid !== owner) {
    throw new AppError('failed', `${path} holds tokens and belongs to another user; remove it and log in again`);
  }
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    // The content must not be repeated in a message.
    throw new AppError('failed', `${path} cannot be read as profiles; remove it and log in again`, {
      cause: causeOf(cause),
    });
  }
}

/** Replaces the file as a whole, so that no reader meets half of it. */
export async function writeProfiles(terminal: Pick<Terminal, 'variable'>, profiles: Profiles): Promise<string> {
  const path = profilesPath(terminal);
  if (path === undefined) throw new AppError('failed', 'there is no place for profiles; set HOME or XDG_CONFIG_HOME');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(draft, 0o600);
  await rename(draft, path);
  return path;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return undefined;
}

/** Messages of parsers quote their input. */
function causeOf(cause: unknown): Error {
  return new Error(cause instanceof SyntaxError ? 'it is not JSON' : 'its members are not those of profiles');
}
