import type { z } from 'zod';
import { endSessions } from '../../../../app/users/operations/end-sessions.ts';
import { listSessions } from '../../../../app/users/operations/list-sessions.ts';
import type { sessionSchema } from '../../../../app/users/session-answer.ts';
import type { Column } from '../../../../app/words/print.ts';
import { momentText } from '../../../../app/words/time.ts';
import type { CommandContext } from '../../context.ts';

export async function showSessions(context: CommandContext, name: string, options: { json?: true }): Promise<void> {
  const { sessions } = await context.value(listSessions, { name });
  if (options.json) await context.json(sessions);
  else await context.table(sessions, COLUMNS, `${name} is not logged in at the admin interface.`);
}

export async function endSessionsCommand(
  context: CommandContext,
  name: string,
  session: string | undefined,
  options: { json?: true },
): Promise<void> {
  const answer = await context.value(endSessions, { name, ...(session === undefined ? {} : { session }) });
  if (options.json) return context.json(answer);
  context.note(`${answer.ended} ${answer.ended === 1 ? 'session' : 'sessions'} of ${name} ended.`);
}

const COLUMNS: readonly Column<z.infer<typeof sessionSchema>>[] = [
  { header: 'session', value: ({ session }) => session },
  { header: 'begun', value: ({ begun }) => momentText(begun) },
  { header: 'last used', value: ({ last_used }) => momentText(last_used) },
  { header: 'address', value: ({ address }) => address },
  { header: 'browser', value: ({ client }) => client, shrink: true },
];
