import type * as z from 'zod';

type Titles<Shape> = Readonly<Record<string, { readonly [Name in keyof Shape]?: string }>>;

/** Adds titles and headings for forms to options. An option without a title is shown under its name. */
export function titled<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape, titles: Titles<Shape>): Shape {
  const named = Object.entries(titles).flatMap(([heading, options]) =>
    Object.entries(options).map(([name, title]) => [name, shape[name]?.meta({ title, group: { title: heading } })]),
  );
  return { ...shape, ...Object.fromEntries(named) };
}

const IN_CAPITALS =
  /\b(?:api|ca|ddl|dn|dns|fqdn|html|http|https|id|ids|ip|json|ldap|ns|ql|sql|ssl|tls|ttl|txt|url|xml|yaml)\b/g;

/** `api_token` as words: "API token". */
export function readableName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.replace(IN_CAPITALS, (word) => word.toUpperCase()).replace(/^\w/, (first) => first.toUpperCase());
}
