import * as z from 'zod';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { requireHost } from '../../hosts/require-host.ts';
import { defineOperation } from '../../hosts/services.ts';
import { columnNames } from '../../kernel/listing.ts';
import { commentAnswer, commentSchema, commentsFor, MOST_BYTES, mayRemove } from '../comment-answer.ts';
import { COMMENT_COLUMNS, commentsView } from '../views/comments.ts';

export const listComments = defineOperation({
  name: 'comments/list-comments',
  title: 'Comments on a host',
  description: 'Comments of people on a host, newest first.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'GET /objects/:hostname/comments', query: ['limit', 'before'], errors: ['not_found'] },
    command: {
      words: 'host comments',
      description: 'List the comments on a host, newest first.',
      arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
      options: {
        limit: {
          flags: '--limit <n>',
          description: 'at most this many comments',
          parse: { from: 1, to: 1000 },
          default: 20,
        },
      },
      columns: columnNames(COMMENT_COLUMNS),
      json: 'answer the comments as JSON',
      examples: ['muster host comments web01.example.org'],
      view: commentsView,
    },
    tool: { name: 'list_host_comments', rest: 'Ask for older ones with before' },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    limit: z.coerce.number().int().min(1).max(1000).default(100).describe('Comments at most'),
    before: z.string().max(100).optional().describe('Id of a comment: only older ones'),
  }),
  output: z.object({
    hostname: z.string(),
    total: z.number().int(),
    comments: z
      .array(commentSchema.extend({ removable: z.boolean().describe('Whether the caller may remove it') }))
      .describe('Newest first'),
  }),
  async run({ hostname, limit, before }, { services, caller, holds }) {
    const host = await requireHost(services, caller, hostname);
    holds(Math.min(limit, 50) * MOST_BYTES);
    const page = { hostname: host.hostname, limit, ...(before !== undefined && { before }) };
    const { total, found } = await commentsFor(services.storage, caller, page);
    return {
      hostname: host.hostname,
      total,
      comments: found.map((comment) => ({ ...commentAnswer(comment), removable: mayRemove(comment, caller) })),
    };
  },
});
