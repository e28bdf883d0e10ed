import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, whole } from '../../kit/options/values.ts';
import { phrase } from '../../kit/worded.ts';

export const webhookOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        url: z
          .url({ protocol: /^https?$/, error: phrase`must be an address: https://…` })
          .describe('Address that requests are sent to: https://hooks.example.org/muster'),
        verify_cert: flag().default(true).describe('Check the certificate of the receiver'),
        timeout: whole(1, 300).default(20).describe('Seconds to wait for an answer'),
      },
      {
        Where: { url: 'Address', verify_cert: 'Check the certificate', timeout: 'Timeout in seconds' },
      },
    ),
  ),
);

export type WebhookOptions = z.output<ReturnType<typeof webhookOptions>>;
