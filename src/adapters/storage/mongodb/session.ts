import type { ClientSession, MongoClient } from 'mongodb';
import type { Clock, Logger } from '../../../ports/index.ts';
import { type ClientLimits, createClient, databaseName } from './connection.ts';
import { toAppError, unavailable } from './errors.ts';
import { createRevisionKeeper, type RevisionKeeper } from './revisions.ts';
import { type Database, openDatabase } from './schema.ts';

/** What the stores work with: the open database, and what belongs to this node. */
export interface Context {
  readonly database: Database;
  /** Reads in it see what was written in it, whichever member answers. One call at a time. */
  readonly causally: <T>(work: (session: ClientSession) => Promise<T>) => Promise<T>;
  /** Runs work over a connection of its own, on which an answer may take as long as it likes. The signal cuts it off. */
  readonly patient: <T>(work: (database: Database) => Promise<T>, signal?: AbortSignal) => Promise<T>;
  readonly revisions: RevisionKeeper;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly maxHostBytes: number;
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
  let client: MongoClient | undefined;
  let context: Context | undefined;
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let busy = 0;
  let whenIdle: (() => void) | undefined;

  async function connect(prepare: (context: Context) => Promise<void>): Promise<void> {
    await closing;
    if (context !== undefined) return;
    const fresh = createClient(url);
    try {
      await fresh.connect();
      const revisions = createRevisionKeeper(leaseMs, logger);
      const made = {
        database: openDatabase(fresh.db(databaseName(url))),
        causally: <T>(work: (causal: ClientSession) => Promise<T>) =>
          fresh.withSession({ causalConsistency: true }, work),
        patient,
        revisions,
        logger,
        clock,
        leaseMs,
        maxHostBytes,
      };
      await prepare(made);
      client = fresh;
      context = made;
    } catch (error) {
      await fresh.close();
      throw toAppError(error);
    }
  }

  async function patient<T>(work: (database: Database) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slow = createClient(url, NO_LIMITS);
    const cutOff = (): void => void slow.close().catch(() => undefined);
    signal?.addEventListener('abort', cutOff);
    try {
      return await work(openDatabase(slow.db(databaseName(url))));
    } finally {
      signal?.removeEventListener('abort', cutOff);
      await slow.close();
    }
  }

  async function disconnect(): Promise<void> {
    await opening?.catch(() => undefined);
    const [oldClient, oldContext] = [client, context];
    client = undefined;
    context = undefined;
    if (oldClient === undefined || oldContext === undefined) return;
    await untilIdle();
    try {
      await oldContext.revisions.close(oldContext.database);
    } catch (error) {
      // Another node, or the next start, does for us what could not be done now.
      logger.warn('The database could not be notified that this node stops', { error });
    }
    await oldClient.close();
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

  function current(): Context {
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
      const open = current();
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
      const open = current();
      try {
        yield* work(open);
      } catch (error) {
        throw toAppError(error);
      }
    },

    async describe() {
      current();
      if (client === undefined) throw unavailable('The storage is not started.');
      try {
        const admin = client.db('admin');
        const [hello, build] = await Promise.all([admin.command({ hello: 1 }), admin.command({ buildInfo: 1 })]);
        return `MongoDB ${build.version}, ${kindOf(hello)}`;
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}

/** What a server says of itself to `hello`; a router of a sharded cluster names no replica set. */
export function kindOf(hello: Readonly<Record<string, unknown>>): string {
  if (hello.msg === 'isdbgrid') return 'sharded cluster (mongos)';
  return typeof hello.setName === 'string' ? `replica set ${hello.setName}` : 'standalone';
}
