import type { ServerResponse } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { Caller } from '../../../app/kernel/caller.ts';
import { AppError } from '../../../ports/index.ts';
import { type ProtocolDeps, protocolServer, type RequestExtra } from '../protocol.ts';

export const MESSAGES_PATH = '/messages/';

export interface StreamSessionsOptions {
  /** Of the program. */
  readonly version: string;
  /** Streams that may be open at a time, in all and of one user. */
  readonly max?: number;
  readonly maxOfUser?: number;
  /** A stream over which nothing was asked for so long is closed. */
  readonly idleMs?: number;
  /** How often quiet streams get a sign of life, and idle ones are looked for. */
  readonly keepAliveMs?: number;
}

interface Session {
  readonly user: string;
  readonly transport: SSEServerTransport;
  readonly response: ServerResponse;
  lastUsed: number;
  close(): Promise<void>;
}

const MAX_SESSIONS = 200;
const MAX_OF_USER = 50;
const IDLE_MS = 60 * 60 * 1000;
const KEEP_ALIVE_MS = 15_000;
/** What a client may leave unread before its next message is refused. */
const MAX_BACKLOG_BYTES = 16 * 1024 * 1024;

/** The open event streams. Each belongs to the user who opened it, and every message brings its own, freshly checked caller. */
export class StreamSessions {
  readonly #options: Required<StreamSessionsOptions>;
  readonly #deps: ProtocolDeps;
  readonly #sessions = new Map<string, Session>();
  /** The caller of a message, while it goes through the protocol. */
  readonly #callers = new WeakMap<AuthInfo, Caller>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: StreamSessionsOptions, deps: ProtocolDeps) {
    this.#options = {
      max: MAX_SESSIONS,
      maxOfUser: MAX_OF_USER,
      idleMs: IDLE_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      ...options,
    };
    this.#deps = deps;
    this.#sweep = setInterval(() => this.#tick(), this.#options.keepAliveMs);
    this.#sweep.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Throws `unavailable` when there are too many streams already. */
  requireRoom({ name }: Pick<Caller, 'name'>): void {
    let own = 0;
    for (const session of this.#sessions.values()) if (session.user === name) own++;
    if (this.#sessions.size < this.#options.max && own < this.#options.maxOfUser) return;
    throw new AppError('unavailable', 'too many event streams are open; close some, or use /mcp, which needs none', {
      retryAfterSeconds: 30,
    });
  }

  /** Answers a request with an event stream, whose first event says where to send messages. */
  async open(response: ServerResponse, { name: user }: Pick<Caller, 'name'>): Promise<void> {
    const transport = new SSEServerTransport(MESSAGES_PATH, response);
    const server = protocolServer(
      { version: this.#options.version, caller: (requestId, extra) => this.#callerOf(requestId, extra) },
      this.#deps,
    );
    const close = async (): Promise<void> => {
      this.#sessions.delete(transport.sessionId);
      await server.close();
    };
    this.#sessions.set(transport.sessionId, { user, transport, response, lastUsed: performance.now(), close });
    server.onclose = () => this.#sessions.delete(transport.sessionId);
    await server.connect(transport);
  }

  /** Hands a message over; the answer comes over the stream. */
  async receive(sessionId: string, message: unknown, caller: Caller): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) {
      throw new AppError('not_found', 'there is no such session; open /sse and use the address that it names');
    }
    if (session.user !== caller.name) {
      throw new AppError('forbidden', 'the session belongs to another user; open /sse as the user who sends messages');
    }
    if (session.response.writableLength > MAX_BACKLOG_BYTES) {
      throw new AppError('unavailable', 'earlier answers of this session are unread; read the event stream first', {
        retryAfterSeconds: 2,
      });
    }
    session.lastUsed = performance.now();
    const ticket: AuthInfo = { token: '', clientId: caller.name, scopes: [] };
    this.#callers.set(ticket, caller);
    try {
      await session.transport.handleMessage(message, { authInfo: ticket });
    } catch (cause) {
      throw new AppError('invalid_input', 'the body must be one JSON-RPC message', { cause });
    }
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #callerOf(requestId: string, { authInfo }: RequestExtra): Caller {
    const caller = authInfo && this.#callers.get(authInfo);
    if (caller === undefined) throw new AppError('internal', 'a message came without its caller');
    return { ...caller, requestId };
  }

  /** Comments keep proxies from closing a quiet stream. */
  #tick(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      if (now - session.lastUsed > this.#options.idleMs) void session.close();
      else if (session.response.writableLength === 0) session.response.write(': keep-alive\n\n');
    }
  }
}
