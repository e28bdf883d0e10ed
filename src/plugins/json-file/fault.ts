import { AppError } from '../../ports/errors.ts';

/** Ends the run; the file is as it was. */
export function fileFault(path: string, message: string, cause?: unknown): AppError {
  return new AppError('failed', `${path} ${message}`, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'cannot be written: its folder does not exist; create it',
  ENOTDIR: 'cannot be written: a part of its path is no folder',
  EACCES: 'cannot be written: permission denied in its folder',
  EPERM: 'cannot be written: permission denied in its folder',
  EROFS: 'cannot be written: the file system is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota is used up',
  ELOOP: 'cannot be written: its symbolic links lead in a circle',
  ENAMETOOLONG: 'is too long a path',
};

/** Errors of the file system in words; others stay as they are. */
export function inWords(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const code = String(error.code);
  return fileFault(path, REASONS[code] ?? `cannot be written (${code})`, error);
}
