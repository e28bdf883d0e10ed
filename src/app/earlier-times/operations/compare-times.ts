import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import { AppError } from '../../../ports/index.ts';
import { inventoryTypes } from '../../inventory/inventory-types.ts';
import { providerName } from '../../inventory/provider-name.ts';
import { renderMode } from '../../inventory/render-mode.ts';
import { defineOperation, type InventoryServices } from '../../inventory/services.ts';
import { type Caller, hostScopeOf, isAdministrator, isRestricted } from '../../kernel/caller.ts';
import { type EarlierRules, earlierRules } from '../../rules/earlier-rules.ts';
import { beginningOf } from '../../rules/engine/time-span.ts';
import { projectOf } from '../../rules/project-of.ts';
import { isVisible } from '../../rules/require-rule.ts';
import { EarlierHosts } from '../earlier-hosts.ts';
import { TimeComparison } from '../time-comparison.ts';
import { TimeDifference } from '../time-difference.ts';
import { unknownPast } from '../unknown-past.ts';
import { timeDifferenceView } from '../views/time-difference.ts';

const BATCH_SIZE = 250;
const MOST_RULES = 100;

export const compareTimes = defineOperation({
  name: 'inventory/compare-times',
  title: 'Inventory compared with an earlier time',
  description:
    'Which hosts an inventory has today that it had not at an earlier time, which it has no longer, and which groups and variables of hosts changed: by host data or by rules. Says what it cannot know.',
  effect: 'read',
  roles: ['automation'],
  weight: 'preview',
  at: {
    rest: {
      path: 'GET /inventory/automation/:provider/changes',
      basePath: '/inventory/automation',
      query: ['since', 'text', 'limit'],
      errors: ['not_found', 'failed'],
    },
    command: {
      words: 'inventory-changes',
      description: 'Show what an inventory has today that it had not at an earlier time: hosts, groups, variables.',
      summary: 'compare an inventory with an earlier time',
      arguments: { provider: { shown: '[provider]', description: 'name of the provider; automation when absent' } },
      options: {
        since: {
          flags: '--since <time>',
          description: 'today, yesterday, an age such as 24h or 7d, a date or time in UTC',
          default: 'yesterday',
        },
        text: { flags: '--text <text>', description: 'only hosts with this part in their name' },
        limit: { flags: '--limit <n>', description: 'hosts to show', parse: { from: 1, to: 10_000 }, default: 100 },
      },
      json: 'answer the differences as JSON',
      examples: ['muster inventory-changes automation --since yesterday', 'muster inventory-changes --since 7d --json'],
      view: timeDifferenceView,
    },
    tool: { name: 'compare_inventory_times', rest: 'Ask for fewer hosts at once with text' },
    page: true,
  },
  input: z.object({
    provider: z.string().min(1).default('automation').describe('Name of the provider'),
    since: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .default('yesterday')
      .describe('today, yesterday, an age such as 24h or 7d, or a date or time in UTC'),
    text: z.string().trim().default('').describe('Only hosts with this part in their name, ignoring case'),
    limit: z.coerce.number().int().min(1).max(10_000).default(100).describe('Hosts to show in detail'),
  }),
  output: z.object({
    provider: z.string(),
    since: z.string(),
    hosts: z.number().int().describe('Stored hosts that were looked at, archived ones too'),
    added: z.number().int(),
    removed: z.number().int(),
    changed: z.number().int(),
    details: z.array(
      z.object({
        hostname: z.string(),
        change: z.enum(['added', 'removed', 'changed']),
        by: z.array(z.enum(['host', 'rules'])).describe('Cause: data of the host, rules, or both'),
        joined: z.array(z.string()).describe('Groups that the host is in now'),
        left: z.array(z.string()).describe('Groups that the host was in'),
        change_count: z.number().int(),
        changes: z
          .array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }))
          .describe('Variables, the first hundred'),
      }),
    ),
    group_count: z.number().int().describe('Groups that hosts joined or left'),
    groups: z
      .array(z.object({ name: z.string(), joined: z.number().int(), left: z.number().int() }))
      .describe('The first hundred, by name'),
    rule_count: z.number().int().describe('Rules and accounts that changed since then'),
    account_count: z.number().int().describe('The accounts among them'),
    rules: z
      .array(
        z.object({
          rule_type: z.string(),
          id: z.string(),
          name: z.string(),
          change: z.enum(['created', 'changed', 'removed']),
          time: z.string(),
          by: z.string(),
        }),
      )
      .describe('The first hundred, the last changed first'),
    unknown: z.array(z.string()).describe('Facts that are not known about that time, in words'),
  }),
  async run({ provider, since, text, limit }, { services, caller, signal, progress }) {
    const { storage, evaluators, inventories, clock } = services;
    const called = providerName(provider);
    const present = clock.now();
    const from = momentOf(since, present);
    if (!(await inventories.isOfRules(called))) {
      throw new AppError(
        'invalid_input',
        worded`provider: ${{ called }} is not made by rules, so that its past is not known`,
      );
    }
    const hosts = await EarlierHosts.read(storage.history, from, signal);
    const earlier = await earlierRules(storage.rules, inventoryTypes(services), from, signal);
    const project = projectOf(called);
    const now = await evaluators.uncounted(project);
    const past = isAdministrator(caller) ? earlier : withoutFilters(services, earlier);
    const then = past.documents.size === 0 ? now : await evaluators.asOf(past, project);
    const groups = await inventories.groupRules(called, signal);
    const difference = new TimeDifference(limit);
    const scope = hostScopeOf(caller);
    const comparison = new TimeComparison(
      {
        now,
        earlier: then,
        hosts,
        scope,
        render: renderMode(services, caller),
        groupsOf: (host) => Object.keys(groups?.(host) ?? {}),
      },
      difference,
    );
    const wanted = text.toLowerCase();
    let looked = 0;
    for await (const batch of storage.hosts.scan({ scope, kind: 'hosts', state: 'any' }, BATCH_SIZE)) {
      signal.throwIfAborted();
      for (const host of batch) if (host.hostname.toLowerCase().includes(wanted)) comparison.stored(host);
      looked += batch.length;
      progress({ done: looked, unit: 'hosts' });
    }
    comparison.rows(wanted);
    const changed = visibleTo(services, caller, earlier.changed);
    return {
      provider: called,
      since: secondsOf(from),
      hosts: looked,
      ...difference.counts,
      details: difference.details,
      group_count: difference.groupCount,
      groups: difference.groups,
      rule_count: changed.length,
      account_count: changed.filter(({ version }) => version.type === 'accounts').length,
      rules: changed.slice(0, MOST_RULES).map(({ version, change }) => ({
        rule_type: version.type,
        id: version.id,
        name: version.name,
        change,
        time: secondsOf(version.at),
        by: version.actor,
      })),
      unknown: [
        ...(past.documents.size < earlier.documents.size
          ? ['filters count as they are today: administrators alone are shown what they hide now']
          : []),
        ...(await unknownPast(services, {
          since: from,
          now: present,
          changed,
          programs: [now, then],
          isRestricted: isRestricted(caller),
        })),
      ],
    };
  },
});

/** It is not known which past filters only waited for confirmation: one of them could reveal what was always hidden. */
function withoutFilters({ plugins }: Pick<InventoryServices, 'plugins'>, earlier: EarlierRules): EarlierRules {
  const others = [...earlier.documents].filter(([id]) => plugins.ruleType(id)?.evaluation?.stage !== 'filter');
  return { ...earlier, documents: new Map(others) };
}

function momentOf(since: string, now: Date): Date {
  const from = beginningOf(since, now);
  if (from !== undefined && from <= now) return from;
  throw new AppError(
    'invalid_input',
    from === undefined
      ? worded`since: write today, yesterday, an age such as 24h or 7d, or a date or time in UTC such as 2026-01-31T14:00`
      : worded`since: this time is yet to come`,
  );
}

function visibleTo(
  { plugins }: Pick<InventoryServices, 'plugins'>,
  caller: Caller,
  changed: Awaited<ReturnType<typeof earlierRules>>['changed'],
): Awaited<ReturnType<typeof earlierRules>>['changed'] {
  return changed
    .filter(({ version }) => {
      const type = plugins.ruleType(version.type);
      return type === undefined ? !isRestricted(caller) : isVisible(type, version, caller);
    })
    .sort((a, b) => b.version.at.getTime() - a.version.at.getTime());
}
