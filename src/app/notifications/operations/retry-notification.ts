import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../runs/services.ts';

export const retryNotification = defineOperation({
  name: 'notifications/retry-notification',
  title: 'Send a notification again',
  description: 'Puts a notification that was given up behind all others, to be sent with the same id.',
  effect: 'write',
  roles: ['administrator'],
  weight: 'light',
  at: {
    rest: { path: 'POST /notifications/:notification/retry', body: 'optional', errors: ['not_found'] },
    command: {
      words: 'notification retry',
      description: 'Send a notification again that was given up.',
      arguments: { notification: { shown: '<id>', description: 'id of the notification' } },
      json: 'answer the outcome as JSON',
      examples: ['muster notification retry 65a1b2c3d4e5f60718293a4b'],
      view: ({ id }, print) => print.note(`Notification ${id} waits again.`),
    },
    page: true,
  },
  input: z.object({ notification: z.string().trim().min(1).describe('Id of the notification') }),
  output: z.object({ id: z.string() }),
  subject: (input) => input.notification,
  async run({ notification: id }, { services }) {
    if (!(await services.storage.outbox.retry(id))) {
      throw new AppError(
        'not_found',
        worded`no notification ${{ id }} was given up; "muster notification list --state dead" lists those that were`,
      );
    }
    return { id };
  },
});
