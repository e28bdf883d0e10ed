import type * as z from 'zod';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { sessionSchema } from '../session-answer.ts';

type Session = z.infer<typeof sessionSchema>;

export function sessionsView(
  { sessions }: { readonly sessions: readonly Session[] },
  print: Print,
  { name }: { readonly name: string },
): Promise<void> {
  return print.table(sessions, SESSION_COLUMNS, `${name} is not logged in at the admin interface.`);
}

export const SESSION_COLUMNS: readonly Column<Session>[] = [
  { header: 'session', value: ({ session }) => session },
  { header: 'begun', value: ({ begun }) => momentText(begun) },
  { header: 'last used', value: ({ last_used }) => momentText(last_used) },
  { header: 'address', value: ({ address }) => address },
  { header: 'browser', value: ({ client }) => client, shrink: true },
];
