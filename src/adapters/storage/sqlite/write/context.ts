import type { Remembered } from '../../../../app/hosts/decisions/host-changes.ts';
import type { Actor } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import type { Changes } from './changes.ts';

/** What a job of the writer thread works with; it runs inside a transaction. */
export interface WriteContext {
  readonly connection: Connection;
  readonly changes: Changes;
}

export interface ChangeBy {
  readonly at: Date;
  readonly actor: Actor;
}

/** Writes one change of a host into its history. */
export function remember(
  { connection }: WriteContext,
  hostname: string,
  by: ChangeBy,
  { kind, changes }: Remembered,
): void {
  connection.run(
    'INSERT INTO host_changes (hostname, at, actor_kind, actor_name, kind, changes) VALUES (?, ?, ?, ?, ?, ?)',
    hostname,
    by.at.getTime(),
    by.actor.kind,
    by.actor.name,
    kind,
    JSON.stringify(changes),
  );
}
