import { detailOf, type Said, saidAt } from '../../../kit/worded.ts';
import { AppError, type ErrorDetail } from '../../../ports/index.ts';

/** Result of checking outside input: the value in its proper type, or what is wrong and where. */
export type Check<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & ErrorDetail);

export function accepted<T>(value: T): Check<T> {
  return { ok: true, value };
}

export function refused(path: string, said: Said): Check<never> {
  return { ok: false, ...detailOf(path, said) };
}

/** A name or key in a form fit for messages: quoted, control characters escaped, never longer than a line. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

/** The value, or `AppError('invalid_input')` with what is wrong. */
export function required<T>(check: Check<T>): T {
  if (check.ok) return check.value;
  const { ok: _, ...detail } = check;
  throw new AppError('invalid_input', saidAt(detail), { details: [detail] });
}
