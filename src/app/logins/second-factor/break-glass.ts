import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { AppError } from '../../../ports/index.ts';
import type { UserServices } from '../../users/services.ts';
import { mayEnter, type User } from '../../users/user.ts';
import { openTicket, sealTicket, type TicketKind } from './ticket.ts';

const LINK_MINUTES = 15;
/** The component that they log as. */
const LOG_SOURCE = 'logins';

const BREAK_GLASS: TicketKind<{ user: string; id: string; minutes: number }> = {
  purpose: 'break-glass login',
  content: z.object({ user: z.string(), id: z.string(), minutes: z.number() }),
  minutes: LINK_MINUTES,
  expired: worded`this break-glass link has ended; make another one with "muster user break-glass"`,
};

/** Returns a ticket that lets its bearer in once as the user, for a session of `minutes`, without the user's other factors. */
export async function breakGlassTicket(services: UserServices, user: User, minutes: number): Promise<string> {
  return sealTicket(services, BREAK_GLASS, { user: user.id, id: randomBytes(16).toString('hex'), minutes });
}

/** Time until which a ticket that is made now can be used. */
export function breakGlassEnds(now: Date): Date {
  return new Date(now.getTime() + LINK_MINUTES * 60_000);
}

export async function breakGlass(
  services: UserServices,
  ticket: string,
): Promise<{ readonly user: User; readonly minutes: number }> {
  const { user: userId, id, minutes } = await openTicket(services, BREAK_GLASS, ticket);
  const now = services.clock.now();
  const once = { key: `break glass ${id}`, now, until: breakGlassEnds(now) };
  const user = await services.users.byId(userId);
  if (user === undefined || !mayEnter(user) || !(await services.storage.access.useOnce(once))) {
    throw new AppError('forbidden', BREAK_GLASS.expired);
  }
  services.logger.warn('login by a break-glass link', { user: user.name, minutes });
  await logBreakGlass(services, `${user.name} logged in by a break-glass link, for ${counted(minutes, 'minute')}`);
  return { user, minutes };
}

/**
 * A link is made by another process than the service, and the log of that process is not read. A log that cannot be written locks
 * out no user: the link is for when things are broken.
 */
export async function logBreakGlass({ storage, clock, newId, logger }: UserServices, message: string): Promise<void> {
  const entry = { id: newId(), at: clock.now(), source: LOG_SOURCE, message, details: [], hasError: false };
  await storage.logs.append(entry).catch((error: unknown) => {
    logger.error('the log of a break-glass link could not be written', { error });
  });
}
