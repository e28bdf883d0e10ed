import * as z from 'zod';
import { flag } from '../../../kit/options/values.ts';
import { schemaText, worded } from '../../../kit/worded.ts';
import type { HostFilter, HostRecord } from '../../../ports/index.ts';
import { conditionsOf, conditionText, lackingText } from '../decisions/conditions.ts';
import { hostField } from '../decisions/host-fields.ts';
import { fieldOf } from '../decisions/host-test.ts';
import { LabelCounter } from '../decisions/label-counts.ts';
import { ValueCounter, type ValueCounts } from '../decisions/value-counts.ts';
import { requireInventory } from '../look-up.ts';
import {
  leftOutSchema,
  lookAtFound,
  notFound,
  notFoundSchema,
  type OpenedSearch,
  openSearch,
  type SearchCall,
} from '../open-search.ts';
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
      query: [...SEARCH_QUERY, 'fields', 'labels', 'values', 'states'],
    },
    tool: { name: 'count_hosts' },
  },
  input: searchInput.extend({
    fields: z
      .union([z.array(z.string()), z.string().transform((text) => text.split(',').map((field) => field.trim()))])
      .default([])
      .transform((fields) => fields.filter((field) => field !== ''))
      .pipe(
        z
          .array(z.string().max(500))
          .max(MOST_FIELDS, schemaText(worded`at most ${{ most: String(MOST_FIELDS) }} fields are counted at a time`)),
      )
      .describe(
        'Fields whose values are counted, with commas between them: account,type,site; group, which needs the role automation, counts groups of the inventory',
      ),
    labels: z.coerce
      .number()
      .int()
      .min(0)
      .max(MOST_FIELDS)
      .default(0)
      .describe('Also the values of this many labels: those that most hosts have and that distinguish hosts'),
    values: z.coerce.number().int().min(1).max(1000).default(20).describe('At most this many values of each field'),
    states: flag().default(false).describe('Also how many there would be of each state, whichever is asked for'),
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
              condition: z.string().describe('Condition that finds the value, as part of a query'),
            }),
          )
          .describe('The most frequent first; a host with several values counts for each'),
        without: z.number().int().describe('Hosts that have no value'),
        without_condition: z.string().describe('Condition that finds these'),
        is_cut: z.boolean().describe('True if there are further values'),
      }),
    ),
    label_names: z
      .array(z.object({ field: z.string(), count: z.number().int() }))
      .describe('If labels were requested: the fields of all that hosts have, the most frequent first'),
    states: z
      .object({ active: z.number().int(), archived: z.number().int() })
      .optional()
      .describe('Number of hosts found in each state, if requested and the query has no state'),
    conditions: z.array(z.string()).describe('The parts of the query that must all hold, as they are written'),
    left_out: leftOutSchema,
    not_found: notFoundSchema,
  }),
  async run({ fields, labels, values, states, ...request }, call) {
    if (fields.some((field) => hostField(field).own === 'group')) requireInventory(call.caller, 'group');
    const leftOut = new Set<string>();
    const asked = states ? { ...request, state: 'any' as const } : request;
    const search = await openSearch(asked, { ...call, leftOut, operation: 'search/count-hosts' }, fields);
    const { services, progress } = call;
    const hasStates = states && !search.asksForState;
    const conditions = [...conditionsOf(request.where)];
    if (!search.asks && fields.length === 0 && labels === 0) {
      const size = await services.storage.hosts.count({ ...search.filter, state: request.state });
      const counted = states ? { states: await statesOf(search, call) } : {};
      return { size, is_exact: true, fields: [], label_names: [], ...counted, conditions };
    }
    const counters = fields.map((field) => ({
      field,
      valuesOf: fieldOf(field, search.known),
      counter: new ValueCounter(),
    }));
    const labelCounter = labels === 0 ? undefined : new LabelCounter();
    // Hosts of the other state are looked at for their number alone.
    const isAsked = hasStates ? ofState(request.state) : undefined;
    const found = { active: 0, archived: 0 };
    let size = 0;
    const isExact = await lookAtFound(search, progress, (all) => {
      if (hasStates) for (const { archive } of all) found[archive === null ? 'active' : 'archived']++;
      const hosts = isAsked === undefined ? all : all.filter(isAsked);
      size += hosts.length;
      search.misses.look(hosts);
      for (const { counter, valuesOf: of } of counters) for (const host of hosts) counter.add(of(host));
      if (labelCounter !== undefined) for (const host of hosts) labelCounter.add(host);
    });
    return {
      size,
      is_exact: isExact,
      fields: [
        ...counters.map(({ field, counter }) => ({ field, ...counter.most(values) })),
        ...(labelCounter?.telling(labels, values) ?? []),
      ].map(answerOf),
      label_names: [...(labelCounter?.names(MOST_NAMES) ?? [])],
      ...(hasStates ? { states: found } : {}),
      conditions,
      ...(leftOut.size > 0 && { left_out: [...leftOut] }),
      ...(isExact && notFound(search)),
    };
  },
});

/** If there are no other conditions on the hosts, the store knows their number. */
async function statesOf({ filter }: OpenedSearch, { services }: Pick<SearchCall, 'services'>) {
  const [active, archived] = await Promise.all(
    (['active', 'archived'] as const).map((state) => services.storage.hosts.count({ ...filter, state })),
  );
  return { active: active ?? 0, archived: archived ?? 0 };
}

function ofState(state: HostFilter['state']): (host: HostRecord) => boolean {
  return ({ archive }) => state === 'any' || (state === 'active') === (archive === null);
}

function answerOf({ field, values, without, empty, isCut }: ValueCounts & { readonly field: string }) {
  return {
    field,
    values: values.map(({ value, count }) => ({ value, count, condition: conditionText(field, value) })),
    without,
    without_condition: lackingText(field, empty > 0),
    is_cut: isCut,
  };
}
