import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { columnNames } from '../../kernel/listing.ts';
import { pendingDocuments } from '../pending-documents.ts';
import { defineOperation } from '../services.ts';
import { WAITING_COLUMNS, waitingView } from '../views/waiting.ts';

/** More than anybody reads at once. */
const MOST = 1000;

const outputSchema = z.object({
  waiting: z.array(
    z.object({
      rule_type: z.string(),
      title: z.string().describe('Title of the type'),
      id: z.string(),
      name: z.string(),
      version: z.number().int(),
      acts: z.array(z.string()).describe('Actions on the machine that it would cause'),
      changed_at: z.string(),
      changed_by: z.string(),
    }),
  ),
  more: z.boolean().describe('True when there are more than these'),
});

export const listWaiting = defineOperation({
  name: 'rules/list-waiting',
  title: 'Documents that wait for an administrator',
  description:
    'Documents that would make the machine act and are not confirmed yet, with their actions and their authors.',
  effect: 'read',
  roles: ['rules', 'administrator'],
  weight: 'heavy',
  at: {
    command: {
      words: 'rules waiting',
      description:
        'List the documents that would make the machine act and were not written by an administrator. They do nothing until they are confirmed.',
      summary: 'list documents that wait for an administrator',
      fixed: { limit: MOST },
      columns: columnNames(WAITING_COLUMNS),
      json: 'answer the list as JSON',
      examples: ['muster rules waiting', 'muster rules confirm cron_groups nightly'],
      view: waitingView,
    },
    page: true,
  },
  input: z.object({ limit: z.number().int().min(1).max(MOST).default(200) }),
  output: outputSchema,
  async run({ limit }, { services, caller }) {
    const waiting: z.output<typeof outputSchema>['waiting'] = [];
    for await (const { record, acts } of pendingDocuments(services, caller)) {
      if (waiting.length === limit) return { waiting, more: true };
      const [last] = await services.storage.rules.versions(record.type, record.id, 1);
      waiting.push({
        rule_type: record.type,
        title: services.plugins.ruleType(record.type)?.title ?? record.type,
        id: record.id,
        name: record.name,
        version: record.version,
        acts: [...acts],
        changed_at: secondsOf(record.changedAt),
        changed_by: last?.actor ?? '',
      });
    }
    return { waiting, more: false };
  },
});
