import * as z from 'zod';
import { secondsOf } from '../../kit/words/moment.ts';
import { NOTIFICATION_EVENTS, type Notification, type OutboxMessage } from '../../ports/index.ts';

export const notificationSchema = z.object({
  id: z.string(),
  place: z.number().int().describe('Its place among all; later ones have higher numbers'),
  state: z
    .enum(['waiting', 'sent', 'held_back', 'dead'])
    .describe('held_back: a rule reported it a short while ago; dead: it was tried too often'),
  receiver: z.string().describe('The account that it is sent through'),
  event: z.enum(NOTIFICATION_EVENTS),
  subject: z.string().describe('The account, cron group or rule that it is about'),
  title: z.string(),
  text: z.string(),
  rule: z.string(),
  at: z.string(),
  attempts: z.number().int(),
  due_at: z.string().nullable().describe('When it is tried again; null: as soon as it is its turn'),
  settled_at: z.string().nullable().describe('When it was sent or given up'),
  error: z.string().describe('Why it was not sent at the last time'),
});

export type NotificationAnswer = z.output<typeof notificationSchema>;

export function notificationAnswer(message: OutboxMessage): NotificationAnswer {
  const { event, subject, title, text, rule } = JSON.parse(message.body) as Notification;
  const { id, place, state, receiver, attempts, error, at, dueAt, settledAt } = message;
  return {
    ...{ id, place, state, receiver, event, subject, title, text, rule, at: secondsOf(at), attempts },
    due_at: state === 'waiting' && dueAt.getTime() > 0 ? secondsOf(dueAt) : null,
    settled_at: settledAt === null ? null : secondsOf(settledAt),
    error,
  };
}
