import { definePlugin } from '../../ports/plugin.ts';
import { sendWebhook } from './client.ts';
import { webhookOptions } from './options.ts';

export default definePlugin({
  id: 'webhook',
  apiVersion: 2,
  description: 'Notifications as signed requests',
  register(host) {
    host.notificationChannel({
      id: 'webhook',
      title: 'Webhook',
      description: 'Notifications as JSON by POST, signed with the password of the account.',
      fieldTitles: { password: 'Key for signatures' },
      unusedFields: ['address', 'username'],
      get options() {
        return webhookOptions();
      },
      open: (options, account, services) => ({
        send: (notification, context) => sendWebhook({ options, account, services }, notification, context),
      }),
    });
  },
});
