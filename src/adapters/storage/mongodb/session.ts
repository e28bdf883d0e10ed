import type { ClientSession, ClientSessionOptions, Document } from 'mongodb';
import type { Clock, Logger } from '../../../ports/index.ts';
import { BoundedClient } from './bounded-client.ts';
import { boundedCollections } from './bounded-collections.ts';
import { type ClientLimits, createClient, databaseName } from './connection.ts';
import { toAppError, unavailable } from './errors.ts';
import { createRevisionKeeper, type RevisionKeeper } from './revisions.ts';
import { type Database, openDatabase } from './schema.ts';

/** The environment of the stores: the open database, and the state of this node. */
export interface Context {
  readonly database: Database;
  /** Reads in it see what was written in it, whichever member answers. One call at a time. */
  readonly causally: <T>(work: (reach: SessionReach) => Promise<T>) => Promise<T>;
  /** Starts a session of the driver, which the caller must end. One call at a time. */
  readonly startSession: (options: ClientSessionOptions) => SessionReach;
  /** Runs work over a connection of its own, on which an answer may take as long as it likes. The signal cuts it off. */
  readonly withoutTimeout: <T>(work: (database: Database) => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Reads the server's answer to `hello`. */
  readonly askServer: () => Promise<Readonly<Record<string, unknown>>>;
  readonly revisions: RevisionKeeper;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly maxHostBytes: number;
}

/** A session of the driver, and the database as the client has it whose session it is: another client refuses it. */
export interface SessionReach {
  readonly database: Database;
  readonly session: ClientSession;
}

/** The connection of one storage: opens, closes, and translates every error that leaves it. */
export interface Session {
  open(prepare: (context: Context) => Promise<void>): Promise<void>;
  close(): Promise<void>;
  run<T>(work: (context: Context) => Promise<T>): Promise<T>;
  stream<T>(work: (context: Context) => AsyncIterable<T>): AsyncIterable<T>;
  /** Engine and version, by asking the server. */
  describe(): Promise<string>;
}

export interface SessionOptions {
  readonly url: string;
  readonly leaseMs: number;
  readonly maxHostBytes: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

const NO_LIMITS: ClientLimits = { socketTimeoutMS: 0, wtimeoutMS: 0 };

/** How long `close` waits for calls under way before it cuts them off. */
const LONGEST_CLOSE_MS = 15_000;

export function createSession({ url, leaseMs, maxHostBytes, logger, clock }: SessionOptions): Session {
  let current: BoundedClient | undefined;
  /** Those that have a successor and are not closed yet. */
  const retired = new Set<BoundedClient>();
  const pinned = new WeakMap<BoundedClient, Database>();
  let context: Context | undefined;
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let busy = 0;
  let whenIdle: (() => void) | undefined;

  async function connect(prepare: (context: Context) => Promise<void>): Promise<void> {
    await closing;
    if (context !== undefined) return;
    const fresh = newClient();
    current = fresh;
    try {
      await fresh.bounded(fresh.client.connect());
      const revisions = createRevisionKeeper(leaseMs, logger);
      const made = {
        database: databaseOf(client),
        causally,
        startSession,
        withoutTimeout,
        askServer: () => command({ hello: 1 }),
        revisions,
        logger,
        clock,
        leaseMs,
        maxHostBytes,
      };
      await prepare(made);
      context = made;
    } catch (error) {
      await closeClients();
      throw toAppError(error);
    }
  }

  function newClient(): BoundedClient {
    return new BoundedClient(createClient(url), replace);
  }

  /** The successor connects by its first call. */
  function replace(old: BoundedClient): void {
    if (current !== old) return;
    logger.warn('The database did not answer in time; connections to it are opened again');
    current = newClient();
    retired.add(old);
    void old.retire().then(() => retired.delete(old));
  }

  function client(): BoundedClient {
    if (current === undefined) throw unavailable('The storage is not started.');
    return current;
  }

  function command(asked: Document): Promise<Document> {
    const own = client();
    return own.bounded(own.client.db('admin').command(asked));
  }

  function databaseOf(clientOf: () => BoundedClient): Database {
    return openDatabase(boundedCollections(clientOf, databaseName(url)));
  }

  function startSession(options: ClientSessionOptions): SessionReach {
    const own = client();
    let database = pinned.get(own);
    if (database === undefined) {
      database = databaseOf(() => own);
      pinned.set(own, database);
    }
    return { database, session: own.client.startSession(options) };
  }

  async function causally<T>(work: (reach: SessionReach) => Promise<T>): Promise<T> {
    const reach = startSession({ causalConsistency: true });
    try {
      return await work(reach);
    } finally {
      await reach.session.endSession();
    }
  }

  async function withoutTimeout<T>(work: (database: Database) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slow = new BoundedClient(createClient(url, NO_LIMITS));
    const ended = new AbortController();
    try {
      signal?.throwIfAborted();
      return await new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
        work(databaseOf(() => slow)).then(resolve, reject);
      });
    } finally {
      ended.abort();
      await slow.close();
    }
  }

  async function disconnect(): Promise<void> {
    await opening?.catch(() => undefined);
    const old = context;
    context = undefined;
    if (old === undefined) return;
    await untilIdle();
    try {
      await old.revisions.close(old.database);
    } catch (error) {
      // Another node, or the next start, does for us what could not be done now.
      logger.warn('The database could not be notified that this node stops', { error });
    }
    await closeClients();
  }

  async function closeClients(): Promise<void> {
    await Promise.all([current, ...retired].map((each) => each?.close()));
    retired.clear();
  }

  async function untilIdle(): Promise<void> {
    if (busy === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_CLOSE_MS);
      whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function opened(): Context {
    if (context === undefined) throw unavailable('The storage is not started.');
    return context;
  }

  function leave(): void {
    busy--;
    if (busy === 0) whenIdle?.();
  }

  return {
    open(prepare) {
      opening ??= connect(prepare).finally(() => {
        opening = undefined;
      });
      return opening;
    },

    close() {
      closing ??= disconnect().finally(() => {
        closing = undefined;
      });
      return closing;
    },

    async run(work) {
      const open = opened();
      busy++;
      try {
        return await work(open);
      } catch (error) {
        throw toAppError(error);
      } finally {
        leave();
      }
    },

    async *stream(work) {
      const open = opened();
      try {
        yield* work(open);
      } catch (error) {
        throw toAppError(error);
      }
    },

    async describe() {
      opened();
      try {
        const [hello, build] = await Promise.all([command({ hello: 1 }), command({ buildInfo: 1 })]);
        return `MongoDB ${build.version}, ${kindOf(hello)}`;
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}

/** Returns the kind of server according to its answer to `hello`; a router of a sharded cluster names no replica set. */
export function kindOf(hello: Readonly<Record<string, unknown>>): string {
  if (hello.msg === 'isdbgrid') return 'sharded cluster (mongos)';
  return typeof hello.setName === 'string' ? `replica set ${hello.setName}` : 'standalone';
}
