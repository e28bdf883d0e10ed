import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `notification …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'List notifications, newest first.',
    words: 'notification list',
    options: {
      state: {
        flags: '--state <state>',
        description: 'only those that are waiting, sent, held_back or dead',
      },
      receiver: {
        flags: '--receiver <account>',
        description: 'only those for this receiver',
      },
      limit: {
        flags: '--limit <n>',
        description: 'how many',
        parse: {
          from: 1,
          to: 1000,
        },
      },
      before: {
        flags: '--before <place>',
        description: 'only those before this place',
        parse: {
          from: 0,
        },
      },
    },
    columns: ['id', 'at', 'receiver', 'state', 'what'],
    json: 'answer a JSON array of notifications',
    examples: ['muster notification list', 'muster notification list --state dead'],
    async operation() {
      return (await import('./../../runs/notifications/operations/list-notifications.ts')).listNotifications;
    },
  },
  {
    description: 'Send a notification again that was given up.',
    words: 'notification retry',
    arguments: {
      notification: {
        shown: '<id>',
        description: 'id of the notification',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster notification retry 65a1b2c3d4e5f60718293a4b'],
    async operation() {
      return (await import('./../../runs/notifications/operations/retry-notification.ts')).retryNotification;
    },
  },
  {
    description: 'Look at what happened and send what is due, once, where no service runs.',
    words: 'notification send',
    json: 'answer the counts as JSON',
    examples: ['muster notification send'],
    async operation() {
      return (await import('./../../runs/notifications/operations/send-notifications.ts')).sendNotifications;
    },
  },
  {
    description: 'Send a notification to one receiver now, and say whether it was taken.',
    words: 'notification test',
    arguments: {
      receiver: {
        shown: '<account>',
        description: 'name of the account that notifications are sent through',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster notification test ops-mail'],
    async operation() {
      return (await import('./../../runs/notifications/operations/test-notification.ts')).testNotification;
    },
  },
];
