import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, holdsRole } from '../../app/kernel/caller.ts';
import { AppError } from '../../ports/index.ts';
import { isForwarded } from '../listener/access/client.ts';
import type { OwnHosts } from '../listener/access/own-hosts.ts';
import { JSON_TYPE } from '../listener/answers.ts';
import type { Draining } from '../listener/draining.ts';
import type { KnownPath } from '../listener/methods.ts';
import { contextOf } from '../listener/request-context.ts';
import type { Services } from '../listener/services.ts';
import { docsSite } from './docs-site.ts';
import type { HttpMetrics } from './metrics/metrics.ts';
import { serviceMetrics } from './metrics/service-metrics.ts';
import { type OpenApiInfo, openApiDocument } from './openapi/document.ts';
import { documentationPage } from './openapi/page.ts';
import { SYSTEM_PATHS } from './openapi/system-paths.ts';
import type { OperationRoute } from './route.ts';

export interface SystemRouteDeps {
  readonly routes: readonly OperationRoute[];
  readonly services: Services;
  readonly metrics: HttpMetrics;
  readonly hosts: OwnHosts;
  readonly draining: Draining;
  readonly info: OpenApiInfo;
  /** Folder of the built documentation, unless it is next to the program. */
  readonly docsFolder?: string | undefined;
  identify(request: FastifyRequest, path: string): Promise<Caller>;
}

const STORAGE_ANSWERS_WITHIN_MS = 5_000;

/** Adds the paths on which the service describes itself. All but the metrics are public and reveal nothing that is stored. */
export function addSystemRoutes(app: FastifyInstance, deps: SystemRouteDeps): void {
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest(request, _reply, done) {
        contextOf(request).route = url;
        done();
      },
      handler,
    });
  };
  let document: string | undefined;
  let page: { html: string; contentSecurityPolicy: string } | undefined;

  get('/healthz', (_request, reply) => json(reply, 200, { status: 'alive' }));
  get('/readyz', (request, reply) => readiness(reply, deps, writes(request)));
  get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(deps.routes, deps.info));
    return reply.header('content-type', JSON_TYPE).header('cache-control', 'no-cache').send(document);
  });
  const site = docsSite(deps.docsFolder);
  const sendInterface = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    page ??= documentationPage(openApiDocument(deps.routes, deps.info), deps.info.prefix);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', page.contentSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(page.html);
  };
  // A program without its documentation still lists its endpoints.
  get('/docs', (request, reply) => (site.isBuilt() ? site.sendStart(request, reply) : sendInterface(request, reply)));
  get('/docs/', site.send);
  get('/docs/:file', site.send);
  get('/docs/openapi', sendInterface);
  get('/metrics', async (request, reply) => {
    const caller = await admitToMetrics(request, deps);
    const text = `${await deps.metrics.text()}\n${await serviceMetrics(deps.services, { caller, version: deps.info.version })}`;
    return reply.header('content-type', deps.metrics.mediaType).header('cache-control', 'no-store').send(text);
  });
}

/** The paths below, for answers to wrong methods. */
export function systemPaths(): readonly KnownPath[] {
  return Object.keys(SYSTEM_PATHS).map((path) => ({ method: 'GET', path }));
}

/** `?write=1` asks for a node that takes writes too; without it a node with a full disk continues to answer reads. */
function writes({ query }: FastifyRequest): boolean {
  const { write } = query as { write?: unknown };
  return write === '1' || write === 'true';
}

async function readiness(
  reply: FastifyReply,
  { services, draining }: SystemRouteDeps,
  mustWrite: boolean,
): Promise<FastifyReply> {
  const broken = services.plugins.statuses().flatMap((plugin) => (plugin.state === 'failed' ? plugin.id : []));
  if (draining.isDraining) return notReady(reply, 'draining', broken, 'this node is about to stop; ask another one');
  const message = (await storageAnswers(services))
    ? services.damageWatch.isDamaged
      ? 'stored data is damaged, and answers may be incomplete; "muster storage check" on the machine of the service names the records'
      : await missingTypes(services)
    : 'the storage does not answer; the log of the service says why';
  if (message !== undefined) return notReady(reply, 'unavailable', broken, message);
  const writable = (await services.writeWatch.reason()) === undefined;
  if (writable || !mustWrite) return json(reply, 200, { status: 'ready', writable, broken_plugins: broken });
  const why = 'the storage can be read and not written; the log of the service and "muster doctor" say why';
  return notReady(reply, 'unavailable', broken, why, { writable });
}

function notReady(
  reply: FastifyReply,
  status: 'draining' | 'unavailable',
  broken: readonly string[],
  message: string,
  more: { readonly writable?: boolean } = {},
): FastifyReply {
  reply.header('retry-after', '5');
  return json(reply, 503, { status, ...more, broken_plugins: broken, message, code: 'unavailable' });
}

/** Names types and not rules, which are stored; `undefined` when enabled rules lack no plugin. */
async function missingTypes({ evaluators, logger }: SystemRouteDeps['services']): Promise<string | undefined> {
  try {
    const types = (await evaluators.missing()).map(({ type }) => type);
    if (types.length === 0) return undefined;
    logger.warn('enabled rules need a plugin that is not loaded', { types });
    return `inventories and exports fail: enabled rules of type ${types.join(', ')} need a plugin that is not loaded; "muster doctor" says what to do`;
  } catch (error) {
    logger.warn('cannot determine whether rules lack a plugin', { error });
    return 'the rules cannot be read; the log of the service says why';
  }
}

/** The reason goes to the log and not to anonymous callers: it may name machines and paths. */
async function storageAnswers({ storage, logger }: SystemRouteDeps['services']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<{ ok: boolean; message: string }>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, message: 'no answer in time' }), STORAGE_ANSWERS_WITHIN_MS);
  });
  try {
    const health = await Promise.race([storage.health(), tooLate]);
    if (!health.ok) logger.warn('storage is not ready', { reason: health.message });
    return health.ok;
  } catch (error) {
    logger.warn('storage is not ready', { error });
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the caller; `undefined` for a local one who may not know names of accounts: without credentials, or without the role.
 */
async function admitToMetrics(request: FastifyRequest, deps: SystemRouteDeps): Promise<Caller | undefined> {
  const { client } = contextOf(request);
  const { authorization, 'x-login-user': loginUser } = request.headers;
  // The party that passed the request on is on this machine, and not necessarily the caller.
  const isFromHere = client.local && !isForwarded(request.raw);
  if (isFromHere && authorization === undefined && loginUser === undefined) {
    deps.hosts.require(request.headers, client);
    return undefined;
  }
  const caller = await deps.identify(request, '/metrics');
  if (holdsRole(caller, ['metrics'])) return caller;
  if (isFromHere && deps.hosts.isAddressed(request.headers, client)) return undefined;
  throw new AppError('role_missing', 'User has no api_role granting /metrics');
}

function json(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body));
}
