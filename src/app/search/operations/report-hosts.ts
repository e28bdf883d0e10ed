import * as z from 'zod';
import type { OperationContext } from '../../kernel/operation.ts';
import { conditionText, lackingText } from '../decisions/conditions.ts';
import { hostField } from '../decisions/host-fields.ts';
import { fieldOf } from '../decisions/host-test.ts';
import { PivotCounter, type PivotLine } from '../decisions/pivot.ts';
import { requireInventory } from '../look-up.ts';
import { leftOutSchema, lookAtFound, openSearch, type SearchCall } from '../open-search.ts';
import { SEARCH_QUERY, searchInput } from '../search-input.ts';
import { defineOperation } from '../services.ts';
import { reportView } from '../views/report.ts';

const line = z.object({
  value: z.string().describe('Empty: hosts that have none'),
  count: z.number().int(),
  condition: z.string().describe('Condition that finds these hosts, as part of a query'),
});

const reportInput = searchInput.extend({
  rows: z.string().trim().min(1).max(500).describe('The field of the rows'),
  columns: z.string().trim().min(1).max(500).optional().describe('The field of the columns; absent: only counts'),
  values: z.coerce.number().int().min(1).max(1000).default(50).describe('At most this many values of each field'),
});

const reportSchema = z.object({
  rows_field: z.string(),
  columns_field: z.string().nullable(),
  size: z.number().int().describe('How many hosts were counted'),
  is_exact: z.boolean().describe('False when there were too many to count all of them'),
  columns: z.array(line).describe('The most frequent first, hosts without a value last'),
  rows: z.array(line.extend({ cells: z.array(z.number().int()).describe('One number for each column') })),
  is_cut: z.boolean().describe('True if there are further values'),
  left_out: leftOutSchema,
});

export const reportHosts = defineOperation({
  name: 'search/report-hosts',
  title: 'Hosts by two fields',
  description: 'How many hosts of a query have which values of one field, or of two fields against each other.',
  effect: 'read',
  roles: ['objects'],
  weight: 'heavy',
  at: {
    page: true,
    rest: { path: 'GET /objects/report', query: [...SEARCH_QUERY, 'rows', 'columns', 'values'] },
    command: {
      words: 'host report',
      description: 'Count hosts by the values of one field, or of two fields against each other.',
      arguments: {
        rows: { shown: '<field>', description: 'the field of the rows, such as site' },
        columns: { shown: '[by]', description: 'the field of the columns, such as os' },
      },
      options: {
        where: { flags: '--where <query>', description: 'only hosts that a query finds' },
        values: {
          flags: '--values <n>',
          description: 'at most this many values of each field',
          parse: { from: 1, to: 1000 },
          default: 50,
        },
      },
      columns: ['hosts'],
      json: 'answer the numbers as JSON',
      examples: ['muster host report site cluster', "muster host report owner --where 'role:db' -o csv > owners.csv"],
      view: reportView,
    },
  },
  input: reportInput,
  output: reportSchema,
  run: (input, call) => makeReport(input, { ...call, operation: 'search/report-hosts' }),
});

/** Counts the hosts that a query finds. Throws `invalid_input` for a query or field that cannot be read. */
export async function makeReport(
  { rows, columns, values, ...request }: z.output<typeof reportInput>,
  call: Omit<SearchCall, 'leftOut'> & Pick<OperationContext, 'progress'>,
): Promise<z.output<typeof reportSchema>> {
  const fields = [rows, ...(columns === undefined ? [] : [columns])];
  if (fields.some((field) => hostField(field).own === 'group')) requireInventory(call.caller, 'group');
  const leftOut = new Set<string>();
  const search = await openSearch(request, { ...call, leftOut }, fields);
  const rowOf = fieldOf(rows, search.known);
  const columnOf = columns === undefined ? undefined : fieldOf(columns, search.known);
  const counter = new PivotCounter();
  let size = 0;
  const isExact = await lookAtFound(search, call.progress, (hosts) => {
    for (const host of hosts) counter.add(rowOf(host), columnOf?.(host) ?? []);
    size += hosts.length;
  });
  const pivot = counter.most(values, values);
  const asked =
    (field: string) =>
    ({ value, count, hasEmpty }: PivotLine) => ({
      value,
      count,
      condition: value === '' ? lackingText(field, hasEmpty) : conditionText(field, value),
    });
  return {
    rows_field: rows,
    columns_field: columns ?? null,
    size,
    is_exact: isExact,
    columns: columns === undefined ? [] : pivot.columns.map(asked(columns)),
    rows: pivot.rows.map(({ cells, ...row }) => ({
      ...asked(rows)(row),
      cells: columns === undefined ? [] : [...cells],
    })),
    is_cut: pivot.isCut,
    ...(leftOut.size > 0 && { left_out: [...leftOut] }),
  };
}
