import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { allOperations } from '../../app/catalogue/operation-named.ts';
import { anonymousCaller, type Caller } from '../../app/kernel/caller.ts';
import { pathPrefix } from '../../app/kernel/config/path-prefix.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import type { StreamOperation, ValueOperation } from '../../app/kernel/operation.ts';
import { AppError } from '../../ports/index.ts';
import { httpAccess, isRefusal } from '../listener/access/access.ts';
import { clientOf } from '../listener/access/client.ts';
import { ownHosts } from '../listener/access/own-hosts.ts';
import { isBrowser, ownPages } from '../listener/access/own-pages.ts';
import { securityHeaders, withoutChallenge } from '../listener/access/security-headers.ts';
import { trustedProxies } from '../listener/access/trusted-proxies.ts';
import { JSON_TYPE, sendJson, sendStream, sendValue } from '../listener/answers.ts';
import { withoutPrefix } from '../listener/below-prefix.ts';
import { drain } from '../listener/bodies/drain.ts';
import { addBodyParser } from '../listener/bodies/parser.ts';
import { type Draining, endConnectionsOnceDraining } from '../listener/draining.ts';
import { knownTags } from '../listener/entity-tags.ts';
import { fromAppError, type HttpError, isHttpError, toAppError } from '../listener/errors.ts';
import { EVENT_TYPE, EventAnswers } from '../listener/event-answers.ts';
import { handOverLargeAnswers } from '../listener/large-answers.ts';
import { type TlsFiles, tlsOptions } from '../listener/listener.ts';
import { allowedMethods, type KnownPath, methodNotAllowed, shadowedMethods } from '../listener/methods.ts';
import type { HttpMount } from '../listener/mount.ts';
import { callerOf, contextOf, type RequestContext, setContext } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { inputOf } from './input.ts';
import { acceptedDecoder, acceptedMediaType, UNSAID } from './media-type.ts';
import { type HttpMetrics, httpMetrics } from './metrics/metrics.ts';
import { requestIds } from './request-ids.ts';
import { type OperationRoute, operationRoutes, queryPaths, routedUrl } from './route.ts';
import { addSystemRoutes, systemPaths } from './system-routes.ts';

export interface HttpAppDeps {
  readonly executor: Executor;
  readonly services: Services;
  readonly metrics?: HttpMetrics;
  /** Further parts of the service at the same address. */
  readonly mounts?: readonly HttpMount[];
  /** Absent: it never drains. */
  readonly draining?: Draining;
}

export interface HttpAppOptions {
  readonly version: string;
  /** Certificate and key, PEM; plain HTTP when absent. */
  readonly tls?: TlsFiles;
  /** Where the built documentation is, unless it is beside the program. */
  readonly docsFolder?: string;
}

const UNKNOWN_ROUTE = 'unknown';
/** Longer than any legal hostname, percent-encoded. */
const MAX_PARAM_LENGTH = 8192;
const REQUEST_TIMEOUT_MS = 300_000;
/** How much of a refused body is still taken off the line, in allowed bodies. */
const DRAINED_BODIES = 4;

/** The HTTP entrance as a Fastify application that does not listen yet. Everything it knows about hosts or rules stands in the routes. */
export function buildHttpApp(options: HttpAppOptions, deps: HttpAppDeps): FastifyInstance {
  const { executor, services } = deps;
  const { config, logger } = services;
  const metrics = deps.metrics ?? httpMetrics();
  const access = httpAccess({ services });
  const proxies = trustedProxies(config.TRUSTED_PROXIES);
  const pages = ownPages(config);
  const hosts = ownHosts(config);
  const routes = operationRoutes(allOperations(services.plugins), config);
  const shortened = withoutPrefix(config);
  const moved = queryPaths(allOperations(services.plugins));
  const events = new EventAnswers();
  const mounts = deps.mounts ?? [];
  const draining = deps.draining ?? { isDraining: false };
  const paths: readonly KnownPath[] = [...routes, ...systemPaths(), ...mounts.flatMap((mount) => mount.paths)];

  const app = Fastify({
    logger: false,
    genReqId: requestIds(proxies),
    bodyLimit: config.MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    rewriteUrl: ({ url = '/' }) => routedUrl(shortened(url), moved),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    http: { requireHostHeader: false },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, caseSensitive: true, ignoreTrailingSlash: false },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      prepare(request, reply);
      void refuse(error, request, reply);
    },
    ...(options.tls === undefined ? {} : { https: { ...tlsOptions(options.tls), requireHostHeader: false } }),
  }) as FastifyInstance;

  // A client that asks first sends its body when the caller is known and the route takes one, not before.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  addBodyParser(app, config.MAX_BODY_BYTES);

  function prepare(request: FastifyRequest, reply: FastifyReply): void {
    const context: RequestContext = {
      client: clientOf(request.raw, proxies),
      response: reply.raw,
      route: UNKNOWN_ROUTE,
      caller: undefined,
      mediaType: '',
    };
    setContext(request, context);
    reply.header('x-request-id', request.id);
    reply.headers(securityHeaders(request.headers, context.client));
  }

  app.addHook('onRequest', (request, reply, done) => {
    prepare(request, reply);
    if (!request.is404) return done();
    const allowed = allowedMethods(paths, pathOf(request));
    void refuse(
      allowed === undefined ? unknownPath(request) : methodNotAllowed(request.method, allowed),
      request,
      reply,
    );
  });

  /** Ends the connection of a reader who does not read. */
  function cutOff(request: FastifyRequest): void {
    logger.warn('a client did not read its answer and was disconnected', {
      requestId: request.id,
      path: pathOf(request),
      address: contextOf(request).client.address,
    });
    // Not the answer: one that was asked for behind another has no line yet.
    request.raw.socket.destroy();
  }

  endConnectionsOnceDraining(app, draining);
  handOverLargeAnswers(app, config.STALLED_READER_SECONDS, cutOff);

  app.addHook('preClose', (done) => {
    events.endAll();
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe({
      method: request.method,
      route: contextOf(request).route,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
    });
    done();
  });

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

  /** Somebody whose credentials nobody looked at yet, with what would be the matter without them. */
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

  /** Answers an error of a request that no route has. Below /api nobody learns which paths there are without credentials. */
  async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      if (/^\/api(\/|$)/.test(pathOf(request))) await identify(request, pathOf(request));
      sendError(error, request, reply);
    } catch (refusal) {
      sendError(refusal, request, reply);
    }
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

  function errorOf(thrown: unknown, request: FastifyRequest): HttpError {
    if (isHttpError(thrown)) return thrown;
    const error = toAppError(thrown, request.routeOptions.bodyLimit ?? config.MAX_BODY_BYTES);
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

  app.setErrorHandler(async (error, request, reply) => {
    if (isTooLarge(error)) await drain(request.raw, DRAINED_BODIES * config.MAX_BODY_BYTES);
    return sendError(error, request, reply);
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
          context.caller = anonymous(request, route.basePath);
        } else {
          pages.require(request.raw, context.client);
          await identify(request, route.basePath);
        }
        if (hasEmptyParameter(request)) throw unknownPath(request);
        executor.authorise(route.operation, callerOf(request));
        context.mediaType = acceptedMediaType(route, request.headers);
        context.decoder = acceptedDecoder(route, request.headers);
        // The framework refuses types that are none, but where bytes are bytes, or speak for themselves, the type means nothing.
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
        await refuse(methodNotAllowed(request.method, allowed), request, reply);
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
      // Nobody is told when a light operation loses its caller: it is over before.
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
            patienceSeconds: config.STALLED_READER_SECONDS,
            async stillMay() {
              const now = await identify(request, route.basePath);
              executor.authorise(operation, now);
              return rightsOf(now) === rights;
            },
            onStalled: () => cutOff(request),
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
        patienceSeconds: config.STALLED_READER_SECONDS,
        ...(controller === undefined ? {} : { abandon: () => controller.abort() }),
        onStalled: () => cutOff(request),
        onBroken,
      });
    };
  }

  addSystemRoutes(app, {
    routes,
    services,
    metrics,
    hosts,
    draining,
    identify,
    docsFolder: options.docsFolder,
    info: {
      version: options.version,
      prefix: pathPrefix(config),
      ...(config.BASE_URL === '' ? {} : { baseUrl: config.BASE_URL }),
    },
  });
  for (const mount of mounts) mount.add(app, { access, pages, hosts, errorOf });
  return app;
}

/** By which it is known whether a caller may see the same as before. */
function rightsOf({ name, roles, globalAdmin, scope, templates }: Caller): string {
  return JSON.stringify([name, roles, globalAdmin, scope, templates]);
}

/** Aborts when the client goes away before it has the answer. */
function abortController(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  const { raw } = reply;
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller;
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

function pathOf(request: FastifyRequest): string {
  const { url } = request.raw;
  const path = url ?? '/';
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

function unknownPath(request: FastifyRequest): AppError {
  return new AppError(
    'not_found',
    `there is nothing at ${pathOf(request).slice(0, 200)}; see /docs/openapi for what there is`,
  );
}

/** The router takes `/objects/` for a host without name. */
function hasEmptyParameter(request: FastifyRequest): boolean {
  const params = request.params as Readonly<Record<string, string>>;
  for (const name in params) if (params[name] === '') return true;
  return false;
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}
