import { AppError } from '../../../ports/index.ts';

/** Memory that the answers of one user, and those of each of their connections, may take. */
export interface AnswerLimits {
  /** Requests whose answers are being made, or are made and not taken yet. */
  readonly atOnce: number;
  readonly atOnceOfUser: number;
  /** Characters of unread answers beyond which no further request is begun. */
  readonly unread: number;
  readonly unreadOfUser: number;
  /** Requests of a user that have no answer yet, begun or not, and the bytes of their messages. */
  readonly requests: number;
  readonly requestBytes: number;
}

const MIB = 1024 * 1024;

const LIMITS: AnswerLimits = {
  atOnce: 8,
  atOnceOfUser: 16,
  unread: 4 * MIB,
  unreadOfUser: 16 * MIB,
  requests: 1_000,
  requestBytes: 64 * MIB,
};

interface User {
  readonly connections: Set<Connection>;
  /** In order of arrival. */
  readonly waiting: Waiting[];
  underWay: number;
  requests: number;
  requestBytes: number;
}

interface Connection {
  readonly unread: () => number;
  underWay: number;
}

interface Waiting {
  readonly connection: Connection;
  readonly begin: (leave: () => void) => void;
}

/** The place of one connection. */
export interface AnswerRoom {
  /**
   * Calls `begin` as soon as there is room: at once, if the client reads its answers. The code that began calls `leave` once the
   * answer was taken, or if there will be none. The returned function withdraws the request, unless it began.
   */
  enter(begin: (leave: () => void) => void): () => void;
  /** Ends the connection, and drops its waiting requests. Requests that have begun keep their place until they leave. */
  close(): void;
}

/**
 * Decides when requests of tool clients are begun. An answer is complete when it is made and stays in memory until it is read, so
 * a client that asks without reading gets no further ones: not by many messages at once, not by a batch, not over many
 * connections.
 */
export class AnswerRooms {
  readonly #limits: AnswerLimits;
  readonly #users = new Map<string, User>();

  constructor(limits: Partial<AnswerLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Admits requests, whose messages are kept until they are begun, and returns a function that releases them. Throws
   * `unavailable` if too much of this user waits already; a single message is never too large for a user without other requests.
   */
  admit(name: string, requests: number, bytes: number): () => void {
    const user = this.#userOf(name);
    const isTooMuch =
      user.requests + requests > this.#limits.requests || user.requestBytes + bytes > this.#limits.requestBytes;
    if (user.requests > 0 && isTooMuch) {
      throw new AppError(
        'unavailable',
        'too many requests of this user wait for answers, or their answers wait to be read; read those first',
        { retryAfterSeconds: 2 },
      );
    }
    user.requests += requests;
    user.requestBytes += bytes;
    return once(() => {
      user.requests -= requests;
      user.requestBytes -= bytes;
      this.#forgetIdle(name, user);
    });
  }

  /** `unread` returns the number of characters of answers that the connection holds. */
  open(name: string, unread: () => number): AnswerRoom {
    const user = this.#userOf(name);
    const connection: Connection = { unread, underWay: 0 };
    user.connections.add(connection);
    return {
      enter: (begin) => {
        const request = { connection, begin };
        user.waiting.push(request);
        this.#beginSome(name, user);
        return () => {
          const index = user.waiting.indexOf(request);
          if (index !== -1) user.waiting.splice(index, 1);
        };
      },
      close: () => {
        user.connections.delete(connection);
        const others = user.waiting.filter((request) => request.connection !== connection);
        user.waiting.splice(0, user.waiting.length, ...others);
        this.#beginSome(name, user);
        this.#forgetIdle(name, user);
      },
    };
  }

  #userOf(name: string): User {
    let user = this.#users.get(name);
    if (user === undefined) {
      user = { connections: new Set(), waiting: [], underWay: 0, requests: 0, requestBytes: 0 };
      this.#users.set(name, user);
    }
    return user;
  }

  #forgetIdle(name: string, user: User): void {
    if (user.connections.size === 0 && user.underWay === 0 && user.requests === 0) this.#users.delete(name);
  }

  #beginSome(name: string, user: User): void {
    const { atOnce, atOnceOfUser, unread, unreadOfUser } = this.#limits;
    let all = 0;
    for (const connection of user.connections) all += connection.unread();
    if (all >= unreadOfUser) return;
    for (let index = 0; index < user.waiting.length && user.underWay < atOnceOfUser; ) {
      const { connection, begin } = user.waiting[index] as Waiting;
      if (connection.underWay >= atOnce || connection.unread() >= unread) {
        index++;
        continue;
      }
      user.waiting.splice(index, 1);
      user.underWay++;
      connection.underWay++;
      begin(
        once(() => {
          user.underWay--;
          connection.underWay--;
          this.#beginSome(name, user);
          this.#forgetIdle(name, user);
        }),
      );
    }
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
