import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Clock, type Logger } from '../../../ports/index.ts';
import { Connection } from './connection.ts';
import { isBusy } from './errors.ts';
import { migrate, requireUpgradable, schemaVersion } from './migrate.ts';
import type { SchemaSteps } from './schema-steps.ts';
import { dropOldCopies, keepCopy } from './upgrade-copy.ts';

export interface UpgradeOptions {
  readonly steps: SchemaSteps;
  /** How long another process may take that upgrades it just now. */
  readonly lockTimeoutMs: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Others that start at the same time let go of the file sooner than this; who still has it then works with it. */
const OTHERS_LET_GO_MS = 2_000;
/** Random within this range, so that processes that start together do not collide again. */
const RETRY_MS = { least: 10, most: 60 };

/** Whether the database holds something and is of an older version. */
export function isOlder(version: number, { last }: SchemaSteps): boolean {
  return version > 0 && version < last;
}

/** For who may not upgrade it. */
export function notUpgraded(path: string, version: number, { last }: SchemaSteps): AppError {
  return new AppError(
    'failed',
    `The database ${path} is of an older version (schema ${version}; this program: ${last}); the next start of the service, or "muster storage upgrade", upgrades it, after a copy.`,
  );
}

/**
 * Upgrades a database that holds something, with a copy of it as it was. No other process has it open meanwhile: a program of the
 * older version would go on over a schema that it does not know.
 */
export async function upgradeDatabase(path: string, options: UpgradeOptions): Promise<void> {
  const begun = Date.now();
  for (;;) {
    const connection = lockedConnection(path);
    if (connection !== undefined) return upgradeAlone(connection, options);
    const version = versionNow(path);
    if (version !== undefined && !isOlder(version, options.steps)) return;
    refuseTimedOut(path, version, Date.now() - begun, options);
    await sleep(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
  }
}

/** Without a pause: another storage of this thread would wait for the lock, and this one for the thread. */
function upgradeAlone(connection: Connection, { steps, logger, clock }: UpgradeOptions): void {
  const { path } = connection;
  try {
    const version = schemaVersion(connection);
    if (!isOlder(version, steps)) return;
    requireUpgradable(connection, version, steps);
    const copy = keepCopy(connection, version, clock.now());
    try {
      migrate(connection, steps);
    } catch (error) {
      // Nothing was changed, so it would be one more of the same at each try.
      copy.remove();
      throw error;
    }
    dropOldCopies(path);
    logger.warn(
      `the database ${path} was upgraded from schema ${version} to ${steps.last}; ${copy.path} holds it as it was before: to go back, stop the service, install the earlier version and put that file in the place of the database (see "Upgrade" in the documentation of operations)`,
    );
  } finally {
    connection.close();
  }
}

/** Throws when others have had the database for too long. `version` is unknown while one of them has it for itself. */
function refuseTimedOut(
  path: string,
  version: number | undefined,
  waited: number,
  { lockTimeoutMs, steps }: UpgradeOptions,
): void {
  if (version === undefined && waited > lockTimeoutMs) {
    throw held(path, 'is being upgraded by another process; try again when that is done');
  }
  if (version !== undefined && waited > OTHERS_LET_GO_MS) {
    throw held(
      path,
      `is of an older version (schema ${version}; this program: ${steps.last}) and has to be upgraded, but another process has it open, such as the service of that version: stop it first. Nothing was changed`,
    );
  }
}

/** `undefined` while another process has the database open, be it only to read: who uses WAL holds a lock as long as that. */
function lockedConnection(path: string): Connection | undefined {
  const connection = new Connection(path, 0);
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.execute('BEGIN EXCLUSIVE');
    connection.execute('COMMIT');
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** `undefined` while another process has it for itself. */
function versionNow(path: string): number | undefined {
  const connection = new Connection(path, 0);
  try {
    return schemaVersion(connection);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  } finally {
    connection.close();
  }
}

function held(path: string, text: string): AppError {
  return new AppError('failed', `The database ${path} ${text}.`);
}
