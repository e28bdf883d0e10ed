import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller } from '../../app/kernel/caller.ts';
import { AppError, type Logger } from '../../ports/index.ts';
import { type HttpAccess, isRefusal } from '../listener/access/access.ts';
import { isBrowser, type OwnPages } from '../listener/access/own-pages.ts';
import { withoutChallenge } from '../listener/access/security-headers.ts';
import { JSON_TYPE } from '../listener/answers.ts';
import { fromAppError, type HttpError, isHttpError, toAppError } from '../listener/errors.ts';
import { contextOf, pathOf } from '../listener/request-context.ts';

export interface RequestAnswersDeps {
  readonly access: HttpAccess;
  readonly pages: OwnPages;
  readonly logger: Logger;
  readonly maxBodyBytes: number;
}

/** Shared by all routes: identifies the sender of a request, and answers failures. */
export type RequestAnswers = ReturnType<typeof requestAnswers>;

export function requestAnswers({ access, pages, logger, maxBodyBytes }: RequestAnswersDeps) {
  async function identify(request: FastifyRequest, basePath: string): Promise<Caller> {
    const context = contextOf(request);
    const identity = await access.identify({
      message: request.raw,
      client: context.client,
      requestId: request.id,
      path: pathOf(request),
    });
    // Every member by name: spreading the identity costs more than all the rest of this function.
    context.caller = {
      name: identity.name,
      roles: identity.roles,
      readOnly: identity.readOnly,
      globalAdmin: identity.globalAdmin,
      scope: identity.scope,
      scopeNames: identity.scopeNames,
      templates: identity.templates,
      templateNames: identity.templateNames,
      ...(identity.token && { token: identity.token }),
      entrance: 'rest',
      address: context.client.address,
      requestId: request.id,
      path: basePath,
    };
    return context.caller;
  }

  /** A caller whose credentials are not looked at yet, with the error that it would get without them. */
  function anonymous(request: FastifyRequest, basePath: string): Caller {
    const { client } = contextOf(request);
    const refusal = refusalOf(() => {
      pages.require(request.raw, client);
      access.requireEncryption({ message: request.raw, client, requestId: request.id, path: pathOf(request) });
    });
    return anonymousCaller({
      address: client.address,
      requestId: request.id,
      path: basePath,
      refusal: refusal ?? new AppError('unauthenticated', 'credentials are missing'),
    });
  }

  function errorOf(thrown: unknown, request: FastifyRequest): HttpError {
    if (isHttpError(thrown)) return thrown;
    const error = toAppError(thrown, request.routeOptions.bodyLimit ?? maxBodyBytes);
    if (error.code === 'internal') {
      const cause = error.cause ?? error;
      logger.error('request failed', {
        requestId: request.id,
        method: request.method,
        path: pathOf(request),
        error: cause,
      });
    }
    return fromAppError(isRefusal(error) ? access.refused(contextOf(request).client, error) : error, request.id);
  }

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const answer = errorOf(thrown, request);
    return reply
      .code(answer.status)
      .headers(isBrowser(request.raw) ? withoutChallenge(answer.headers) : answer.headers)
      .header('cache-control', 'no-store')
      .header('content-type', JSON_TYPE)
      .send(JSON.stringify(answer.body));
  }

  /** Answers an error of a request that no route has. Below /api, paths are named to callers with credentials only. */
  async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      if (/^\/api(\/|$)/.test(pathOf(request))) await identify(request, pathOf(request));
      sendError(error, request, reply);
    } catch (refusal) {
      sendError(refusal, request, reply);
    }
  }

  return { identify, anonymous, errorOf, sendError, refuse };
}

export function unknownPath(request: FastifyRequest): AppError {
  return new AppError(
    'not_found',
    `there is nothing at ${pathOf(request).slice(0, 200)}; see /docs/openapi for what there is`,
  );
}

/** The expected failure that this throws, if any. */
function refusalOf(check: () => void): AppError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
