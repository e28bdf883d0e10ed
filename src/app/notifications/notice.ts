import { createHash } from 'node:crypto';
import type { NewOutboxMessage } from '../../ports/index.ts';
import { actingRecords } from '../rules/trust/held-versions.ts';
import { requireConfirmed } from '../rules/trust/pending.ts';
import { type Happening, notificationOf } from '../runs/decisions/happening.ts';
import type { RunServices } from '../runs/services.ts';
import { markText, readMark } from './decisions/look-mark.ts';
import { type NotificationRule, readNotificationRule, tellsOf } from './decisions/notification-rule.ts';
import { logHappenings } from './log-happenings.ts';
import { stateHappenings } from './state-happenings.ts';

const MARK = 'notifications';

/**
 * Looks at what happened since the last time, and puts what rules tell of into the outbox, in one unit with the moment that it looked at. Whatever it is cut off at, the next
 * look finds the same again, and the outbox has each of them once. Runs themselves know nothing of it. Answers how many are new.
 */
export async function noticeHappenings(services: RunServices): Promise<number> {
  const { storage, clock } = services;
  const rules = await activeRules(services);
  const now = clock.now();
  const noted = await storage.outbox.mark(MARK);
  // What was before there was a rule is no news.
  if (rules.length === 0)
    return noted === undefined ? 0 : storage.outbox.put({ messages: [], mark: { name: MARK, text: '' } });
  const last = readMark(noted, now) ?? { at: now, awaited: [] };
  const news = (await Promise.all(services.features.map((feature) => feature.news?.(services, last) ?? []))).flat();
  const found = [
    ...(await logHappenings(storage.logs, last.at)),
    ...news.flatMap(({ happenings }) => happenings),
    ...(await stateHappenings(services)),
  ];
  const messages: NewOutboxMessage[] = [];
  for (const happening of found) messages.push(...(await messagesOf(services, rules, happening, messages)));
  return storage.outbox.put({
    messages,
    mark: { name: MARK, text: markText({ at: now, awaited: news.flatMap(({ awaited }) => awaited) }) },
  });
}

/** Those that are on and that an administrator vouches for. */
async function activeRules({ storage, plugins }: RunServices): Promise<readonly NotificationRule[]> {
  const type = plugins.ruleType('notification_policies');
  const records = type === undefined ? [] : await actingRecords(storage.rules, type);
  return records.flatMap((record) => {
    try {
      requireConfirmed(plugins, record);
    } catch {
      return [];
    }
    return readNotificationRule(record) ?? [];
  });
}

async function messagesOf(
  { storage, config }: RunServices,
  rules: readonly NotificationRule[],
  happening: Happening,
  earlier: readonly NewOutboxMessage[],
): Promise<readonly NewOutboxMessage[]> {
  const found: NewOutboxMessage[] = [];
  for (const rule of rules.filter((each) => tellsOf(each, happening))) {
    for (const receiver of rule.receivers) {
      const topic = [rule.id, receiver, happening.event, happening.subject].join('/');
      const id = idOf(rule.id, receiver, happening.id);
      const told = earlier.findLast((message) => message.topic === topic && message.state === 'waiting');
      const last = told ?? (await storage.outbox.newest(topic));
      // Another node, whose clock is ahead, may have told of the one before.
      const isSoon =
        last !== undefined &&
        last.id !== id &&
        Math.abs(happening.at.getTime() - last.at.getTime()) < rule.coolDownMilliseconds;
      const body = JSON.stringify(notificationOf({ id, rule: rule.name, baseUrl: config.BASE_URL }, happening));
      found.push({ id, receiver, topic, at: happening.at, state: isSoon ? 'held_back' : 'waiting', body });
    }
  }
  return found;
}

function idOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}
