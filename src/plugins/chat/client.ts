import { AppError } from '../../ports/errors.ts';
import { type Http, HttpError } from '../../ports/http-client.ts';
import type { JsonObject } from '../../ports/json.ts';
import type { NotificationContext } from '../../ports/notification-channel.ts';
import type { ChatOptions } from './options.ts';

export async function sendToChat(
  { options, http }: { readonly options: ChatOptions; readonly http: Http },
  body: JsonObject,
  context: NotificationContext,
): Promise<void> {
  const url = URL.canParse(options.webhook_url) ? new URL(options.webhook_url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AppError('invalid_input', 'webhook_url must be an address: https://…');
  const client = http.client({
    url: url.origin,
    limits: { answerSeconds: options.timeout },
    retry: { attempts: 1 },
    secrets: [options.webhook_url, `${url.pathname}${url.search}`, url.pathname.slice(1)],
  });
  try {
    const query = Object.fromEntries(url.searchParams);
    const answer = await client.request({ method: 'POST', path: url.pathname, query, json: body }, context);
    answer.discard();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const what = error.status === undefined ? 'cannot be reached' : `answers ${error.status}`;
    throw new AppError('failed', `the webhook at ${url.host} ${what}; check webhook_url`, { cause: error });
  } finally {
    await client.close();
  }
}
