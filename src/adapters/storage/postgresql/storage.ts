import { maskedAddress } from '../../../kit/masking/masked-address.ts';
import { type Clock, DEFAULT_MAX_HOST_BYTES, type Logger, type Storage } from '../../../ports/index.ts';
import { storageOf } from '../records/record-stores.ts';
import { checkDatabase } from './check.ts';
import { Database } from './database.ts';
import { toAppError } from './errors.ts';
import { postgresqlFeed } from './feed.ts';
import { postgresqlHistory } from './history.ts';
import { postgresqlHosts } from './hosts.ts';
import { postgresqlMarks } from './marks.ts';
import { postgresqlRecords } from './records.ts';
import { postgresqlRelations } from './relations.ts';
import { postgresqlReplica } from './replica.ts';
import { postgresqlRules } from './rules.ts';
import { grantsFor, updateSchema } from './schema.ts';
import type { Settings } from './settings.ts';
import { postgresqlTransfer } from './transfer.ts';

export interface PostgresqlStorageOptions {
  readonly settings: Settings;
  /** How its replica is reached. */
  readonly replica?: Settings | undefined;
  /** As the operator wrote it. */
  readonly url: string;
  /** How large a host may be, bytes. Default 8 MiB. */
  readonly maxHostBytes?: number;
  /** True: a database without a schema of ours is a `store_missing`, and stays as it is. */
  readonly mustExist?: boolean;
  /** False: a database of an older version is an error and not upgraded. */
  readonly mayUpgrade?: boolean;
  /** Called when the schema was made. */
  readonly made?: () => void;
}

const NOT_INDEXED =
  'their index is missing: the extension pg_trgm is not in the database, or its schema was not granted to the owner of the tables';

/**
 * PostgreSQL 15 or newer, for one node or many, directly or through a pooler in transaction mode. Each call that writes is one transaction.
 * Nothing of what is stored is kept in the process.
 */
export function postgresqlStorage(
  options: PostgresqlStorageOptions,
): (deps: { readonly logger: Logger; readonly clock?: Clock }) => Storage {
  const { settings, url, maxHostBytes = DEFAULT_MAX_HOST_BYTES, mustExist = false, mayUpgrade = true, made } = options;
  return ({ logger, clock = { now: () => new Date() } }) => {
    const database = new Database(settings, logger);
    const copy = options.replica && new Database(options.replica, logger);
    const records = postgresqlRecords(database);
    let isIndexed = false;
    let starting: Promise<void> | undefined;

    async function start(): Promise<void> {
      database.open();
      copy?.open();
      await updateSchema(database, { place: maskedAddress(url), mustExist, mayUpgrade, made });
      const [index] = await database.rows<[string | null]>(`SELECT to_regclass('muster.hosts_texts')::text`);
      isIndexed = index?.[0] != null;
      if (!isIndexed) logger.info(`Searches read all hosts, because ${NOT_INDEXED}`);
    }

    async function close(): Promise<void> {
      starting = undefined;
      await Promise.all([copy?.close(), database.close()]);
    }

    return storageOf({
      ...(copy && { replica: postgresqlReplica(database, copy, logger) }),
      hosts: postgresqlHosts(database, { clock, maxBytes: maxHostBytes, isIndexed: () => isIndexed }),
      relations: postgresqlRelations(database),
      marks: postgresqlMarks(database),
      history: postgresqlHistory(database),
      feed: postgresqlFeed(database),
      rules: postgresqlRules(database),
      records,
      transfer: postgresqlTransfer(database),

      async start() {
        starting ??= start();
        try {
          await starting;
        } catch (error) {
          await close();
          throw error;
        }
      },

      stop: close,

      async revisions() {
        return new Map(
          await database.rows<[string, number]>('SELECT name, value FROM muster.revisions WHERE value > 0'),
        );
      },

      async health() {
        try {
          const [row] = await database.rows<[string]>(`SELECT current_setting('server_version')`);
          const searched = isIndexed ? '' : `; searches read all hosts, because ${NOT_INDEXED}`;
          return { ok: true, message: `PostgreSQL ${row?.[0]}${searched}` };
        } catch (error) {
          return { ok: false, message: toAppError(error, settings.server).message };
        }
      },

      grants: (role) => grantsFor(role, settings.schema),

      check: ({ only }) => checkDatabase(database, only),
    });
  };
}
