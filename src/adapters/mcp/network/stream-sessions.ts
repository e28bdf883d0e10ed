import { randomUUID } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { isJSONRPCRequest, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../../../app/kernel/caller.ts';
import { AppError } from '../../../ports/index.ts';
import { type ProtocolDeps, protocolServer, type RequestExtra } from '../protocol.ts';
import type { AnswerRooms } from './answer-rooms.ts';
import type { EventStream } from './event-stream.ts';
import { PacedTransport } from './paced-transport.ts';

export const MESSAGES_PATH = '/messages/';

export interface StreamSessionsOptions {
  /** Version of the program. */
  readonly version: string;
  /** The path below which clients find the server; absent: the top of its host. */
  readonly prefix?: string;
  /** Streams that may be open at a time, in all and of one user. */
  readonly max?: number;
  readonly maxOfUser?: number;
  /** Time, in ms, after which a stream without requests is closed. */
  readonly idleMs?: number;
  /** How often quiet streams get a sign of life, and idle ones are looked for. */
  readonly keepAliveMs?: number;
}

export interface StreamSessionsDeps extends ProtocolDeps {
  readonly rooms: AnswerRooms;
}

interface Session {
  readonly user: string;
  readonly transport: PacedTransport;
  readonly stream: EventStream;
  lastUsed: number;
  close(): Promise<void>;
}

const MAX_SESSIONS = 200;
const MAX_OF_USER = 50;
const IDLE_MS = 60 * 60 * 1000;
const KEEP_ALIVE_MS = 15_000;

/** The open event streams. Each belongs to the user who opened it, and every message has its own, freshly checked caller. */
export class StreamSessions {
  readonly #options: Required<StreamSessionsOptions>;
  readonly #deps: StreamSessionsDeps;
  readonly #sessions = new Map<string, Session>();
  /** The caller of a message, while it goes through the protocol. */
  readonly #callers = new WeakMap<AuthInfo, Caller>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: StreamSessionsOptions, deps: StreamSessionsDeps) {
    this.#options = {
      prefix: '',
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

  /** Makes an event stream a session; its first event contains the address for messages. */
  async open(stream: EventStream, { name: user }: Pick<Caller, 'name'>): Promise<PacedTransport> {
    const sessionId = randomUUID();
    const room = this.#deps.rooms.open(user, () => stream.unread);
    const transport = new PacedTransport({ stream, room, sessionId });
    const server = protocolServer(
      {
        version: this.#options.version,
        caller: (requestId, extra) => this.#callerOf(requestId, extra),
        began: (id) => transport.running(id),
      },
      this.#deps,
    );
    server.onclose = () => this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, {
      user,
      transport,
      stream,
      lastUsed: performance.now(),
      close: () => server.close(),
    });
    stream.send('endpoint', `${this.#options.prefix}${MESSAGES_PATH}?sessionId=${sessionId}`);
    await server.connect(transport);
    return transport;
  }

  /** Passes on a message, with its size in bytes; the answer is sent over the stream. */
  receive(sessionId: string, given: unknown, bytes: number, caller: Caller): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) {
      throw new AppError('not_found', 'the session does not exist; open /sse and use the address that it names');
    }
    if (session.user !== caller.name) {
      throw new AppError('forbidden', 'the session belongs to another user; open /sse as the user that sends messages');
    }
    const { success, data: message } = JSONRPCMessageSchema.safeParse(given);
    if (!success) throw new AppError('invalid_input', 'the body must be one JSON-RPC message');
    const { transport } = session;
    let leave: (() => void) | undefined;
    if (isJSONRPCRequest(message)) {
      if (transport.isUnderWay(message.id)) throw idTwice();
      leave = this.#deps.rooms.admit(caller.name, 1, bytes);
    }
    session.lastUsed = performance.now();
    const ticket: AuthInfo = { token: '', clientId: caller.name, scopes: [] };
    this.#callers.set(ticket, caller);
    transport.receive(message, { authInfo: ticket }, leave);
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #callerOf(requestId: string, { authInfo }: RequestExtra): Caller {
    const caller = authInfo && this.#callers.get(authInfo);
    if (caller === undefined) throw new AppError('internal', 'a message has no caller');
    return { ...caller, requestId };
  }

  /** Comments keep proxies from closing a quiet stream. */
  #tick(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      if (now - session.lastUsed > this.#options.idleMs) void session.close();
      else session.stream.keepAlive();
    }
  }
}

function idTwice(): AppError {
  return new AppError('invalid_input', 'a request with the same id has no answer yet; give each request its own id');
}
