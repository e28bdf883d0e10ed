import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../../ports/index.ts';
import type { Connection } from './connection.ts';
import { toAppError } from './errors.ts';
import { copiesOf, copyName, draftsOf } from './upgrade-copies.ts';

const KEPT = 2;

export interface KeptCopy {
  readonly path: string;
  remove(): void;
}

/** Copies what the connection reads. Throws where that does not work, and leaves nothing of it behind. */
export function keepCopy(connection: Connection, version: number, now: Date): KeptCopy {
  const path = copyName(connection.path, version, now);
  const draft = `${path}.part`;
  try {
    for (const left of draftsOf(connection.path)) rmSync(left, { force: true });
    // SQLite writes into an empty file, which so has its mode from the beginning.
    closeSync(openSync(draft, 'w', 0o600));
    connection.run('VACUUM INTO ?', draft);
    sync(draft);
    renameSync(draft, path);
    sync(dirname(path));
  } catch (error) {
    removeDraft(draft);
    throw notCopied(connection, version, error);
  }
  return { path, remove: () => rmSync(path, { force: true }) };
}

/** The newest ones stay. */
export function dropOldCopies(path: string): void {
  for (const old of copiesOf(path).slice(KEPT)) rmSync(old, { force: true });
}

/** Ignores errors: the reason why the copy failed is the better message. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Its folder may not be written.
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function notCopied({ path }: Connection, version: number, cause: unknown): AppError {
  return new AppError(
    'failed',
    `The database ${path} (schema ${version}) has to be upgraded, and before that a copy of it is made in ${dirname(path)}, which did not work: ${reasonOf(cause, path)}. Nothing was changed; put that right and start again.`,
    { cause },
  );
}

function reasonOf(cause: unknown, path: string): string {
  const code = cause instanceof AppError ? codeOf(cause.cause) : codeOf(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code.startsWith('SQLITE_FULL')) {
    return 'the disk is full; the copy takes as much room as the database';
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return 'this user may not write there';
  const { message } = toAppError(cause, path);
  return cause instanceof AppError || !(cause instanceof Error) ? message.replace(/\.$/, '') : cause.message;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
