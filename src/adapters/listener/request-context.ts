import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../app/kernel/caller.ts';
import { AppError } from '../../ports/index.ts';
import type { HttpClient } from './access/client.ts';
import type { BodyDecoder } from './bodies/codings.ts';

/** Facts about a request, as determined by the hooks. */
export interface RequestContext {
  readonly client: HttpClient;
  readonly response: ServerResponse;
  /** Pattern of the route, for metrics; unknown paths share one word. */
  route: string;
  caller: Caller | undefined;
  mediaType: string;
  /** Unpacks the body; absent if its bytes are taken unchanged. */
  decoder?: BodyDecoder | undefined;
}

const CONTEXT = Symbol('context');

interface WithContext {
  [CONTEXT]?: RequestContext;
}

/**
 * A plain property: the framework passes undecorated requests if it could not even read the path, and a weak map costs every
 * request several microseconds of garbage collection.
 */
export function setContext(request: FastifyRequest, context: RequestContext): void {
  (request as WithContext)[CONTEXT] = context;
}

export function contextOf(request: FastifyRequest): RequestContext {
  const context = (request as WithContext)[CONTEXT];
  if (context === undefined) throw new AppError('internal', 'the request has no context');
  return context;
}

export function callerOf(request: FastifyRequest): Caller {
  const { caller } = contextOf(request);
  if (caller === undefined) throw new AppError('internal', 'the route was reached without a caller');
  return caller;
}

/** Returns the path of the request, without the query. */
export function pathOf(request: FastifyRequest): string {
  const { url } = request.raw;
  const path = url ?? '/';
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}
