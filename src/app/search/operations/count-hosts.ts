import * as z from 'zod';
import { conditionsOf, conditionText, missingText } from '../decisions/conditions.ts';
import { fieldOf } from '../decisions/host-test.ts';
import { LabelCounter } from '../decisions/label-counts.ts';
import { ValueCounter, type ValueCounts } from '../decisions/value-counts.ts';
import { MOST_LOOKED, openSearch } from '../open-search.ts';
import { SEARCH_QUERY, searchInput } from '../search-input.ts';
import { defineOperation } from '../services.ts';

const MOST_FIELDS = 20;
const MOST_NAMES = 200;

export const countHosts = defineOperation({
  name: 'search/count-hosts',
  title: 'Count hosts',
  description: 'How many hosts a query finds, and how often the values of fields occur among them.',
  effect: 'read',
  roles: ['objects'],
  weight: 'heavy',
  at: {
    page: true,
    rest: {
      path: 'GET /objects/count',
      query: [...SEARCH_QUERY, 'fields', 'labels', 'values'],
    },
    tool: { name: 'count_hosts' },
  },
  input: searchInput.extend({
    fields: z
      .union([z.array(z.string()), z.string().transform((text) => text.split(',').map((field) => field.trim()))])
      .default([])
      .transform((fields) => fields.filter((field) => field !== ''))
      .pipe(z.array(z.string().max(500)).max(MOST_FIELDS, `at most ${MOST_FIELDS} fields are counted at a time`))
      .describe('Fields whose values are counted, with commas between them: account,type,site'),
    labels: z.coerce
      .number()
      .int()
      .min(0)
      .max(MOST_FIELDS)
      .default(0)
      .describe('Also the values of this many labels: those that most hosts have and that tell hosts apart'),
    values: z.coerce.number().int().min(1).max(1000).default(20).describe('At most this many values of each field'),
  }),
  output: z.object({
    size: z.number().int().describe('How many hosts were found'),
    is_exact: z.boolean().describe('False when there were too many to count all of them'),
    fields: z.array(
      z.object({
        field: z.string(),
        values: z
          .array(
            z.object({
              value: z.string(),
              count: z.number().int(),
              condition: z.string().describe('What asks for the value, as part of a query'),
            }),
          )
          .describe('The most frequent first; a host with several values counts for each'),
        without: z.number().int().describe('Hosts that have no value'),
        without_condition: z.string().describe('What asks for these'),
        is_cut: z.boolean().describe('True where there are further values'),
      }),
    ),
    label_names: z
      .array(z.object({ field: z.string(), count: z.number().int() }))
      .describe('Where labels were asked for: the fields of all that hosts have, the most frequent first'),
    conditions: z.array(z.string()).describe('The parts of the query that must all hold, as they are written'),
  }),
  async run({ fields, labels, values, ...request }, { services, caller, signal, progress }) {
    const search = await openSearch(request, { services, caller, signal });
    const conditions = [...conditionsOf(request.where)];
    if (!search.asks && fields.length === 0 && labels === 0) {
      const size = await services.storage.hosts.count(search.filter);
      return { size, is_exact: true, fields: [], label_names: [], conditions };
    }
    const counters = fields.map((field) => ({
      field,
      valuesOf: fieldOf(field, search.accounts),
      counter: new ValueCounter(),
    }));
    const labelCounter = labels === 0 ? undefined : new LabelCounter();
    let [size, looked] = [0, 0];
    let isExact = true;
    for await (const step of search.found(undefined)) {
      size += step.hosts.length;
      looked += step.looked;
      for (const { counter, valuesOf } of counters) for (const host of step.hosts) counter.add(valuesOf(host));
      if (labelCounter !== undefined) for (const host of step.hosts) labelCounter.add(host);
      progress({ done: looked, unit: 'hosts' });
      if (looked < MOST_LOOKED) continue;
      isExact = false;
      break;
    }
    return {
      size,
      is_exact: isExact,
      fields: [
        ...counters.map(({ field, counter }) => ({ field, ...counter.most(values) })),
        ...(labelCounter?.telling(labels, values) ?? []),
      ].map(answerOf),
      label_names: [...(labelCounter?.names(MOST_NAMES) ?? [])],
      conditions,
    };
  },
});

function answerOf({ field, values, without, isCut }: ValueCounts & { readonly field: string }) {
  return {
    field,
    values: values.map(({ value, count }) => ({ value, count, condition: conditionText(field, value) })),
    without,
    without_condition: missingText(field),
    is_cut: isCut,
  };
}
