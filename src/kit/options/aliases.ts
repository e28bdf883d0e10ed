import * as z from 'zod';

/** Other names of options, by what they stand for: those that each declares as `aliases`. */
export function aliasesOf(options: z.ZodType): ReadonlyMap<string, string> {
  if (!(options instanceof z.ZodObject)) return new Map();
  return new Map(
    Object.entries(options.shape).flatMap(([name, option]) => {
      const aliases: unknown = z.globalRegistry.get(option as z.ZodType)?.aliases;
      return Array.isArray(aliases) ? aliases.map((alias): [string, string] => [String(alias), name]) : [];
    }),
  );
}
