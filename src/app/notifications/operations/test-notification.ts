import * as z from 'zod';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { notificationOf } from '../../runs/decisions/happening.ts';
import { defineOperation } from '../../runs/services.ts';
import { sendThrough } from '../send.ts';

export const testNotification = defineOperation({
  name: 'notifications/test-notification',
  title: 'Test a receiver',
  description:
    'Sends a notification to one receiver at once, bypassing the outbox, and reports whether it was accepted.',
  effect: 'write',
  roles: ['administrator'],
  weight: 'light',
  at: {
    rest: { path: 'POST /notifications/test', body: 'required', errors: ['not_found', 'failed'] },
    command: {
      words: 'notification test',
      description: 'Send a notification to one receiver now, and report whether it was accepted.',
      arguments: {
        receiver: { shown: '<account>', description: 'name of the account that notifications are sent through' },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster notification test ops-mail'],
      view: ({ receiver, id }, print) => print.note(`${receiver} took the notification ${id}.`),
    },
    page: true,
  },
  input: z.object({ receiver: accountNameSchema }),
  output: z.object({ receiver: z.string(), id: z.string() }),
  subject: (input) => input.receiver,
  async run({ receiver }, { services, caller, signal }) {
    const id = services.newId();
    const title = `A test by ${caller.name}`;
    const happening = {
      event: 'test',
      subject: receiver,
      title,
      text: '',
      at: services.clock.now(),
      page: '/',
    } as const;
    const notification = notificationOf({ id, rule: 'test', baseUrl: services.config.BASE_URL }, happening);
    await sendThrough(services, receiver, notification, signal);
    return { receiver, id };
  },
});
