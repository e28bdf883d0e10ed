import * as z from 'zod';
import { textList } from '../../kit/options/values.ts';
import { schemaText, worded } from '../../kit/worded.ts';

/** The common input of all searches. */
export const searchInput = z.object({
  where: z
    .string()
    .trim()
    .max(10_000)
    .default('')
    .describe(
      'Search query: words, label:value, section.path>=8, seen<2d, runs_on:esx01, group:web, served.tier:core, with AND, OR, NOT, brackets, * and ~pattern',
    ),
  kind: z.enum(['hosts', 'objects', 'all']).default('all').describe('Hosts, objects that are not hosts, or all'),
  state: z
    .enum(['active', 'archived', 'any'])
    .default('active')
    .describe('Only those of this state, if the query does not ask for one'),
  account: z.string().optional().describe('Only those of this account'),
  provider: z.string().default('automation').describe('The inventory that group: and served. ask'),
});

/** The names of these in a query string. */
export const SEARCH_QUERY = ['where', 'kind', 'state', 'account', 'provider'] as const;

/** For operations that return hosts in an order. */
export const sortSchema = z
  .string()
  .max(200)
  .optional()
  .describe('A field to sort by, with a minus in front for the other direction; by hostname when absent');

const MOST_COLUMNS = 50;
const LONGEST_FIELD = 500;

/** Fields that are answered with each host; as one text they are separated by commas. */
export function columnList(description: string) {
  return textList()
    .default([])
    .pipe(
      z
        .array(
          z
            .string()
            .max(LONGEST_FIELD, schemaText(worded`a field has at most ${{ most: String(LONGEST_FIELD) }} characters`)),
        )
        .max(
          MOST_COLUMNS,
          schemaText(worded`at most ${{ most: String(MOST_COLUMNS) }} columns are answered at a time`),
        ),
    )
    .describe(description);
}
