import { AppError } from '../../../ports/index.ts';

/** Result of checking outside input: the value in its proper type, or what is wrong and where. */
export type Check<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly path: string; readonly message: string };

export function accepted<T>(value: T): Check<T> {
  return { ok: true, value };
}

export function refused(path: string, message: string): Check<never> {
  return { ok: false, path, message };
}

/** A name or key as it may stand in a message: quoted, control characters escaped, never longer than a line. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

/** The value, or `AppError('invalid_input')` with what is wrong. */
export function required<T>(check: Check<T>): T {
  if (check.ok) return check.value;
  const { path, message } = check;
  throw new AppError('invalid_input', message, { details: [{ path, message }] });
}
