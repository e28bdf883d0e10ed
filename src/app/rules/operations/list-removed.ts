import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { isRestricted } from '../../kernel/caller.ts';
import { columnNames } from '../../kernel/listing.ts';
import { isVisible } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { unknownRuleType, unknownTypes } from '../unknown-types.ts';
import { REMOVED_COLUMNS, removedView } from '../views/removed.ts';

const MOST = 1000;
const BATCH_SIZE = 250;

const outputSchema = z.object({
  removed: z.array(
    z.object({
      rule_type: z.string(),
      title: z.string().describe('Title of the type'),
      id: z.string(),
      name: z.string(),
      version: z.number().int().describe('The version that was removed; reverting to it restores the document'),
      removed_at: z.string(),
      removed_by: z.string(),
    }),
  ),
  more: z.boolean().describe('True when there are more than these'),
});

export const listRemoved = defineOperation({
  name: 'rules/list-removed',
  title: 'Removed rules',
  description:
    'Rules and other documents that were removed and are still in the history, the last removed first. Reverting one to its version brings it back.',
  effect: 'read',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: { path: 'GET /rules/removed', query: ['rule_type', 'limit'], errors: ['forbidden'] },
    command: {
      words: 'rules removed',
      description: 'List the removed rules that can be brought back, the last removed first.',
      summary: 'list removed rules that can come back',
      options: {
        rule_type: { flags: '--type <type>', description: 'only rules of this type' },
        limit: { flags: '--limit <n>', description: 'how many', parse: { from: 1, to: MOST } },
      },
      columns: columnNames(REMOVED_COLUMNS),
      json: 'answer the list as JSON',
      examples: ['muster rules removed', 'muster rules removed --type custom_attributes'],
      view: removedView,
    },
    page: true,
  },
  input: z.object({
    rule_type: ruleTypeSchema.optional(),
    limit: z.coerce.number().int().min(1).max(MOST).default(100),
  }),
  output: outputSchema,
  async run({ rule_type, limit }, { services, caller }) {
    const removed: z.output<typeof outputSchema>['removed'] = [];
    const ident = rule_type === undefined ? undefined : (services.plugins.ruleType(rule_type)?.id ?? rule_type);
    const request = { change: 'removed', ...(ident !== undefined && { type: ident }) } as const;
    // Restricted callers see nothing of unknown types, since it is not known which documents concern them.
    const unknown = isRestricted(caller) ? [] : await unknownTypes(services.storage, services.plugins);
    const types = new Map(
      [...services.plugins.ruleTypes(), ...unknown.map(({ ident: one }) => unknownRuleType(one))].map((type) => [
        type.id,
        type,
      ]),
    );
    for await (const batch of services.storage.rules.lastVersions(request, BATCH_SIZE)) {
      for (const version of batch) {
        const type = types.get(version.type);
        if (type === undefined || !isVisible(type, version, caller)) continue;
        if (removed.length === limit) return { removed, more: true };
        removed.push({
          rule_type: type.id,
          title: type.title,
          id: version.id,
          name: version.name,
          version: version.version,
          removed_at: secondsOf(version.at),
          removed_by: version.actor,
        });
      }
    }
    return { removed, more: false };
  },
});
