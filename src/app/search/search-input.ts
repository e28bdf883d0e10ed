import * as z from 'zod';

/** What every search is asked. */
export const searchInput = z.object({
  where: z
    .string()
    .trim()
    .max(10_000)
    .default('')
    .describe(
      'What is looked for: words, label:value, section.path>=8, seen<2d, runs_on:esx01, group:web, with AND, OR, NOT, brackets, * and ~pattern',
    ),
  kind: z.enum(['hosts', 'objects', 'all']).default('all').describe('Hosts, objects that are none, or all'),
  state: z
    .enum(['active', 'archived', 'any'])
    .default('active')
    .describe('Of which state, where the query does not ask for one'),
  account: z.string().optional().describe('Only those of this account'),
  provider: z.string().default('automation').describe('The inventory that group: asks'),
});
