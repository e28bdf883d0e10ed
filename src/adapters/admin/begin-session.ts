import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted } from '../../app/logins/sign-ins.ts';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { contextOf } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import { cookiePlace } from './cookie-place.ts';
import { sessionCookie, sessionIn } from './session.ts';

/** The user of a new session, and how they entered. */
export interface Entering {
  /** The name of the user. */
  readonly user: string;
  /** Details of the login of a user known elsewhere. */
  readonly signIn?: Admitted['signIn'];
  /** Seconds after which the session ends, if that is earlier than usual. */
  readonly seconds?: number;
  /** Name in the audit log. */
  readonly operation: string;
  /** Further details for the audit log; empty if there are none. */
  readonly details: string;
}

export type BeginSession = (request: FastifyRequest, reply: FastifyReply, who: Entering) => Promise<void>;

/** The only way in: any verified user, however verified, gets a session here and nowhere else. */
export function sessionBeginner(services: Services): BeginSession {
  return async (request, reply, { user, signIn, seconds, operation, details }) => {
    const { address } = contextOf(request).client;
    const place = cookiePlace(request, services.config);
    // Ends any session that the browser showed: a user must not continue under a cookie planted by another.
    const before = sessionIn(request.headers.cookie, place);
    if (before !== undefined) await services.sessions.leave(before);
    const begun = await services.sessions.begin(user, {
      address,
      client: request.headers['user-agent'] ?? '',
      ...(signIn === undefined ? {} : { signIn }),
      ...(seconds === undefined ? {} : { seconds }),
    });
    if (begun === undefined) throw new AppError('not_found', worded`the user no longer exists`);
    reply.header('set-cookie', sessionCookie(begun.sealed, begun.maxAge, place));
    auditSession(services, request, { actor: user, operation, details });
  };
}

/** Notes in the audit log that a session began or ended. */
export function auditSession(
  services: Services,
  request: FastifyRequest,
  what: { readonly actor: string; readonly operation: string; readonly details: string },
): void {
  const { address } = contextOf(request).client;
  services.audit.keep({
    ...what,
    entrance: 'admin',
    address,
    subject: what.actor,
    outcome: 'done',
    id: services.newId(),
    at: services.clock.now(),
    requestId: request.id,
  });
}
