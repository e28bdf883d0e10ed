import type { AppError } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import { toAppError } from '../errors.ts';
import type { JobKind } from '../writer-protocol.ts';
import { Changes } from './changes.ts';
import type { WriteContext } from './context.ts';
import { jobs } from './jobs.ts';

export interface Job {
  readonly kind: JobKind;
  readonly message: unknown;
}

export type JobOutcome = { readonly value: unknown } | { readonly error: AppError };

/**
 * Group commit: all jobs in one transaction, so that the disk is waited for once. Outcomes are true only because they leave here
 * after the commit. Jobs do not normally fail; when one does, the group is rolled back and run again with each job in a savepoint
 * of its own, so that the others do not suffer (a savepoint for every job costs a third of the throughput of small ones).
 */
export function runGroup(connection: Connection, group: readonly Job[]): JobOutcome[] {
  try {
    return transaction(connection, () => {
      const context = { connection, changes: new Changes() };
      const outcomes = group.map((job) => ({ value: runJob(context, job) }));
      context.changes.flush(connection);
      return outcomes;
    });
  } catch (error) {
    const failure = toAppError(error, connection.path);
    if (group.length === 1) return [{ error: failure }];
    // A lock or a full disk hits all of them alike.
    if (failure.code === 'unavailable') return group.map(() => ({ error: failure }));
  }
  try {
    return transaction(connection, () => group.map((job) => runApart(connection, job)));
  } catch (error) {
    const failure = toAppError(error, connection.path);
    return group.map(() => ({ error: failure }));
  }
}

function transaction<T>(connection: Connection, work: () => T): T {
  connection.run('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.run('COMMIT');
    return result;
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

function runApart(connection: Connection, job: Job): JobOutcome {
  connection.run('SAVEPOINT job');
  try {
    const context = { connection, changes: new Changes() };
    const value = runJob(context, job);
    context.changes.flush(connection);
    connection.run('RELEASE job');
    return { value };
  } catch (error) {
    const failure = toAppError(error, connection.path);
    if (failure.code === 'unavailable') throw failure;
    connection.run('ROLLBACK TO job');
    connection.run('RELEASE job');
    return { error: failure };
  }
}

/** The protocol pairs kinds with their messages; here they come from the wire. */
function runJob(context: WriteContext, job: Job): unknown {
  const run = jobs[job.kind] as (context: WriteContext, message: unknown) => unknown;
  return run(context, job.message);
}
