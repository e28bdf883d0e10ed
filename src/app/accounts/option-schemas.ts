import * as z from 'zod';
import { isSecretName } from '../../kit/masking/secret-names.ts';
import { secretOptionsOf } from '../../kit/options/secret-options.ts';
import { readableName } from '../../kit/options/titled.ts';

export type JsonSchema = Record<string, unknown>;

/**
 * The options as JSON schema, for forms: each with its title, heading (`group`), description, default and limits, and `writeOnly` for
 * secrets. Options that cannot be described come without properties.
 */
export function optionSchema(options: z.ZodType): JsonSchema {
  try {
    const marked = secretOptionsOf(options);
    const { $schema: _, ...schema } = z.toJSONSchema(options, {
      io: 'input',
      unrepresentable: 'any',
      reused: 'inline',
    });
    const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      {
        title: readableName(name),
        ...withoutMark(property as object),
        ...defaultOf(options, name),
        ...((isSecretName(name) || marked.has(name)) && { writeOnly: true }),
      },
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  } catch {
    return { type: 'object', properties: {} };
  }
}

/** `writeOnly` expresses the author's mark. */
function withoutMark({ secret: _, ...property }: { readonly secret?: unknown }): object {
  return property;
}

/**
 * The value of an absent option: JSON schema itself leaves out the default of a value that is made from text. If an object is
 * made from text, the default is the text.
 */
function defaultOf(options: z.ZodType, name: string): { readonly default?: unknown } {
  const member = options instanceof z.ZodObject ? (options.shape[name] as z.ZodType | undefined) : undefined;
  if (member === undefined) return {};
  const parsed = member.safeParse(undefined);
  // A default that a preset may override is registered with the option only.
  const data: unknown = (parsed.success ? parsed.data : undefined) ?? z.globalRegistry.get(member)?.default;
  if (data === undefined) return {};
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? {} : { default: data };
}
