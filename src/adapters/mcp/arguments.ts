import type * as z from 'zod';
import { PLAIN_MESSAGES } from '../../kit/plain-message.ts';
import { AppError, type ErrorDetail } from '../../ports/index.ts';

/** Returns the checked arguments of a call. A refusal names the valid arguments. */
export function parseArguments<Input extends z.ZodObject>(tool: string, schema: Input, given: unknown): z.infer<Input> {
  const result = schema.safeParse(given, PLAIN_MESSAGES);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap(detailsOf);
  const problems = details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw new AppError('invalid_input', `${problems}. ${tool} takes ${signature(schema)}`, { details });
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: key, message: 'unknown argument' }));
  }
  const path = issue.path.map(String).join('.');
  if (path === '') return [{ path, message: 'the arguments must be an object' }];
  return [{ path, message: issue.message }];
}

/** `hostname, fields (optional)` */
function signature(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(([name, type]) =>
    type.safeParse(undefined).success ? `${name} (optional)` : name,
  );
  return names.length === 0 ? 'no arguments' : names.join(', ');
}
