import { AppError } from '../../ports/errors.ts';

/** A file that cannot be used, in words; nothing was changed. */
export function fileFault(path: string, message: string, cause?: unknown): AppError {
  return new AppError('failed', `${path} ${message}`, cause === undefined ? {} : { cause });
}

const SHARED: Readonly<Record<string, string>> = {
  EMFILE: 'cannot be opened: too many open files',
  ELOOP: 'cannot be opened: its symbolic links lead in a circle',
  ENAMETOOLONG: 'is too long a path',
};

const READING: Readonly<Record<string, string>> = {
  ...SHARED,
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is not a directory',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
};

export const NO_FOLDER = 'cannot be written: its folder does not exist; create it';

const WRITING: Readonly<Record<string, string>> = {
  ...SHARED,
  ENOENT: NO_FOLDER,
  ENOTDIR: 'cannot be written: a part of its path is not a folder',
  EACCES: 'cannot be written: permission denied in its folder',
  EPERM: 'cannot be written: permission denied in its folder',
  EROFS: 'cannot be written: the file system is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota is used up',
};

/** Errors of the file system in words; others stay as they are. */
export function readingFault(path: string, error: unknown): unknown {
  return inWords(path, error, READING, 'cannot be read');
}

export function writingFault(path: string, error: unknown): unknown {
  return inWords(path, error, WRITING, 'cannot be written');
}

function inWords(path: string, error: unknown, reasons: Readonly<Record<string, string>>, what: string): unknown {
  if (!isSystemError(error)) return error;
  return fileFault(path, reasons[error.code] ?? `${what} (${error.code})`, error);
}

export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string';
}
