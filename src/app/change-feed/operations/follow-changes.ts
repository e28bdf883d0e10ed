import * as z from 'zod';
import { defineOperation } from '../../hosts/services.ts';
import { cursorSchema, followedSchema, followFrom } from '../follow.ts';

export const followChanges = defineOperation({
  name: 'hosts/follow-changes',
  title: 'Follow changes of hosts',
  description:
    'Every change of hosts behind a cursor, oldest first: created, changed, archived, restored, renamed, deleted for good. Each comes once at least, those of one host in their order. GET /changes?since= answers the same.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    // No tool: a conversation does not go on from a cursor for days.
    rest: {
      path: 'GET /changes/feed',
      asQuery: { path: '/changes', parameter: 'since' },
      query: ['since', 'limit'],
      errors: ['gone'],
    },
  },
  input: z.object({
    since: cursorSchema
      .default('start')
      .describe('The next of an earlier answer; now: from now on; start: as far back as is kept'),
    limit: z.coerce.number().int().min(1).max(1000).default(100).describe('At most this many changes'),
  }),
  output: z.object({
    changes: z.array(followedSchema),
    next: z.string().describe('The cursor to continue from, even if nothing has changed'),
    more: z.boolean().describe('Whether there is more at once; there may be although changes are empty'),
  }),
  async run({ since, limit }, call) {
    const { changes, next, more } = await followFrom(call, since, limit);
    return { changes: changes.map(({ reported }) => reported.value), next, more };
  },
  async json({ since, limit }, call) {
    const { changes, next, more } = await followFrom(call, since, limit);
    return `{"changes":[${changes.map(({ reported }) => reported.text).join(',')}],"next":${JSON.stringify(next)},"more":${more}}`;
  },
});
