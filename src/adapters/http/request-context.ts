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

const contexts = new WeakMap<FastifyRequest, RequestContext>();

/** Not a decoration: the framework hands out undecorated requests where it could not even read the path. */
export function setContext(request: FastifyRequest, context: RequestContext): void {
  contexts.set(request, context);
}

export function contextOf(request: FastifyRequest): RequestContext {
  const context = contexts.get(request);
  if (context === undefined) throw new AppError('internal', 'the request has no context');
  return context;
}

export function callerOf(request: FastifyRequest): Caller {
  const { caller } = contextOf(request);
  if (caller === undefined) throw new AppError('internal', 'the route was reached without a caller');
  return caller;
}
