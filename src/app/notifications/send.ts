import { maskedError, maskedLogger } from '../../kit/masking/masked.ts';
import type { Notification, OutboxMessage } from '../../ports/index.ts';
import { requireEnabled } from '../accounts/account-directory.ts';
import { accountMask } from '../accounts/account-mask.ts';
import { NO_COMMON_OPTIONS } from '../accounts/account-types.ts';
import { parseTypeOptions } from '../accounts/decisions/type-options.ts';
import { receiverNamed } from '../accounts/receiver.ts';
import { Outage } from '../kernel/outage.ts';
import { guarded } from '../kernel/plugin-host/guard.ts';
import { requireConfirmedAccount } from '../rules/trust/pending.ts';
import type { RunServices } from '../runs/services.ts';

const LEASE_MS = 60_000;
/** Shorter than the lease, so that a receiver does not get the next message while this one is on its way. */
const MOST_SECONDS = 45;
/** What is on its way when the service stops may arrive: cut off, it would be sent again. */
const GRACE_MS = 5_000;
/** So many receivers are sent to at once. As few as these that answer late hold up no other. */
const SENDERS = 16;

export interface SentMessages {
  readonly sent: number;
  readonly failed: number;
}

/** Sends what is due, of each receiver in order. Ends when nothing is due any more. */
export async function sendDue(services: RunServices, signal: AbortSignal): Promise<SentMessages> {
  let sent = 0;
  let failed = 0;
  const holder = `${services.process.name}/${services.newId()}`;
  const sender = async (number: number): Promise<void> => {
    const own = `${holder}/${number}`;
    while (!signal.aborted) {
      const message = await services.storage.outbox.claim({ holder: own, leaseMs: LEASE_MS });
      if (message === undefined) return;
      if (await sendOne(services, message, { holder: own, signal })) sent++;
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, number) => sender(number)));
  return { sent, failed };
}

async function sendOne(
  services: RunServices,
  message: OutboxMessage,
  { holder, signal }: { readonly holder: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const { storage, logger } = services;
  const { id, receiver } = message;
  const grace = graceAfter(signal);
  try {
    await sendThrough(services, receiver, JSON.parse(message.body) as Notification, grace.signal);
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause);
    const attempts = message.attempts + 1;
    const isOver = attempts >= MOST_ATTEMPTS;
    logger.warn(isOver ? 'a notification is given up' : 'a notification could not be sent', { id, receiver, error });
    await storage.outbox.settle({
      id,
      holder,
      outcome: isOver ? { state: 'dead', error } : { state: 'waiting', error, delayMs: pauseAfter(attempts) },
    });
    return false;
  } finally {
    grace.end();
  }
  // The receiver has it. A store that is away for a moment is no reason to send it again.
  const outage = new Outage({ longestMs: LEASE_MS, signal });
  await outage.through(() => storage.outbox.settle({ id, holder, outcome: { state: 'sent' } }));
  return true;
}

/** Aborts a while after the signal. */
function graceAfter(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => controller.abort(signal.reason), GRACE_MS);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}

/** Sends one notification. Throws `AppError` when the receiver does not have it for certain. */
export async function sendThrough(
  services: RunServices,
  receiver: string,
  notification: Notification,
  signal: AbortSignal,
): Promise<void> {
  const { account, type, pluginId } = await receiverNamed(services, receiver);
  requireEnabled(account);
  requireConfirmedAccount(services.plugins, account);
  const mask = await accountMask(services, account, pluginId);
  try {
    const { own } = parseTypeOptions(NO_COMMON_OPTIONS, type, await services.accounts.options(account));
    const { name, address, username } = account;
    const password = await services.accounts.password(account);
    const logger = maskedLogger(services.logger.child({ account: name, plugin: pluginId }), mask);
    const channel = type.open(
      own,
      { name, address, username, password },
      { logger, http: services.http, syslog: services.syslog },
    );
    const timeoutSeconds = Math.min(services.config.PLUGIN_TIMEOUT_SECONDS, MOST_SECONDS);
    const call = { pluginId, what: `sending through ${name}`, timeoutSeconds, signal };
    await guarded(call, (inner) => channel.send(notification, { signal: inner }));
  } catch (error) {
    throw maskedError(error, mask);
  }
}

const FIRST_MS = 5_000;
const LONGEST_MS = 60 * 60_000;
/** With the pauses below, a receiver may be away for about a day. */
export const MOST_ATTEMPTS = 34;

/** How long to wait after so many attempts that failed: twice as long each time, an hour at most. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, attempts - 1), LONGEST_MS);
}
