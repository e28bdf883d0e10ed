import { definePlugin } from '../../ports/plugin.ts';
import { sendToChat } from './client.ts';
import { chatOptions } from './options.ts';
import { CHATS } from './shapes.ts';

export default definePlugin({
  id: 'chat',
  apiVersion: 2,
  description: 'Notifications to Slack, Mattermost and Microsoft Teams',
  register(host) {
    for (const { id, title, shape } of CHATS) {
      host.notificationChannel({
        id,
        title,
        description: `Notifications in a channel of ${title}, by an incoming webhook.`,
        unusedFields: ['address', 'username', 'password'],
        get options() {
          return chatOptions();
        },
        open: (options, _account, { http }) => ({
          send: (notification, context) => sendToChat({ options, http }, shape(notification), context),
        }),
      });
    }
  },
});
