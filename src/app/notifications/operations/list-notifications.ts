import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../../runs/services.ts';
import { notificationAnswer, notificationSchema } from '../notification-answer.ts';
import { NOTIFICATION_COLUMNS, notificationsView } from '../views/notifications.ts';

export const listNotifications = defineOperation({
  name: 'notifications/list-notifications',
  title: 'Notifications',
  description: 'Notifications to receivers, newest first: waiting, sent, held back, or given up.',
  effect: 'read',
  roles: ['administrator'],
  weight: 'light',
  at: {
    rest: { path: 'GET /notifications', query: ['state', 'receiver', 'limit', 'before'] },
    command: {
      words: 'notification list',
      description: 'List notifications, newest first.',
      options: {
        state: { flags: '--state <state>', description: 'only those that are waiting, sent, held_back or dead' },
        receiver: { flags: '--receiver <account>', description: 'only those for this receiver' },
        limit: { flags: '--limit <n>', description: 'how many', parse: { from: 1, to: 1000 } },
        before: { flags: '--before <place>', description: 'only those before this place', parse: { from: 0 } },
      },
      columns: columnNames(NOTIFICATION_COLUMNS),
      json: 'answer a JSON array of notifications',
      answered: ({ notifications }) => notifications,
      examples: ['muster notification list', 'muster notification list --state dead'],
      view: notificationsView,
    },
    page: true,
  },
  input: z.object({
    state: z.enum(['waiting', 'sent', 'held_back', 'dead']).optional(),
    receiver: z.string().min(1).optional().describe('The name of an account'),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
    before: z.coerce.number().int().min(0).optional().describe('Only those before this place'),
  }),
  output: z.object({
    notifications: z.array(notificationSchema),
    counts: z.object({
      waiting: z.number().int(),
      sent: z.number().int(),
      held_back: z.number().int(),
      dead: z.number().int(),
    }),
    next: z.number().int().nullable().describe('`before` of the next page; null at the end'),
  }),
  async run({ state, receiver, limit, before }, { services }) {
    const { outbox } = services.storage;
    const found = await outbox.list({
      limit: limit + 1,
      ...(state === undefined ? {} : { state }),
      ...(receiver === undefined ? {} : { receiver }),
      ...(before === undefined ? {} : { before }),
    });
    const notifications = found.slice(0, limit).map(notificationAnswer);
    const next = found.length > limit ? (notifications.at(-1)?.place ?? null) : null;
    return { notifications, counts: await outbox.counts(), next };
  },
});
