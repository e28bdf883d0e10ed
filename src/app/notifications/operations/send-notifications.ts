import * as z from 'zod';
import { defineOperation } from '../../runs/services.ts';
import { noticeHappenings } from '../notice.ts';
import { sendDue } from '../send.ts';

export const sendNotifications = defineOperation({
  name: 'notifications/send-notifications',
  title: 'Send notifications',
  description: 'Looks at what happened, and sends what is due, as the service does every few seconds.',
  effect: 'write',
  roles: ['administrator'],
  weight: 'light',
  at: {
    command: {
      words: 'notification send',
      description: 'Look at what happened and send what is due, once, if no service runs.',
      json: 'answer the counts as JSON',
      examples: ['muster notification send'],
      view: ({ noticed, sent, failed }, print) => print.note(`${noticed} noticed, ${sent} sent, ${failed} failed.`),
    },
  },
  input: z.object({}),
  output: z.object({ noticed: z.number().int(), sent: z.number().int(), failed: z.number().int() }),
  async run(_input, { services, signal }) {
    const noticed = await noticeHappenings(services);
    return { noticed, ...(await sendDue(services, signal)) };
  },
});
