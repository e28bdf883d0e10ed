import * as z from 'zod';
import { memberObjects } from '../../../kit/document/members.ts';
import { saidFault } from '../../../kit/template-fault.ts';
import { messageOf, wordingFor } from '../../../kit/worded.ts';
import { AppError, type RuleDocument } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { defineOperation } from '../../rules/services.ts';
import { type TriedRule, triedRule, triedRuleInput } from '../tried-rule.ts';

const BATCH_SIZE = 100;
/** The user is typing: an inexact count is better than a late one. */
const TIMEOUT_SECONDS = 4;

export const countMatches = defineOperation({
  name: 'rules/count-matches',
  title: 'Count what a rule matches',
  description:
    'How many hosts a rule would hit, and fail on, if it were stored and enabled, behind all rules that run before it. Outcomes that are not complete yet are left out. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: triedRuleInput.extend({
    seconds: z
      .number()
      .min(0)
      .max(600)
      .default(TIMEOUT_SECONDS)
      .describe('Seconds after which no further hosts are looked at'),
    after: z.string().optional().describe('Hosts behind this one only: the `next` of the answer before'),
  }),
  output: z.object({
    matches: z.number().int().describe('Hosts that it hits'),
    failing: z.number().int().describe('Hosts that it fails on'),
    last_error: z.string().describe('Empty if it fails on none'),
    last_hostname: z.string(),
    looked: z.number().int().describe('Hosts that were looked at'),
    hosts: z.number().int().describe('Hosts that there are'),
    is_exact: z.boolean().describe('False when time ran out before all of them were checked'),
    next: z.string().nullable().describe('Position of further hosts; null when none are left'),
    unknown_attributes: z
      .array(z.string())
      .describe('Attributes that its conditions name and that none of the hosts has'),
    passed: z.number().int().describe('Hosts that rules before it took out, or ended the run for'),
    unfinished_outcomes: z.number().int().describe('Outcomes that are not complete, so that they were left out'),
  }),
  async run({ seconds, after, ...request }, { services, caller, signal }) {
    const { tried, unfinished } = await withoutUnfinished(request, (asked) => triedRule(asked, { services, caller }));
    const { type, id, project, changed } = tried;
    const program = await services.evaluators.countingWith(changed, project, type.evaluation?.target);
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    const hosts = await services.storage.hosts.count(filter);
    const end = performance.now() + seconds * 1000;
    let looked = 0;
    let next: string | null = null;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE, after)) {
      signal.throwIfAborted();
      for (const host of batch) program.count(host);
      looked += batch.length;
      const isEnd = after === undefined && looked >= hosts;
      if (performance.now() > end && !isEnd) {
        next = batch.at(-1)?.hostname ?? null;
        break;
      }
    }
    const count = program.counts().get(`${type.id} ${id}`);
    const { lastError = '' } = count ?? {};
    return {
      matches: count?.hits ?? 0,
      failing: count?.failing ?? 0,
      last_error: lastError,
      ...(lastError !== '' && wordingFor(caller, messageOf(saidFault(lastError)).wording)),
      last_hostname: count?.lastHostname ?? '',
      unknown_attributes: [...(count?.unknownAttributes ?? [])],
      passed: count === undefined ? 0 : looked - count.reached,
      unfinished_outcomes: unfinished,
      looked,
      hosts,
      is_exact: after === undefined && next === null,
      next,
    };
  },
});

type Request = z.output<typeof triedRuleInput>;

/** A user who fills in an outcome wants to see meanwhile what the conditions match; outcomes do not matter for that. */
async function withoutUnfinished(
  request: Request,
  attempt: (request: Request) => Promise<TriedRule>,
): Promise<{ readonly tried: TriedRule; readonly unfinished: number }> {
  try {
    return { tried: await attempt(request), unfinished: 0 };
  } catch (error) {
    const unfinished = unfinishedOutcomes(error);
    if (unfinished.size === 0) throw error;
    const document = request.document as RuleDocument;
    const outcomes = memberObjects(document, 'outcomes').filter((_, index) => !unfinished.has(index));
    return { tried: await attempt({ ...request, document: { ...document, outcomes } }), unfinished: unfinished.size };
  }
}

/** The places of faulty outcomes, if nothing else is wrong. */
function unfinishedOutcomes(error: unknown): ReadonlySet<number> {
  const places = new Set<number>();
  if (!(error instanceof AppError) || error.code !== 'invalid_input') return places;
  for (const { path } of error.details ?? []) {
    const place = /^outcomes\.(\d+)(?:\.|$)/.exec(path)?.[1];
    if (place === undefined) return new Set();
    places.add(Number(place));
  }
  return places;
}
