import * as z from 'zod';

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object whose members are checked by the domain, which is faster and names the key that is wrong. */
export function openObject<T>(description: string, members: Record<string, unknown>): z.ZodType<T> {
  return z
    .custom<T>(isPlainObject, 'must be an object')
    .meta({ type: 'object', description, additionalProperties: members });
}
