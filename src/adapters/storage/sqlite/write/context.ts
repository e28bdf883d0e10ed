import type { Remembered } from '../../../../app/hosts/decisions/host-changes.ts';
import type { Actor } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import type { Changes } from './changes.ts';

/** The environment of a job of the writer thread; the job runs inside a transaction. */
export interface WriteContext {
  readonly connection: Connection;
  readonly changes: Changes;
}

export interface ChangeBy {
  readonly at: Date;
  readonly actor: Actor;
}

/** Writes one change of a host into its history; answers its number there. */
export function remember(
  { connection, changes }: WriteContext,
  hostname: string,
  by: ChangeBy,
  remembered: Remembered,
): number {
  const seq = changes.nextChange(connection);
  connection.run(
    'INSERT INTO host_changes (seq, hostname, at, actor_kind, actor_name, kind, changes) VALUES (?, ?, ?, ?, ?, ?, ?)',
    seq,
    hostname,
    by.at.getTime(),
    by.actor.kind,
    by.actor.name,
    remembered.kind,
    JSON.stringify(remembered.changes),
  );
  return seq;
}
