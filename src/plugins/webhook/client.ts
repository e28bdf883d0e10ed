import { createHmac } from 'node:crypto';
import type { Notification, NotificationContext, NotificationServices } from '../../ports/notification-channel.ts';
import type { SourceAccount } from '../../ports/source.ts';
import type { WebhookOptions } from './options.ts';

export interface WebhookAccount {
  readonly options: WebhookOptions;
  readonly account: SourceAccount;
  readonly services: NotificationServices;
}

/** Signed as webhooks of cron groups are: HMAC-SHA256 over `<timestamp>.<body>`. */
export async function sendWebhook(
  { options, account, services }: WebhookAccount,
  notification: Notification,
  context: NotificationContext,
): Promise<void> {
  const body = JSON.stringify(notification);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = createHmac('sha256', account.password).update(`${timestamp}.${body}`).digest('hex');
  const client = services.http.client({
    url: options.url,
    tls: { verify: options.verify_cert },
    limits: { answerSeconds: options.timeout },
    retry: { attempts: 1 },
    secrets: [account.password],
  });
  try {
    const answer = await client.request(
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': notification.id,
          'x-muster-event': notification.event,
          'x-timestamp': timestamp,
          ...(account.password === '' ? {} : { 'x-signature-sha256': `sha256=${signed}` }),
        },
        body,
      },
      context,
    );
    answer.discard();
  } finally {
    await client.close();
  }
}
