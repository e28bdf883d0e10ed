import type { HostState } from '../../../../app/hosts/decisions/host-state.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import type { Counted } from './changes.ts';

/** The facts about a host that most jobs need before they change it; texts that may be large stay in the database. */
export interface WrittenHost {
  readonly id: number;
  readonly hostname: string;
  readonly accountId: string | null;
  readonly isObject: number;
  readonly archivedAt: number | null;
  readonly archivedBy: ArchiveReason | null;
  readonly contributed: number;
  readonly members: string;
  readonly folder: string | null;
  readonly createdAt: number;
  readonly lastUpdate: number | null;
  readonly lastSeen: number | null;
  readonly runId: string | null;
}

const WRITTEN_COLUMNS =
  'h.id, h.hostname, h.account_id AS accountId, h.is_object AS isObject, h.archived_at AS archivedAt, ' +
  'h.archived_by AS archivedBy, h.contributed, h.members, h.folder, h.created_at AS createdAt, h.last_update AS lastUpdate, ' +
  'm.last_seen AS lastSeen, m.run_id AS runId';

export const WRITTEN_HOST = `SELECT ${WRITTEN_COLUMNS} FROM hosts h CROSS JOIN host_marks m ON m.id = h.id`;

export function findHost(connection: Connection, hostname: string): WrittenHost | undefined {
  return connection.get<WrittenHost>(`${WRITTEN_HOST} WHERE h.hostname = ?`, hostname);
}

/** A host in the eyes of the decisions. */
export function stateOf(host: WrittenHost): HostState {
  return { ...host, isObject: host.isObject === 1, archive: archiveOf(host.archivedAt, host.archivedBy) };
}

export function archiveOf(at: number | null, by: ArchiveReason | null): HostState['archive'] {
  return at === null || by === null ? null : { at, by };
}

/** A host in the form used by the counters, unchanged or with some facts changed. */
export function counted(host: WrittenHost, changed: Partial<Counted> = {}): Counted {
  return {
    hostname: host.hostname,
    accountId: host.accountId,
    isObject: host.isObject === 1,
    archived: host.archivedAt !== null,
    seenAt: host.lastSeen ?? host.createdAt,
    ...changed,
  };
}
