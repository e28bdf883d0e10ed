import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { entriesOf } from '../../hosts/reported-history.ts';
import { requireHost } from '../../hosts/require-host.ts';
import { inventoryTypes } from '../../inventory/inventory-types.ts';
import { defineOperation } from '../../inventory/services.ts';
import { columnNames } from '../../kernel/listing.ts';
import { projectOf } from '../../rules/project-of.ts';
import { PastRules } from '../past-rules.ts';
import { valueAges } from '../value-ages.ts';
import { VALUE_COLUMNS, valuesSinceView } from '../views/values-since.ts';

const DAY = 86_400_000;
const MOST_CHANGES = 500;

export const valuesSince = defineOperation({
  name: 'hosts/values-since',
  title: 'Since when rules set values',
  description:
    'For each value of a host that a rule sets: the time since when it has been the same, by the history of the host and of rules. Reports it if these do not reach back far enough.',
  effect: 'read',
  roles: ['objects'],
  weight: 'preview',
  at: {
    rest: { path: 'GET /objects/:hostname/values-since', query: ['project'], errors: ['not_found'] },
    command: {
      words: 'host values-since',
      description: 'Show since when rules set each value of a host, and what made it so.',
      summary: 'since when rules set the values of a host',
      arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
      options: {
        project: {
          flags: '--project <name>',
          description: 'values in the inventory of this project instead of automation',
        },
      },
      columns: columnNames(VALUE_COLUMNS),
      json: 'answer the values as JSON',
      examples: ['muster host values-since web01.example.org'],
      view: valuesSinceView,
    },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    project: z.string().optional().describe('Values in the inventory of this project instead of automation'),
  }),
  output: z.object({
    hostname: z.string(),
    values: z.array(
      z.object({
        name: z.string(),
        rule: z.object({ type: z.string(), id: z.string(), name: z.string() }),
        since: z.string(),
        is_exact: z.boolean().describe('False: it was so then already, and what was before is not known'),
        by: z
          .enum(['rule', 'rules', 'host', 'created'])
          .nullable()
          .describe('Cause: a change of the rule, of other rules, of the host, or that the host was created'),
        version: z
          .number()
          .int()
          .nullable()
          .describe('The version of the rule that set it first; null where that is not known'),
      }),
    ),
    unknown: z.array(z.string()).describe('Facts that cannot be determined, in words'),
  }),
  async run({ hostname, project }, { services, caller, signal }) {
    const { storage, evaluators, clock, config } = services;
    const host = await requireHost(services, caller, hostname);
    const present = clock.now();
    const name = projectOf(project);
    const changes = await storage.history.ofHost(hostname, MOST_CHANGES);
    const days = Math.min(config.HISTORY_DAYS, config.RULE_HISTORY_DAYS);
    const kept = new Date(present.getTime() - days * DAY);
    const oldest = changes.at(-1);
    const isCut = changes.length >= MOST_CHANGES && oldest !== undefined && oldest.kind !== 'created';
    const known = isCut && oldest.at > kept ? oldest.at : kept;
    // The states of a host before it entered the caller's reach are not for the caller, nor the time of that.
    const entry = (await entriesOf(storage, caller, [hostname])).get(hostname);
    const from = entry !== undefined && entry > known ? entry : known;
    const rules = await PastRules.read(storage.rules, inventoryTypes(services), from, signal);
    const program = await evaluators.preview(name);
    const ages = await valueAges(
      {
        host,
        changes,
        knownFrom: rules.knownFrom,
        rules,
        now: program,
        programOf: (earlier) =>
          earlier.documents.size === 0 ? Promise.resolve(program) : evaluators.asOf(earlier, name),
      },
      present,
      signal,
    );
    return {
      hostname,
      values: ages.map(({ name: value, rule: { type, id, name: called }, since, isExact, by }) => ({
        name: value,
        rule: { type, id, name: called },
        since: secondsOf(since),
        is_exact: isExact,
        by,
        version: isExact ? (rules.versionAt(type, id, since)?.version ?? null) : null,
      })),
      unknown: program.volatile && ages.length > 0 ? ['rules depend on the time of day: they count as of now'] : [],
    };
  },
});
