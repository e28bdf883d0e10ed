import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { columnNames } from '../../kernel/listing.ts';
import { hostnameSchema } from '../host-schemas.ts';
import { entriesOf, reportedChange } from '../reported-history.ts';
import { requireHost } from '../require-host.ts';
import { defineOperation } from '../services.ts';
import { CHANGE_COLUMNS, historyView } from '../views/history.ts';

export const hostHistory = defineOperation({
  name: 'hosts/host-history',
  title: 'History of a host',
  description: 'Changes to a host, with their time and the account, user or rule that made them; newest first.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    command: {
      words: 'host history',
      description: 'Show what changed at a host, when, and by whom; newest first.',
      arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
      options: {
        limit: {
          flags: '--limit <n>',
          description: 'at most this many changes',
          parse: { from: 1, to: 1000 },
          default: 20,
        },
      },
      columns: columnNames(CHANGE_COLUMNS),
      json: 'answer the changes as JSON',
      examples: ['muster host history web01.example.org --limit 5'],
      view: historyView,
    },
    rest: { path: 'GET /objects/:hostname/history', query: ['limit'], errors: ['not_found'] },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    limit: z.coerce.number().int().min(1).max(1000).default(100).describe('Changes at most'),
  }),
  output: z.object({
    hostname: z.string(),
    changes: z.array(
      z.object({
        time: z.string(),
        kind: z.string(),
        by: z.string().describe('Cause, as account:name, user:name, rule:name or system:name'),
        changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      }),
    ),
    next: z
      .string()
      .nullable()
      .describe(
        'Start of older changes, which may repeat the last ones that are here: `before` of /changes, with `name=<hostname>` as `where`; null when there are none',
      ),
  }),
  async run({ hostname, limit }, { services, caller, holds }) {
    await requireHost(services, caller, hostname);
    const kept = await services.storage.history.ofHost(hostname, limit);
    holds(kept.reduce((sum, { characters }) => sum + characters, 0));
    const last = kept.at(-1);
    const entries = await entriesOf(services.storage, caller, [hostname]);
    const changes = kept.flatMap((change) => reportedChange(change, entries) ?? []);
    return {
      hostname,
      changes: changes.map((change) => ({
        time: secondsOf(change.at),
        kind: change.kind,
        by: `${change.actor.kind}:${change.actor.name}`,
        changes: change.changes.map((value) => ({ ...value })),
      })),
      // Some changes of its last moment may not have fitted.
      next: last === undefined || last.kind === 'created' ? null : `${last.at.getTime() + 1}:${hostname}`,
    };
  },
});
