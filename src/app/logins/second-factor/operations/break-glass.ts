import * as z from 'zod';
import { phrase, worded } from '../../../../kit/worded.ts';
import { secondsOf } from '../../../../kit/words/moment.ts';
import { AppError } from '../../../../ports/index.ts';
import type { Config } from '../../../kernel/config/schema.ts';
import { requireUser, userNameSchema } from '../../../users/require-user.ts';
import { defineOperation } from '../../../users/services.ts';
import { mayEnter } from '../../../users/user.ts';
import { breakGlassEnds, breakGlassTicket, logBreakGlass } from '../break-glass.ts';

export const issueBreakGlass = defineOperation({
  name: 'users/break-glass',
  title: 'Break-glass login',
  description:
    'A link that logs in once as a user without password and second factor, for a short session. For when the system by which people log in is down, or the last administrator has lost the second factor.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user break-glass',
      description:
        'Make a link that logs in once as a user, without password, second factor or the system by which the user logs in. It is valid for 15 minutes, and the session that it begins for --minutes. Making and using it are recorded in the audit log.',
      summary: 'let someone in when nothing else does',
      arguments: { name: { shown: '<name>', description: 'name of the user' } },
      options: {
        minutes: { flags: '--minutes <number>', description: 'how long the session lasts, 1 to 240; 30 when absent' },
        reason: {
          flags: '--reason <text>',
          description: 'why, for the audit log, in at least 3 letters',
          required: true,
        },
      },
      json: 'answer the link as JSON',
      examples: ['muster user break-glass admin --reason "identity provider is down"'],
      view: async ({ link, ends }, print, { name }) => {
        await print.result(`${link}\n`);
        print.note(`Opens a session as ${name}, once, until ${ends}. Do not pass it on.`);
      },
    },
  },
  input: z.object({
    name: userNameSchema,
    minutes: z.coerce.number().int().min(1).max(240).default(30),
    reason: z.string().trim().min(3, phrase`must say why, in at least 3 letters`).max(300),
  }),
  output: z.object({ link: z.string(), ends: z.string() }),
  subject: ({ name, reason }) => `${name}: ${reason}`,
  async run({ name, minutes, reason }, { services, caller }) {
    if (caller.entrance !== 'cli') {
      throw new AppError('forbidden', worded`only the operator can, by a command on the machine of the service`);
    }
    const user = await requireUser(services, name);
    if (!mayEnter(user)) {
      throw new AppError(
        'conflict',
        worded`user ${{ name: user.name }} may not log in; "muster user enable ${{ name: user.name }}" lets it in`,
      );
    }
    const ticket = await breakGlassTicket(services, user, minutes);
    services.logger.warn('a break-glass link was made', { user: user.name, minutes, reason });
    await logBreakGlass(services, `${caller.name} made a break-glass link for ${user.name}: ${reason}`);
    return {
      link: `${addressOf(services.config)}/admin#break-glass=${encodeURIComponent(ticket)}`,
      ends: secondsOf(breakGlassEnds(services.clock.now())),
    };
  },
});

/** The address of the pages: the public one if it is configured, else that of this machine. */
function addressOf({ BASE_URL, HTTP_HOST, HTTP_PORT, TLS_CERT }: Config): string {
  if (BASE_URL !== '') return BASE_URL.replace(/\/+$/, '');
  const isAnywhere = HTTP_HOST === '0.0.0.0' || HTTP_HOST === '::';
  const host = isAnywhere ? 'localhost' : HTTP_HOST.includes(':') ? `[${HTTP_HOST}]` : HTTP_HOST;
  return `${TLS_CERT === '' ? 'http' : 'https'}://${host}:${HTTP_PORT}`;
}
