import { definePlugin } from '../../ports/plugin.ts';
import { mailOptions } from './options.ts';

export default definePlugin({
  id: 'mail',
  apiVersion: 2,
  description: 'Notifications by mail',
  register(host) {
    host.notificationChannel({
      id: 'mail',
      title: 'Mail',
      description: 'Notifications as mail, through a server for SMTP.',
      fieldTitles: { address: 'Mail server' },
      neededAddress: 'smtp://mail.example.org:587',
      get options() {
        return mailOptions();
      },
      open: (options, account, { logger }) => ({
        async send(notification, context) {
          const { sendMail } = await import('./client.ts');
          await sendMail({ options, account, logger }, notification, context);
        },
        async check(context) {
          const { checkMail } = await import('./client.ts');
          return checkMail({ options, account, logger }, context);
        },
      }),
    });
  },
});
