import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../../ports/index.ts';
import { isBroken, isConflict, toAppError, unavailable } from './errors.ts';
import type { Settings } from './settings.ts';
import { fromStored, toStored } from './texts.ts';

/** Something that statements run on: the pool, or one transaction. */
export interface Sql {
  /** The rows as lists of columns. `bigint` is a number. */
  rows<Row extends readonly unknown[]>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** How many rows were changed. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
}

const INT8 = 20;
const TEXTS = new Set([25, 1043]);

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === INT8) return Number;
    return TEXTS.has(oid) ? fromStored : pg.types.getTypeParser(oid, 'text');
  },
} as pg.CustomTypesConfig;

/** Work that shall leave nothing behind: its transaction is rolled back, and the caller gets this. */
export class Rollback extends Error {}

/** Total number of attempts after a conflict between writers. */
const MOST_ATTEMPTS = 12;
const PAUSE_MS = 4;
/** How long the server waits for the next statement of a node that it no longer hears: others wait for what it locked. */
const IDLE_MS = 15_000;
/** How long beginning and undoing a transaction may take, also behind a pooler: the way to the server may have died without a word. */
const BEGIN_MS = 10_000;

/**
 * A pool of connections. Nothing is kept in a session, so that a pooler may give each transaction another one: names are written with their
 * schema, limits are set for a transaction, and no statement is prepared by name.
 */
export class Database implements Sql {
  readonly settings: Settings;
  readonly #logger: Logger;
  readonly #begin: string;
  readonly #texts = new Map<string, string>();
  #pool: pg.Pool | undefined;
  /** How much work is under way, and what is called when it is done. */
  #busy = 0;
  #idle: (() => void) | undefined;

  constructor(settings: Settings, logger: Logger) {
    this.settings = settings;
    this.#logger = logger;
    const { statementMs } = settings;
    this.#begin = `BEGIN; SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${statementMs};
      SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`;
  }

  open(): void {
    if (this.#pool !== undefined) return;
    this.#pool = new pg.Pool({ ...this.settings.pool, types });
    // The pool listens to idle connections alone, and an error that is not listened to ends the process. A user of a connection gets
    // the error from its statement.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pool.on('error', (error) =>
      this.#logger.debug('An idle connection to the database ended', { error: error.message }),
    );
  }

  /** Waits for the work that is under way. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    if (pool === undefined) return;
    if (this.#busy > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await pool.end();
  }

  /** Does work over a pool that stays open until it is done. */
  async #working<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    if (this.#pool === undefined) throw unavailable('The storage is not started.');
    this.#busy++;
    try {
      return await work(this.#pool);
    } finally {
      this.#busy--;
      if (this.#busy === 0) this.#idle?.();
    }
  }

  async rows<Row extends readonly unknown[]>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.#single((client) => this.#rows<Row>(client, text, values));
  }

  async run(text: string, values: readonly unknown[] = []): Promise<number> {
    return this.#single((client) => this.#run(client, text, values), false);
  }

  /** Does all of it or nothing, and tries again after a conflict with another writer. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#working(async (pool) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#transaction(pool, this.#begin, work);
        } catch (error) {
          if (error instanceof Rollback) throw error;
          if (!isConflict(error) || attempt >= MOST_ATTEMPTS) throw toAppError(error, this.settings.server);
        }
        await sleep(Math.random() * PAUSE_MS * attempt);
      }
    });
  }

  /** Reads one state of the database for as long as the work takes. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#working(async (pool) => {
      try {
        const begin = this.#begin.replace('BEGIN;', 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;');
        return await this.#transaction(pool, begin, work);
      } catch (error) {
        throw toAppError(error, this.settings.server);
      }
    });
  }

  /** As `snapshot`, for callers that read step by step: `end` ends it. */
  async openSnapshot(): Promise<Sql & { end(): Promise<void> }> {
    if (this.#pool === undefined) throw unavailable('The storage is not started.');
    const client = await this.#connect(this.#pool);
    const sql = this.#on(client);
    const named = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        throw toAppError(error, this.settings.server);
      }
    };
    try {
      await client.query(
        within(
          BEGIN_MS,
          'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
        ),
      );
    } catch (error) {
      client.release(true);
      throw toAppError(error, this.settings.server);
    }
    return {
      rows: (text, values) => named(sql.rows(text, values)),
      run: (text, values) => named(sql.run(text, values)),
      end: async () => {
        client.release(await failsToUndo(client));
      },
    };
  }

  async #transaction<T>(pool: pg.Pool, begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#connect(pool);
    let broken = false;
    try {
      await client.query(within(BEGIN_MS, begin));
      const answer = await work(this.#on(client));
      await client.query(within(this.#timeoutMs, 'COMMIT'));
      return answer;
    } catch (error) {
      broken = (!(error instanceof Rollback) && isBroken(error)) || (await failsToUndo(client));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** One statement is a transaction of its own. A reading is done once more where the connection turns out to be dead. */
  #single<T>(work: (client: pg.PoolClient) => Promise<T>, mayRepeat = true): Promise<T> {
    return this.#working(async (pool) => {
      for (let attempt = 1; ; attempt++) {
        const client = await this.#connect(pool);
        let broken = false;
        try {
          return await work(client);
        } catch (error) {
          broken = isBroken(error);
          if (broken && mayRepeat && attempt === 1) continue;
          throw toAppError(error, this.settings.server);
        } finally {
          client.release(broken);
        }
      }
    });
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw toAppError(error, this.settings.server);
    }
  }

  #on(client: pg.PoolClient): Sql {
    return {
      rows: (text, values = []) => this.#rows(client, text, values),
      run: (text, values = []) => this.#run(client, text, values),
    };
  }

  async #rows<Row extends readonly unknown[]>(
    client: pg.PoolClient,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const query = { text: this.#inSchema(text), values: values.map(toStored), rowMode: 'array' as const };
    return (await client.query<Row[]>({ ...query, query_timeout: this.#timeoutMs } as pg.QueryArrayConfig))
      .rows as unknown as Row[];
  }

  async #run(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<number> {
    const query = { text: this.#inSchema(text), values: values.map(toStored), query_timeout: this.#timeoutMs };
    return (await client.query(query)).rowCount ?? 0;
  }

  /** The server is the first to give up in a transaction, and says so. */
  get #timeoutMs(): number {
    return this.settings.statementMs + 5_000;
  }

  /** Statements name their tables as `muster.hosts`. */
  #inSchema(text: string): string {
    const { schema } = this.settings;
    if (schema === 'muster') return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const named = text.replaceAll('muster.', `${schema}.`);
    this.#texts.set(text, named);
    return named;
  }
}

/** A statement whose answer is not waited for any longer. */
function within(milliseconds: number, text: string): pg.QueryConfig {
  return { text, query_timeout: milliseconds } as pg.QueryConfig;
}

/** Undoes a transaction. True if the connection is of no use any more. */
function failsToUndo(client: pg.PoolClient): Promise<boolean> {
  return client.query(within(BEGIN_MS, 'ROLLBACK')).then(
    () => false,
    () => true,
  );
}
