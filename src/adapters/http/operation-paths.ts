import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../app/kernel/caller.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import type { StreamOperation, ValueOperation } from '../../app/kernel/operation.ts';
import { AppError } from '../../ports/index.ts';
import type { OwnPages } from '../listener/access/own-pages.ts';
import { sendJson, sendStream, sendValue } from '../listener/answers.ts';
import { knownTags } from '../listener/entity-tags.ts';
import { EVENT_TYPE, EventAnswers } from '../listener/event-answers.ts';
import { methodNotAllowed, shadowedMethods } from '../listener/methods.ts';
import { callerOf, contextOf, pathOf } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import { cutOff } from '../listener/stalled-readers.ts';
import { inputOf } from './input.ts';
import { acceptedDecoder, acceptedMediaType, UNSAID } from './media-type.ts';
import type { HttpMetrics } from './metrics/metrics.ts';
import { type RequestAnswers, unknownPath } from './request-answers.ts';
import type { OperationRoute } from './route.ts';

export interface OperationPathsDeps {
  readonly routes: readonly OperationRoute[];
  readonly executor: Executor;
  readonly services: Services;
  readonly metrics: HttpMetrics;
  readonly pages: OwnPages;
  readonly answers: RequestAnswers;
}

/** The paths of all operations. */
export function addOperationPaths(
  app: FastifyInstance,
  { routes, executor, services, metrics, pages, answers }: OperationPathsDeps,
): void {
  const { config, logger } = services;
  const { identify } = answers;
  const events = new EventAnswers();

  app.addHook('preClose', (done) => {
    events.endAll();
    done();
  });

  for (const route of routes) {
    app.route({
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: route.path,
      ...(route.maxBodyBytes === undefined ? {} : { bodyLimit: Math.min(route.maxBodyBytes, config.MAX_BODY_BYTES) }),
      async onRequest(request, reply) {
        const context = contextOf(request);
        context.route = route.path;
        if (route.missing !== undefined) throw new AppError('not_found', route.missing);
        if (route.anonymous) {
          context.caller = answers.anonymous(request, route.basePath);
        } else {
          pages.require(request.raw, context.client);
          await identify(request, route.basePath);
        }
        if (hasEmptyParameter(request)) throw unknownPath(request);
        executor.authorise(route.operation, callerOf(request));
        context.mediaType = acceptedMediaType(route, request.headers);
        context.decoder = acceptedDecoder(route, request.headers);
        // The framework refuses invalid types, but if bytes are taken unchanged, or identify themselves, the type means nothing.
        if (route.bytesMember !== undefined || context.mediaType === UNSAID) delete request.raw.headers['content-type'];
        if (request.headers.expect !== undefined) reply.raw.writeContinue();
      },
      handler: handlerOf(route),
    });
  }

  for (const { path, methods, allowed } of shadowedMethods(routes)) {
    app.route({
      method: [...methods],
      url: path,
      async onRequest(request, reply) {
        await answers.refuse(methodNotAllowed(request.method, allowed), request, reply);
        return reply;
      },
      handler: () => undefined,
    });
  }

  function handlerOf(route: OperationRoute) {
    const { operation } = route;
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const tags = operation.answer === 'stream' ? knownTags(request.headers['if-none-match']) : [];
      const input = inputOf(route, {
        params: request.params as Record<string, string>,
        query: request.query as Record<string, string | string[]>,
        headers: request.headers,
        body: request.body as Buffer | undefined,
        mediaType: contextOf(request).mediaType,
        knownTags: tags,
      });
      const caller = callerOf(request);
      // A light operation ends before it could learn that its caller has gone.
      const isBrief = operation.answer === 'value' && operation.weight === 'light';
      const controller = isBrief ? undefined : abortController(reply);
      const options = {
        ...(controller === undefined ? {} : { signal: controller.signal }),
        ...(route.anonymous === true ? { identify: () => identify(request, route.basePath) } : {}),
      };
      if (operation.answer === 'value' && (route.status ?? route.answer) !== undefined) {
        return sendValue(reply, route, await executor.value(operation as ValueOperation, input, caller, options));
      }
      const onBroken = (error: Error): void => {
        if (controller?.signal.aborted ?? reply.raw.destroyed) return;
        metrics.brokenStream(route.path);
        logger.error('the answer failed while it was being sent', {
          requestId: request.id,
          path: pathOf(request),
          error,
        });
      };
      if (operation.answer === 'stream' && route.mediaType === EVENT_TYPE && controller !== undefined) {
        const rights = rightsOf(caller);
        return events.send(
          {
            reply,
            controller,
            user: caller.name,
            isHead: request.method === 'HEAD',
            timeoutSeconds: config.STALLED_READER_SECONDS,
            async stillMay() {
              const now = await identify(request, route.basePath);
              executor.authorise(operation, now);
              return rightsOf(now) === rights;
            },
            onStalled: () => cutOff(request, logger),
            onBroken,
          },
          () => executor.stream(operation as StreamOperation, input, caller, options),
        );
      }
      const answer =
        operation.answer === 'value'
          ? await executor.json(operation as ValueOperation, input, caller, options)
          : await executor.stream(operation as StreamOperation, input, caller, options);
      if (typeof answer === 'string') return sendJson(reply, route, answer);
      return sendStream({
        request,
        reply,
        route,
        answer,
        knownTags: tags,
        timeoutSeconds: config.STALLED_READER_SECONDS,
        ...(controller === undefined ? {} : { abandon: () => controller.abort() }),
        onStalled: () => cutOff(request, logger),
        onBroken,
      });
    };
  }
}

/** Equal as long as a caller may see the same. */
function rightsOf({ name, roles, globalAdmin, scope, templates }: Caller): string {
  return JSON.stringify([name, roles, globalAdmin, scope, templates]);
}

/** Returns a controller that aborts if the client leaves before it has the answer. */
function abortController(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  const { raw } = reply;
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller;
}

/** The router takes `/objects/` for a host without name. */
function hasEmptyParameter(request: FastifyRequest): boolean {
  const params = request.params as Readonly<Record<string, string>>;
  for (const name in params) if (params[name] === '') return true;
  return false;
}
