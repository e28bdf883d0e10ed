import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { requireHost } from '../../hosts/require-host.ts';
import { defineOperation } from '../../hosts/services.ts';
import { commentsFor, MOST_COMMENTS, mayRemove } from '../comment-answer.ts';

export const removeComment = defineOperation({
  name: 'comments/remove-comment',
  title: 'Remove a comment',
  description: 'Removes a comment from a host: your own, or any as an administrator.',
  effect: 'destructive',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'DELETE /objects/:hostname/comments/:id', errors: ['not_found', 'forbidden'] },
    command: {
      words: 'host uncomment',
      description: 'Remove a comment from a host.',
      arguments: {
        hostname: { shown: '<hostname>', description: 'name of the host' },
        id: { shown: '<id>', description: 'id of the comment, as "host comments" shows it' },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster host uncomment web01.example.org 6929f0d2c41b7c0012345678'],
      view: ({ hostname }, print) => print.note(`The comment on ${hostname} is removed.`),
    },
    page: true,
  },
  input: z.object({ hostname: hostnameSchema, id: z.string().max(100).describe('Id of the comment') }),
  output: z.object({ status: z.literal('removed'), hostname: z.string() }),
  subject: (input) => input.hostname,
  async run({ hostname, id }, { services, caller }) {
    const { hostname: name } = await requireHost(services, caller, hostname);
    const seen = await commentsFor(services.storage, caller, { hostname: name, limit: MOST_COMMENTS });
    const found = seen.found.find((comment) => comment.id === id);
    if (found === undefined)
      throw new AppError('not_found', worded`host ${{ hostname: name }} has no comment ${{ id }}; list its comments`);
    if (!mayRemove(found, caller)) {
      throw new AppError(
        'forbidden',
        worded`this comment is by ${{ author: found.author }}; only its author and administrators remove it`,
      );
    }
    await services.storage.comments.remove({ hostname: name, id });
    return { status: 'removed' as const, hostname: name };
  },
});
