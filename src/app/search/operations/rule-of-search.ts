import * as z from 'zod';
import { textList } from '../../../kit/options/values.ts';
import { worded } from '../../../kit/worded.ts';
import type { HostStore, Wording } from '../../../ports/index.ts';
import { required } from '../../hosts/decisions/check.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { documentSchema } from '../../rules/document-schema.ts';
import { anyConditionText, conditionText } from '../decisions/conditions.ts';
import { parseQuery } from '../decisions/parse-query.ts';
import type { Query } from '../decisions/query.ts';
import { comparedAsText, type PartNote, ruleConditions } from '../decisions/rule-conditions.ts';
import { searchInput } from '../search-input.ts';
import { defineOperation } from '../services.ts';
import { ruleConditionsView } from '../views/rule-conditions.ts';

/** How many hosts a rule names one by one. */
const MOST_HOSTS = 200;
const BATCH_SIZE = 250;
const MOST_MILLISECONDS = 1000;

export const ruleOfSearch = defineOperation({
  name: 'search/rule-of-search',
  title: 'Conditions of a search',
  description:
    'A search for hosts, or a list of hosts, as the conditions of a rule, and which parts of it conditions cannot say. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: { path: 'GET /rules/conditions', query: ['where', 'hosts', 'account', 'kind', 'state'] },
    command: {
      words: 'search conditions',
      description: 'Write a search for hosts as the conditions of a rule.',
      summary: 'write a search as the conditions of a rule',
      arguments: { where: { shown: '[query]', description: 'what is looked for' } },
      options: {
        hosts: { flags: '--hosts <names>', description: 'these hosts instead, separated by commas' },
        account: { flags: '--account <name>', description: 'only hosts of this account' },
      },
      json: 'answer conditions and notes as JSON',
      examples: ["muster search conditions 'site:fra role:(web OR db)' --json"],
      view: ruleConditionsView,
    },
    tool: { name: 'conditions_of_search' },
    page: true,
  },
  input: searchInput.pick({ where: true, account: true, kind: true, state: true }).extend({
    hosts: textList()
      .default([])
      .pipe(z.array(z.string().min(1).max(500)).max(MOST_HOSTS))
      .describe('Names of hosts instead of a query, at most 200'),
  }),
  output: z.object({
    condition_typ: z.enum(['all', 'any', 'anyway']),
    conditions: z.array(documentSchema).describe('As documents of rules hold them'),
    notes: z
      .array(
        z.object({
          part: z.string().describe('The part of the search'),
          left_out: z.boolean().describe('True if there is no condition for it'),
          why: z.custom<Wording>().meta({ type: 'object' }),
        }),
      )
      .describe('Parts that the conditions express in another way, or not at all'),
  }),
  async run({ where, hosts, account, kind, state }, { services, caller, signal }) {
    const query: Query =
      hosts.length > 0
        ? required(parseQuery(anyConditionText('name', hosts)))
        : narrowed(required(parseQuery(where)), account);
    const { mode, conditions, notes } = ruleConditions(query);
    return {
      condition_typ: mode,
      conditions: [...conditions],
      notes: [
        ...notes,
        ...(await listNotes(comparedAsText(conditions), services.storage.hosts, { caller, signal })),
        ...(hosts.length > 0 ? [] : besides(kind, state)),
      ].map(({ part, isLeftOut, why }) => ({
        part,
        left_out: isLeftOut,
        why,
      })),
    };
  },
});

function narrowed(query: Query, account: string | undefined): Query {
  if (account === undefined) return query;
  const ofAccount = required(parseQuery(conditionText('own.account', account)));
  return query.kind === 'everything' ? ofAccount : { kind: 'and', parts: [query, ofAccount] };
}

/** Notes for those of the attributes that are a list on a host. It stops after a while: a user waits for the conditions. */
async function listNotes(
  attributes: readonly string[],
  hosts: Pick<HostStore, 'scan'>,
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<readonly PartNote[]> {
  const open = new Map(attributes.map((name) => [name, JSON.stringify(name)]));
  const notes: PartNote[] = [];
  const end = performance.now() + MOST_MILLISECONDS;
  const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
  if (open.size === 0) return notes;
  for await (const batch of hosts.scan(filter, BATCH_SIZE)) {
    signal.throwIfAborted();
    for (const { hostname, labels } of batch) {
      for (const [name, quoted] of open) {
        if (!labels.text.includes(quoted) || !Array.isArray(labels.value[name])) continue;
        open.delete(name);
        const why = worded`on hosts such as ${{ hostname }} it is a list, which the condition does not compare`;
        notes.push({ part: name, isLeftOut: false, why });
      }
    }
    if (open.size === 0 || performance.now() > end) break;
  }
  return notes;
}

/** Filters of the list that are not part of the query. */
function besides(kind: string, state: string): readonly PartNote[] {
  const why = worded`rules run over active hosts only`;
  return [
    ...(kind === 'objects' ? [{ part: 'objects', isLeftOut: true, why }] : []),
    ...(state === 'active' ? [] : [{ part: state, isLeftOut: true, why }]),
  ];
}
