import type { MessagePort } from 'node:worker_threads';
import { AppError, type Clock, DEFAULT_MAX_HOST_BYTES, type Logger, type Storage } from '../../../ports/index.ts';
import { entriesOfProcess, workStore } from '../shared/work.ts';
import { sqliteActiveRuns } from './active-runs.ts';
import { sqliteAudit } from './audit.ts';
import { sqliteFeed } from './change-feed.ts';
import { checkDatabase } from './check.ts';
import { sqliteComments } from './comments.ts';
import type { Connection } from './connection.ts';
import { sqliteCron } from './cron-states.ts';
import { sqliteHostCounts } from './host-counts.ts';
import { sqliteHosts } from './hosts.ts';
import { sqliteAccess, sqliteHistory, sqliteLogs } from './journals.ts';
import { sqliteMarks } from './marks.ts';
import { openReader, requireDatabase } from './open.ts';
import { sqliteOutbox } from './outbox.ts';
import { sqliteOwnership } from './ownership.ts';
import { sqlitePlans } from './plans.ts';
import { sqlitePlaybooks } from './playbooks.ts';
import { sqlitePublished } from './published.ts';
import { sqliteRelations } from './relations.ts';
import { sqliteRules } from './rules.ts';
import { SCHEMA_STEPS, type SchemaSteps } from './schema-steps.ts';
import { sqliteSessions } from './sessions.ts';
import { sqliteSignIns } from './sign-ins.ts';
import { sqliteTransfer } from './transfer.ts';
import { WriterClient } from './writer-client.ts';

export interface SqliteStorageOptions {
  /** The database file; it and its directory are made when missing. */
  readonly path: string;
  /** True makes a missing file a `store_missing` instead, and leaves nothing behind. */
  readonly mustExist?: boolean;
  /** False makes a database of an older version an error; it is upgraded otherwise, after a copy. */
  readonly mayUpgrade?: boolean;
  /** Absent: those of the program. Upgrades are tested with a further one. */
  readonly steps?: SchemaSteps;
  /** Told where the database was made. */
  readonly made?: (place: string) => void;
  /** A line to the writer thread of another storage of this process, from its `writerPort`. Without it this one owns a writer. */
  readonly writer?: MessagePort;
  /** How large a host may be, bytes. Default 8 MiB. */
  readonly maxHostBytes?: number;
  /** How long a write waits for another process. Default 30 seconds. */
  readonly lockTimeoutMs?: number;
  /** Writes that may wait at once. Default 10,000. */
  readonly maxQueuedWrites?: number;
  /** Characters that waiting writes may hold together; a single larger one is taken when nothing waits. Default 128 Mi. */
  readonly maxQueuedSize?: number;
}

export interface SqliteStorageDeps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

export interface SqliteStorage extends Storage {
  /** A line to this storage's writer thread, to transfer to another thread and use there as `writer`. */
  writerPort(): MessagePort;
}

/**
 * Everything in one SQLite file. The calling thread only reads, over its own connection; one writer thread of the process
 * owns every write, so that no caller ever waits for a lock or a disk.
 */
export function sqliteStorage(options: SqliteStorageOptions): (deps: SqliteStorageDeps) => SqliteStorage {
  return ({ logger, clock = { now: () => new Date() } }) => {
    const { path, lockTimeoutMs = 30_000, maxQueuedWrites = 10_000, maxQueuedSize = 128 * 1024 * 1024 } = options;
    let reader: Connection | undefined;
    let client: WriterClient | undefined;
    let starting: Promise<void> | undefined;
    /** As this connection last saw them; every change of theirs comes over another connection. */
    let revisions: { readonly version: number; readonly values: ReadonlyMap<string, number> } | undefined;

    const read = (): Connection => reader ?? fail();
    const writer = (): WriterClient => client ?? fail();

    async function open(): Promise<void> {
      if (options.mustExist) requireDatabase(path);
      const { connection, migrated } = await openReader(path, {
        lockTimeoutMs,
        mayUpgrade: options.mayUpgrade !== false,
        steps: options.steps ?? SCHEMA_STEPS,
        logger,
        clock,
      });
      reader = connection;
      if (migrated > 0) {
        logger.info('the database was made', { path, migrations: migrated });
        options.made?.(path);
      }
      client = new WriterClient({ path, lockTimeoutMs }, { maxQueuedWrites, maxQueuedSize }, logger, options.writer);
    }

    return {
      hosts: sqliteHosts(read, writer, clock, options.maxHostBytes ?? DEFAULT_MAX_HOST_BYTES),
      relations: sqliteRelations(read, writer),
      marks: sqliteMarks(read, writer),
      history: sqliteHistory(read, writer),
      feed: sqliteFeed(read),
      rules: sqliteRules(read, writer),
      logs: sqliteLogs(read, writer),
      audit: sqliteAudit(read, writer),
      access: sqliteAccess(read, writer),
      comments: sqliteComments(read, writer),
      sessions: sqliteSessions(read, writer),
      signIns: sqliteSignIns(read, writer),
      cron: sqliteCron(read, writer, clock),
      activeRuns: sqliteActiveRuns(read, writer, clock),
      work: workStore(entriesOfProcess(clock)),
      outbox: sqliteOutbox(read, writer, clock),
      playbooks: sqlitePlaybooks(read, writer, clock),
      plans: sqlitePlans(read, writer, clock),
      ownership: sqliteOwnership(read, writer),
      published: sqlitePublished(read, writer),
      hostCounts: sqliteHostCounts(read, writer),
      transfer: sqliteTransfer(read, writer, lockTimeoutMs),

      async start() {
        starting ??= open();
        try {
          await starting;
        } catch (error) {
          starting = undefined;
          throw error;
        }
      },

      async stop() {
        await starting?.catch(() => undefined);
        await client?.stop();
        reader?.close();
        reader = undefined;
        revisions = undefined;
        client = undefined;
        starting = undefined;
      },

      async revisions() {
        // Read with every request, so rows are fetched only after a commit (2 µs to detect, 10 to read).
        const version = read().getRaw<[number]>('PRAGMA data_version')?.[0] ?? 0;
        if (revisions?.version !== version) {
          const rows = read().allRaw<[string, number]>('SELECT name, value FROM revisions');
          revisions = { version, values: new Map(rows) };
        }
        return revisions.values;
      },

      async health() {
        try {
          const version = read().getRaw<[string]>('SELECT sqlite_version() FROM (SELECT count(*) FROM revisions)');
          return { ok: true, message: `SQLite ${version?.[0]}` };
        } catch (error) {
          return { ok: false, message: error instanceof Error ? error.message : String(error) };
        }
      },

      check: ({ fix, only }) => checkDatabase({ path: read().path, lockTimeoutMs, only }, writer(), fix),
      writerPort: () => writer().port(),
    };
  };
}

function fail(): never {
  throw new AppError('unavailable', 'The storage is not started.', { retryAfterSeconds: 1 });
}
