import Fastify, {
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { allOperations } from '../../app/catalogue/operation-named.ts';
import { pathPrefix } from '../../app/kernel/config/path-prefix.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import { httpAccess } from '../listener/access/access.ts';
import { clientOf } from '../listener/access/client.ts';
import { ownHosts } from '../listener/access/own-hosts.ts';
import { ownPages } from '../listener/access/own-pages.ts';
import { securityHeaders } from '../listener/access/security-headers.ts';
import { trustedProxies } from '../listener/access/trusted-proxies.ts';
import { withoutPrefix } from '../listener/below-prefix.ts';
import { drain } from '../listener/bodies/drain.ts';
import { addBodyParser } from '../listener/bodies/parser.ts';
import { type Draining, endConnectionsOnceDraining } from '../listener/draining.ts';
import { handOverLargeAnswers } from '../listener/large-answers.ts';
import { type TlsFiles, tlsOptions } from '../listener/listener.ts';
import { allowedMethods, type KnownPath, methodNotAllowed } from '../listener/methods.ts';
import type { HttpMount } from '../listener/mount.ts';
import { contextOf, pathOf, setContext } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import { cutOff } from '../listener/stalled-readers.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { type HttpMetrics, httpMetrics } from './metrics/metrics.ts';
import { addOperationPaths } from './operation-paths.ts';
import { requestAnswers, unknownPath } from './request-answers.ts';
import { requestIds } from './request-ids.ts';
import { operationRoutes, queryPaths, routedUrl } from './route.ts';
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
  /** Folder of the built documentation, unless it is next to the program. */
  readonly docsFolder?: string;
}

const UNKNOWN_ROUTE = 'unknown';
/** Longer than any legal hostname, percent-encoded. */
const MAX_PARAM_LENGTH = 8192;
const REQUEST_TIMEOUT_MS = 300_000;
/** How much of a refused body is still taken off the line, in allowed bodies. */
const DRAINED_BODIES = 4;

/**
 * Builds the HTTP entrance as a Fastify application that does not listen yet. Everything it knows about hosts or rules is in the
 * routes.
 */
export function buildHttpApp(options: HttpAppOptions, deps: HttpAppDeps): FastifyInstance {
  const { executor, services, mounts = [], draining = { isDraining: false }, metrics = httpMetrics() } = deps;
  const { config, logger, plugins } = services;
  const access = httpAccess({ services });
  const proxies = trustedProxies(config.TRUSTED_PROXIES);
  const pages = ownPages(config);
  const hosts = ownHosts(config);
  const answers = requestAnswers({ access, pages, logger, maxBodyBytes: config.MAX_BODY_BYTES });
  const { identify, errorOf, sendError, refuse } = answers;
  const routes = operationRoutes(allOperations(plugins), config);
  const shortened = withoutPrefix(config);
  const moved = queryPaths(allOperations(plugins));
  const paths: readonly KnownPath[] = [...routes, ...systemPaths(), ...mounts.flatMap((mount) => mount.paths)];
  const info = {
    version: options.version,
    prefix: pathPrefix(config),
    ...(config.BASE_URL === '' ? {} : { baseUrl: config.BASE_URL }),
  };

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

  function prepare(request: FastifyRequest, reply: FastifyReply): void {
    const client = clientOf(request.raw, proxies);
    setContext(request, { client, response: reply.raw, route: UNKNOWN_ROUTE, caller: undefined, mediaType: '' });
    reply.header('x-request-id', request.id);
    reply.headers(securityHeaders(request.headers, client));
  }

  const bodies = forAll((all) => addBodyParser(all, config.MAX_BODY_BYTES));
  const contexts = forAll((all) =>
    all.addHook('onRequest', (request, reply, done) => {
      prepare(request, reply);
      if (!request.is404) return done();
      const allowed = allowedMethods(paths, pathOf(request));
      void refuse(
        allowed === undefined ? unknownPath(request) : methodNotAllowed(request.method, allowed),
        request,
        reply,
      );
    }),
  );
  const endings = forAll((all) => endConnectionsOnceDraining(all, draining));
  const largeAnswers = forAll((all) =>
    handOverLargeAnswers(all, config.STALLED_READER_SECONDS, (request) => cutOff(request, logger)),
  );
  const observed = forAll((all) =>
    all.addHook('onResponse', (request, reply, done) => {
      metrics.observe({
        method: request.method,
        route: contextOf(request).route,
        status: reply.statusCode,
        milliseconds: reply.elapsedTime,
      });
      done();
    }),
  );
  const errors = forAll((all) =>
    all.setErrorHandler(async (error, request, reply) => {
      if (isTooLarge(error)) await drain(request.raw, DRAINED_BODIES * config.MAX_BODY_BYTES);
      return sendError(error, request, reply);
    }),
  );
  const operations = async (own: FastifyInstance): Promise<void> =>
    addOperationPaths(own, { routes, executor, services, metrics, pages, answers });
  const system = async (own: FastifyInstance): Promise<void> =>
    addSystemRoutes(own, {
      routes,
      services,
      metrics,
      hosts,
      draining,
      identify,
      docsFolder: options.docsFolder,
      info,
    });
  const mounted = mounts.map((mount) => async (own: FastifyInstance): Promise<void> => {
    mount.add(own, { access, pages, hosts, errorOf });
  });

  // Hooks run in this order.
  for (const part of [bodies, contexts, endings, largeAnswers, observed, errors, operations, system, ...mounted]) {
    void app.register(part);
  }
  return app;
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/** A plugin whose hooks and parsers are for the whole application, so for the plugins behind it too. */
function forAll(install: (app: FastifyInstance) => void): FastifyPluginCallback {
  const plugin: FastifyPluginCallback = (app, _options, done) => {
    install(app);
    done();
  };
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}
