import type { CallError } from '../calls/call.ts';

interface FieldProblems {
  readonly at: ReadonlyMap<string, string>;
  /** What belongs to no field of the form. */
  readonly elsewhere: CallError | undefined;
}

/**
 * A refusal taken apart: what is about a field of the form stands there, everything else above it. `fieldOf` gives the field
 * that a path of the service is about.
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
