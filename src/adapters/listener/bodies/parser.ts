import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressClass } from '../../../app/kernel/address-class.ts';
import { contextOf } from '../request-context.ts';
import { BodyBudget, type BodyPlace } from './budget.ts';
import { type BodyPace, readBody } from './read.ts';

/** All bodies in flight may take as much memory as this number of the largest; those of one user half of that. */
const LARGEST_BODIES = 8;
const USER_PACE: BodyPace = { graceMs: 15_000, bytesPerSecond: 1024 };

/** Bodies of callers not known yet: logins and webhooks, which are small. */
const ANONYMOUS = {
  bytes: 32 * 1024 * 1024,
  bytesOfShare: 8 * 1024 * 1024,
  bodies: 1024,
  bodiesOfShare: 256,
} as const;
const ANONYMOUS_PACE: BodyPace = { graceMs: 10_000, bytesPerSecond: 0 };

/**
 * Reads bodies as bytes, whatever their type: within the memory limits for all of them, and for one share, and within a time
 * limit. Credentials are checked before, when only the head of the request has arrived.
 */
export function addBodyParser(app: FastifyInstance, maxBodyBytes: number): void {
  const users = new BodyBudget({
    bytes: LARGEST_BODIES * maxBodyBytes,
    bytesOfShare: (LARGEST_BODIES / 2) * maxBodyBytes,
  });
  const anonymous = new BodyBudget(ANONYMOUS);

  function enter(request: FastifyRequest): { readonly place: BodyPlace; readonly pace: BodyPace } {
    const { caller, client } = contextOf(request);
    return caller === undefined || caller.refusal !== undefined
      ? { place: anonymous.enter(addressClass(client.address)), pace: ANONYMOUS_PACE }
      : { place: users.enter(caller.name), pace: USER_PACE };
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const { place, pace } = enter(request);
    // Held until the answer has gone: the work on the body holds it too.
    const { response, decoder } = contextOf(request);
    response.once('finish', place.leave).once('close', place.leave);
    const limit = request.routeOptions.bodyLimit ?? maxBodyBytes;
    return readBody(request.raw, { limit, place, pace, decoder: decoder?.() });
  });
}
