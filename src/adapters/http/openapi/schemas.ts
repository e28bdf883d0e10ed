import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Gathers schemas that have a title under their title, so that the document names each of them once. */
export class SchemaCollection {
  readonly #named = new Map<string, JsonSchema>();

  /** Returns the schema of a zod type, as far as JSON Schema can express it. */
  of(type: z.ZodType, side: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...schema } = z.toJSONSchema(type, {
      io: side,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      reused: 'inline',
    });
    return this.#hoist(schema) as JsonSchema;
  }

  /** Stores a schema, and those in it, under their titles; returns a reference to it. */
  add({ title, ...schema }: JsonSchema & { readonly title: string }): JsonSchema {
    this.#named.set(title, this.#hoist(schema) as JsonSchema);
    return { $ref: `#/components/schemas/${title}` };
  }

  named(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#hoist(item));
    if (typeof value !== 'object' || value === null) return value;
    const copy = eachType(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.#hoist(member)])));
    if (typeof copy.title !== 'string' || copy.type !== 'object') return copy;
    const name = copy.title.replaceAll(/\W+/g, '');
    this.#named.set(name, copy);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Returns one of several types as a choice between schemas of one type each, which generators of clients understand. */
function eachType(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, description, ...rest } = schema;
  if (!Array.isArray(type) || type.filter((one) => one !== 'null').length < 2) return schema;
  return { ...(description === undefined ? {} : { description }), anyOf: type.map((one) => ({ type: one, ...rest })) };
}
