import * as z from 'zod';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { bytesOf } from '../../hosts/decisions/host-size.ts';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { requireHost } from '../../hosts/require-host.ts';
import { defineOperation } from '../../hosts/services.ts';
import { commentAnswer, commentSchema, MOST_BYTES, MOST_COMMENTS } from '../comment-answer.ts';

export const addComment = defineOperation({
  name: 'comments/add-comment',
  title: 'Comment on a host',
  description: 'Adds a comment to a host, as plain text. Comments are in no inventory and no export.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: {
      path: 'POST /objects/:hostname/comments',
      body: 'required',
      errors: ['not_found', 'conflict'],
    },
    command: {
      words: 'host comment',
      description: 'Comment on a host, as plain text.',
      arguments: {
        hostname: { shown: '<hostname>', description: 'name of the host' },
        text: { shown: '<text>', description: 'the comment, 4 kB at most' },
      },
      json: 'answer the comment as JSON',
      examples: ["muster host comment web01.example.org 'Disk 2 was replaced, ticket 4711'"],
      view: ({ hostname }, print) => print.note(`The comment on ${hostname} is kept.`),
    },
    tool: { name: 'comment_on_host' },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    text: z
      .string()
      .trim()
      .min(1)
      .refine((text) => bytesOf(text) <= MOST_BYTES, phrase`must not be longer than 4 kB`)
      .describe('Plain text, 4 kB at most'),
  }),
  output: commentSchema.extend({ hostname: z.string() }),
  subject: (input) => input.hostname,
  async run({ hostname, text }, { services, caller }) {
    const host = await requireHost(services, caller, hostname);
    const { comments } = services.storage;
    if ((await comments.count(host.hostname)) >= MOST_COMMENTS) {
      throw new AppError(
        'conflict',
        worded`host ${{ hostname }} has 1,000 comments, and more are not kept; remove old ones first`,
      );
    }
    const at = services.clock.now();
    const comment = { hostname: host.hostname, id: services.newId(), at, author: caller.name, text };
    await comments.add(comment);
    return { hostname: host.hostname, ...commentAnswer(comment) };
  },
});
