import * as z from 'zod';

/** Options whose values are secrets because their schema says so, `.meta({ secret: true })`, whatever they are called. */
export function secretOptionsOf(options: z.ZodType | undefined): ReadonlySet<string> {
  if (!(options instanceof z.ZodObject)) return new Set();
  const marked = Object.entries(options.shape).filter(([, option]) => isMarked(option as z.ZodType));
  return new Set(marked.flatMap(([name, option]) => [name, ...namesBeside(option as z.ZodType)]));
}

function isMarked(option: z.ZodType): boolean {
  return z.globalRegistry.get(option)?.secret === true;
}

function namesBeside(option: z.ZodType): readonly string[] {
  const aliases: unknown = z.globalRegistry.get(option)?.aliases;
  return Array.isArray(aliases) ? aliases.map(String) : [];
}
