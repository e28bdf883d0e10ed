import * as z from 'zod';
import { fieldOf } from '../decisions/host-test.ts';
import { ValueCounter } from '../decisions/value-counts.ts';
import { MOST_LOOKED, openSearch } from '../open-search.ts';
import { searchInput } from '../search-input.ts';
import { defineOperation } from '../services.ts';

const MOST_FIELDS = 20;

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
      query: ['where', 'kind', 'state', 'account', 'provider', 'fields', 'values'],
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
    values: z.coerce.number().int().min(1).max(1000).default(20).describe('At most so many values of each field'),
  }),
  output: z.object({
    size: z.number().int().describe('How many hosts were found'),
    is_exact: z.boolean().describe('False where there were too many to look at all of them: there are more then'),
    fields: z.array(
      z.object({
        field: z.string(),
        values: z
          .array(z.object({ value: z.string(), count: z.number().int() }))
          .describe('The most frequent first; a host with several values counts for each'),
        without: z.number().int().describe('Hosts that have no value'),
        is_cut: z.boolean().describe('True where there are further values'),
      }),
    ),
  }),
  async run({ fields, values, ...request }, { services, caller, signal, progress }) {
    const search = await openSearch(request, { services, caller, signal });
    if (!search.asks && fields.length === 0) {
      return { size: await services.storage.hosts.count(search.filter), is_exact: true, fields: [] };
    }
    const counters = fields.map((field) => ({
      field,
      valuesOf: fieldOf(field, search.accounts),
      counter: new ValueCounter(),
    }));
    let [size, looked] = [0, 0];
    let isExact = true;
    for await (const step of search.found(undefined)) {
      size += step.hosts.length;
      looked += step.looked;
      for (const { counter, valuesOf } of counters) for (const host of step.hosts) counter.add(valuesOf(host));
      progress({ done: looked, unit: 'hosts' });
      if (looked < MOST_LOOKED) continue;
      isExact = false;
      break;
    }
    return {
      size,
      is_exact: isExact,
      fields: counters.map(({ field, counter }) => {
        const { isCut, ...counts } = counter.most(values);
        return { field, values: [...counts.values], without: counts.without, is_cut: isCut };
      }),
    };
  },
});
