import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { NotificationAnswer } from '../notification-answer.ts';

const STATE_WORDS: Readonly<Record<NotificationAnswer['state'], string>> = {
  waiting: 'waiting',
  sent: 'sent',
  held_back: 'held back',
  dead: 'given up',
};

export const NOTIFICATION_COLUMNS: readonly Column<NotificationAnswer>[] = [
  { header: 'id', value: ({ id }) => id },
  { header: 'at (UTC)', value: ({ at }) => momentText(at) },
  { header: 'receiver', value: ({ receiver }) => receiver },
  {
    header: 'state',
    value: ({ state, attempts }) => `${STATE_WORDS[state]}${attempts > 1 ? ` (${attempts} times tried)` : ''}`,
    paint: (text, { state }, colours) => (state === 'dead' ? colours.red(text) : text),
  },
  { header: 'what', value: ({ title, error }) => (error === '' ? title : `${title} (${error})`), shrink: true },
];

export function notificationsView(
  { notifications }: { readonly notifications: readonly NotificationAnswer[] },
  print: Print,
): Promise<void> {
  const empty = 'No notifications yet. Documents of the type notification_policies decide who is notified about what.';
  return print.table(notifications, NOTIFICATION_COLUMNS, empty);
}
