import { AppError } from '../../../ports/index.ts';

/** A file that cannot be imported: missing, unreadable, cut off, of another shape. Ends the run; nothing is archived. */
export function fileFault(path: string, message: string, cause?: unknown): AppError {
  return new AppError('failed', `${path} ${message}`, cause === undefined ? {} : { cause });
}

/** Text from a file as it may stand in a message: quoted and never longer than a line. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
