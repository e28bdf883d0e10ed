import type { CallError } from '../calls/call.ts';

interface FieldProblems {
  readonly at: ReadonlyMap<string, string>;
  /** The refusal, if parts of it belong to no field of the form. */
  readonly elsewhere: CallError | undefined;
}

/**
 * Splits a refusal: errors of a field of the form are shown there, all others above it. `fieldOf` returns the field for a path of
 * the service.
 */
export function problemsByField(
  error: CallError | null,
  fields: readonly string[],
  fieldOf: (path: string) => string = (path) => path,
): FieldProblems {
  const at = new Map<string, string>();
  if (error === null) return { at, elsewhere: undefined };
  const details = error.details.map(({ path, message }) => ({ field: fieldOf(path), message }));
  for (const { field, message } of details) if (fields.includes(field)) at.set(field, message);
  const isElsewhere = details.length === 0 || details.some(({ field }) => !fields.includes(field));
  return { at, elsewhere: isElsewhere ? error : undefined };
}
