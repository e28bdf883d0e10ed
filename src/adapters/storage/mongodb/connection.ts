import { MongoClient, type MongoClientOptions } from 'mongodb';

/**
 * Limits after which an operation is `unavailable`: finding a primary, connecting, waiting for a connection of the pool, one
 * answer, and replication of a write to most members. The last is shorter than an answer may take, so that a set with too few
 * members reports what it waits for and keeps the connection. A change of primary takes most replica sets two to ten seconds;
 * affected callers try again.
 */
const DEFAULTS = {
  appName: 'muster',
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 20_000,
  wtimeoutMS: 15_000,
} as const;

export type ClientLimits = Pick<MongoClientOptions, 'socketTimeoutMS' | 'wtimeoutMS'>;

/** A client that has not connected yet. What the URL says (pool size, TLS, times, name) wins over our defaults, `limits` over both. */
export function createClient(url: string, limits: ClientLimits = {}): MongoClient {
  const given = parametersOf(url);
  const defaults = Object.entries(DEFAULTS).filter(([name]) => !given.has(name.toLowerCase()));
  const options: MongoClientOptions = {
    // Acknowledged writes survive a change of primary, and no read returns data that could be rolled back: otherwise a cache
    // could keep rolled back data under a revision number that is given out a second time.
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    ...Object.fromEntries(defaults),
    ...limits,
  };
  return new MongoClient(url, options);
}

/** The database that the URL names, else `muster`; the driver's own default would be `test`. */
export function databaseName(url: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? 'muster' : decodeURIComponent(name);
}

function parametersOf(url: string): ReadonlySet<string> {
  const query = url.slice(url.indexOf('?') + 1);
  return new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
}
