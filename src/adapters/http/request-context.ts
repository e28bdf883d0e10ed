import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../app/caller.ts';
import { AppError } from '../../ports/index.ts';
import type { HttpClient } from './access/client.ts';

/** What the hooks found out about a request. */
export interface RequestContext {
  readonly client: HttpClient;
  /** Pattern of the route, for metrics; unknown paths share one word. */
  route: string;
  caller: Caller | undefined;
  mediaType: string;
}

export const CONTEXT = 'musterContext';

export function contextOf(request: FastifyRequest): RequestContext {
  return request.getDecorator<RequestContext>(CONTEXT);
}

export function callerOf(request: FastifyRequest): Caller {
  const { caller } = contextOf(request);
  if (caller === undefined) throw new AppError('internal', 'the route was reached without a caller');
  return caller;
}
