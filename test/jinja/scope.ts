import type { TemplateScope } from '../../src/jinja/template.ts';

export function scopeOf(context: Record<string, unknown>): TemplateScope {
  const attributes = new Map(Object.entries(context));
  return { get: (name) => attributes.get(name), attributes: () => attributes };
}
