import * as z from 'zod';

/** A JSON Schema of an object, as tool lists carry it. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** Returns the schema of a zod type, as far as JSON Schema can express it. */
export function objectSchema(type: z.ZodType, side: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: side,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => withoutNumberBounds(jsonSchema),
  });
  return { ...schema, type: 'object' };
}

/** Every whole number of JavaScript is within them, so they only cost the reader of a tool list. */
function withoutNumberBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
