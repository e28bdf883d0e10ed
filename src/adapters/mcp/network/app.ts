import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Caller, TOOL_ROLE } from '../../../app/kernel/caller.ts';
import { pathPrefix } from '../../../app/kernel/config/path-prefix.ts';
import type { Executor } from '../../../app/kernel/executor.ts';
import { parseJsonBody } from '../../../kit/json/json-body.ts';
import { AppError } from '../../../ports/index.ts';
import { httpAccess, isRefusal } from '../../listener/access/access.ts';
import { clientOf } from '../../listener/access/client.ts';
import { securityHeaders } from '../../listener/access/security-headers.ts';
import { trustedProxies } from '../../listener/access/trusted-proxies.ts';
import { JSON_TYPE } from '../../listener/answers.ts';
import { withoutPrefix } from '../../listener/below-prefix.ts';
import { drain } from '../../listener/bodies/drain.ts';
import { addBodyParser } from '../../listener/bodies/parser.ts';
import type { Draining } from '../../listener/draining.ts';
import { fromAppError, type HttpError, isHttpError, toAppError } from '../../listener/errors.ts';
import { type TlsFiles, tlsOptions } from '../../listener/listener.ts';
import { allowedMethods, type KnownPath, methodNotAllowed } from '../../listener/methods.ts';
import { callerOf, contextOf, pathOf, setContext } from '../../listener/request-context.ts';
import type { Services } from '../../listener/services.ts';
import { cutOff } from '../../listener/stalled-readers.ts';
import { protocolServer } from '../protocol.ts';
import { hostGuard } from './allowed-hosts.ts';
import { AnswerRooms } from './answer-rooms.ts';
import { EventStream } from './event-stream.ts';
import { PacedTransport } from './paced-transport.ts';
import { isRefusedPost, postedMessages } from './posted-messages.ts';
import { MESSAGES_PATH, StreamSessions, type StreamSessionsOptions } from './stream-sessions.ts';

export interface ToolAppOptions extends StreamSessionsOptions {
  /** Plain HTTP when absent. */
  readonly tls?: TlsFiles;
  /** Absent: it never drains. */
  readonly draining?: Draining;
}

export interface ToolAppDeps {
  readonly executor: Executor;
  readonly services: Services;
}

export interface ToolApp {
  readonly app: FastifyInstance;
  readonly sessions: StreamSessions;
}

const KEEP_ALIVE_MS = 15_000;
const REQUEST_TIMEOUT_MS = 300_000;
/** How much of a refused body is still taken off the line, in allowed bodies. */
const DRAINED_BODIES = 4;

const PATHS: readonly KnownPath[] = [
  { method: 'GET', path: '/sse' },
  { method: 'POST', path: '/messages' },
  { method: 'POST', path: MESSAGES_PATH },
  { method: 'POST', path: `${MESSAGES_PATH}:session` },
  { method: 'POST', path: '/mcp' },
];

/**
 * Builds the tool server for clients on the network, as a Fastify application that does not listen yet. `/mcp` keeps nothing
 * between requests, so that any node can answer any of them; `/sse` is the transport of older clients.
 */
export function buildToolApp(options: ToolAppOptions, deps: ToolAppDeps): ToolApp {
  const { services } = deps;
  const { config, logger } = services;
  const access = httpAccess({ services, entrance: 'mcp', role: TOOL_ROLE });
  const proxies = trustedProxies(config.TRUSTED_PROXIES);
  const requireOwnHost = hostGuard(config);
  const rooms = new AnswerRooms();
  const sessions = new StreamSessions({ ...options, prefix: pathPrefix(config) }, { ...deps, rooms });

  const shortened = withoutPrefix(config);
  const app = Fastify({
    logger: false,
    genReqId: () => services.newId(),
    bodyLimit: config.MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url = '/' }) => shortened(url),
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false },
    ...(options.tls === undefined ? {} : { https: tlsOptions(options.tls) }),
  }) as FastifyInstance;

  addBodyParser(app, config.MAX_BODY_BYTES);

  /** Every request is checked, regardless of earlier ones on the connection. */
  app.addHook('onRequest', async (request, reply) => {
    const client = clientOf(request.raw, proxies);
    setContext(request, { client, response: reply.raw, route: '', caller: undefined, mediaType: '' });
    // On the raw answer: that of a transport bypasses the framework.
    reply.raw.setHeader('x-request-id', request.id);
    for (const [name, value] of Object.entries(securityHeaders(request.headers, client))) {
      reply.raw.setHeader(name, value);
    }
    if (options.draining?.isDraining) reply.raw.setHeader('connection', 'close');
    const asked = { message: request.raw, client, requestId: request.id, path: pathOf(request) };
    access.requireEncryption(asked);
    requireOwnHost(request.headers);
    const identity = await access.identify(asked);
    contextOf(request).caller = {
      ...identity,
      entrance: 'mcp',
      address: client.address,
      requestId: request.id,
      path: asked.path,
    };
  });

  app.setErrorHandler(async (thrown, request, reply) => {
    if (isHttpError(thrown)) return sendError(reply, thrown);
    const error = toAppError(thrown, config.MAX_BODY_BYTES);
    if (error.code === 'too_large') await drain(request.raw, DRAINED_BODIES * config.MAX_BODY_BYTES);
    if (error.code === 'internal') {
      logger.error('request failed', { requestId: request.id, path: pathOf(request), error: error.cause ?? error });
    }
    const shown = isRefusal(error) ? access.refused(contextOf(request).client, error) : error;
    return sendError(reply, fromAppError(shown, request.id));
  });

  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(PATHS, pathOf(request));
    if (allowed !== undefined) return sendError(reply, methodNotAllowed(request.method, allowed));
    throw new AppError('not_found', 'there is nothing here; the tool server has /mcp and /sse');
  });

  /** Answers with events, which are the client's to read. */
  function eventsOf(request: FastifyRequest, reply: FastifyReply): EventStream {
    reply.hijack();
    return new EventStream(reply.raw, {
      timeoutSeconds: config.STALLED_READER_SECONDS,
      onStalled: () => cutOff(request, logger),
    });
  }

  app.get('/sse', async (request, reply) => {
    const caller = callerOf(request);
    sessions.requireRoom(caller);
    const transport = await sessions.open(eventsOf(request, reply), caller);
    closeWithClient(reply, transport);
  });

  for (const path of ['/messages', MESSAGES_PATH, `${MESSAGES_PATH}:session`]) {
    app.post(path, async (request, reply) => {
      const { value, bytes } = jsonOf(request);
      sessions.receive(sessionOf(request), value, bytes, callerOf(request));
      return reply.code(202).send('Accepted');
    });
  }

  app.post('/mcp', async (request, reply) => {
    const posted = postedMessages(request.headers, jsonOf(request).value);
    if (isRefusedPost(posted)) {
      const { status, ...error } = posted;
      return reply.code(status).header('content-type', 'application/json').send(JSON.stringify(error));
    }
    const { messages, requests } = posted;
    if (requests === 0) return reply.code(202).send();
    const caller: Caller = callerOf(request);
    // The bytes of the body are held by its own budget until the answer has gone.
    const leave = rooms.admit(caller.name, requests, 0);
    const stream = eventsOf(request, reply);
    const transport = new PacedTransport({ stream, room: rooms.open(caller.name, () => stream.unread) });
    const signs = setInterval(() => stream.keepAlive(), KEEP_ALIVE_MS).unref();
    transport.onclose = () => {
      clearInterval(signs);
      leave();
    };
    const server = protocolServer(
      {
        version: options.version,
        caller: (requestId) => ({ ...caller, requestId }),
        began: (id) => transport.running(id),
      },
      deps,
    );
    await server.connect(transport);
    closeWithClient(reply, transport);
    let left = messages.length;
    for (const message of messages) {
      transport.receive(message, undefined, () => {
        left--;
        if (left === 0) void transport.close();
      });
    }
    return reply;
  });

  return { app, sessions };
}

/** A client that leaves ends its calls; nothing of them is kept for another request. */
function closeWithClient(reply: FastifyReply, transport: PacedTransport): void {
  if (reply.raw.closed || reply.raw.destroyed) void transport.close();
  else reply.raw.once('close', () => void transport.close());
}

/** Clients of different age name their session in different places. */
function sessionOf(request: FastifyRequest): string {
  const { session } = request.params as { session?: string };
  const query = request.query as Readonly<Record<string, string | string[] | undefined>>;
  const id = session ?? query.sessionId ?? query.session_id;
  if (typeof id === 'string' && id !== '') return id;
  throw new AppError('invalid_input', 'the session is missing; send messages to the address that /sse named');
}

function jsonOf(request: FastifyRequest): { readonly value: unknown; readonly bytes: number } {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new AppError('unsupported_media_type', 'the Content-Type is not understood; send application/json');
  }
  const { body } = request;
  if (!(body instanceof Uint8Array) || body.length === 0) {
    throw new AppError('invalid_input', 'the body is empty; send a JSON-RPC message');
  }
  return { value: parseJsonBody(body), bytes: body.length };
}

function sendError(reply: FastifyReply, { status, headers, body }: HttpError): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .header('cache-control', 'no-store')
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify(body));
}
