import { worded } from '../../kit/worded.ts';
import { AppError, type Wording } from '../../ports/errors.ts';

/** Returns an error for an unusable file, in words; nothing was changed. */
export function fileFault(file: string, problem: Wording, cause?: unknown): AppError {
  return new AppError('failed', worded`${{ file }} ${{ problem }}`, cause === undefined ? {} : { cause });
}

const SHARED: Readonly<Record<string, Wording>> = {
  EMFILE: worded`cannot be opened: too many open files`,
  ELOOP: worded`cannot be opened: its symbolic links lead in a circle`,
  ENAMETOOLONG: worded`is too long a path`,
};

const READING: Readonly<Record<string, Wording>> = {
  ...SHARED,
  ENOENT: worded`does not exist`,
  ENOTDIR: worded`does not exist: a part of its path is not a directory`,
  EACCES: worded`cannot be read: permission denied`,
  EPERM: worded`cannot be read: permission denied`,
};

export const NO_FOLDER = worded`cannot be written: its folder does not exist; create it`;

const WRITING: Readonly<Record<string, Wording>> = {
  ...SHARED,
  ENOENT: NO_FOLDER,
  ENOTDIR: worded`cannot be written: a part of its path is not a folder`,
  EACCES: worded`cannot be written: permission denied in its folder`,
  EPERM: worded`cannot be written: permission denied in its folder`,
  EROFS: worded`cannot be written: the file system is read-only`,
  ENOSPC: worded`cannot be written: the disk is full`,
  EDQUOT: worded`cannot be written: the disk quota is used up`,
};

/** Puts errors of the file system into words; returns others unchanged. */
export function readingFault(path: string, error: unknown): unknown {
  return inWords(path, error, READING, (code) => worded`cannot be read (${{ code }})`);
}

export function writingFault(path: string, error: unknown): unknown {
  return inWords(path, error, WRITING, (code) => worded`cannot be written (${{ code }})`);
}

function inWords(
  path: string,
  error: unknown,
  reasons: Readonly<Record<string, Wording>>,
  other: (code: string) => Wording,
): unknown {
  if (!isSystemError(error)) return error;
  return fileFault(path, reasons[error.code] ?? other(error.code), error);
}

export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string';
}
