import type { OpenApiDocument } from './document.ts';

type Schema = Readonly<Record<string, unknown>>;

export function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function resolveReference(document: OpenApiDocument, schema: Schema): Schema {
  const reference = schema.$ref;
  if (typeof reference !== 'string') return schema;
  const components = document.components as { schemas: Readonly<Record<string, Schema>> };
  return components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

/** A schema in words: type, limits, and its members as a list. */
export function schemaHtml(document: OpenApiDocument, given: Schema): string {
  const schema = resolveReference(document, given);
  const description = typeof schema.description === 'string' ? ` ${escapeHtml(schema.description)}` : '';
  return `<span class="type">${escapeHtml(typeOf(document, schema))}</span>${description}${membersHtml(document, schema)}`;
}

function membersHtml(document: OpenApiDocument, schema: Schema): string {
  const items = schema.items;
  if (isSchema(items)) return membersHtml(document, resolveReference(document, items));
  const choices = schema.anyOf;
  if (Array.isArray(choices)) {
    const lists = choices.filter(isSchema).map((choice) => membersHtml(document, resolveReference(document, choice)));
    return lists.join('');
  }
  const properties = schema.properties;
  if (!isSchema(properties)) return '';
  const required = new Set((schema.required ?? []) as readonly string[]);
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `<li><code>${escapeHtml(name)}</code>${required.has(name) ? '' : ' <small>optional</small>'} ${
        isSchema(member) ? schemaHtml(document, member) : ''
      }</li>`,
  );
  return `<ul class="members">${members.join('')}</ul>`;
}

function typeOf(document: OpenApiDocument, given: Schema): string {
  const schema = resolveReference(document, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.anyOf))
    return unique(schema.anyOf.filter(isSchema).map((choice) => typeOf(document, choice)));
  const { type } = schema;
  if (type === 'array') return isSchema(schema.items) ? `list of ${typeOf(document, schema.items)}` : 'list';
  const limits = [
    bound(schema, 'minimum', '≥'),
    bound(schema, 'maximum', '≤'),
    bound(schema, 'default', 'default'),
  ].filter(Boolean);
  const name = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'any';
  return limits.length === 0 ? name : `${name}, ${limits.join(', ')}`;
}

function bound(schema: Schema, member: string, word: string): string {
  const value = schema[member];
  if (value === undefined || value === Number.MAX_SAFE_INTEGER) return '';
  return `${word} ${JSON.stringify(value)}`;
}

function unique(words: readonly string[]): string {
  return [...new Set(words)].join(' | ');
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
