import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { whole } from '../../kit/options/values.ts';

/** The address is a secret, since anyone who knows it can post to the channel. */
export const chatOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        webhook_url: z
          .string({ error: 'is required' })
          .min(1, 'is required')
          .describe('The address of the incoming webhook, which is a secret')
          .meta({ secret: true }),
        timeout: whole(1, 300).default(20).describe('Seconds to wait for an answer'),
      },
      {
        Where: { webhook_url: 'Address of the incoming webhook', timeout: 'Timeout in seconds' },
      },
    ),
  ),
);

export type ChatOptions = z.output<ReturnType<typeof chatOptions>>;
