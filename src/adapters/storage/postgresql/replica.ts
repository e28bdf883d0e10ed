import { within } from '../../../kit/connection/timeouts.ts';
import type { HostRecord, Logger, Replica } from '../../../ports/index.ts';
import type { Database, Sql } from './database.ts';
import { ofReplica, toAppError, unavailable } from './errors.ts';
import { type PageRequest, readPage, scanHosts } from './host-reads.ts';

/** A replica that failed is left alone for this long, so that one rendering at most waits for it. */
const REST_MS = 30_000;
/** Every replica is behind for a moment after a write. */
const BEHIND_MS = 60_000;

interface State {
  readonly revision: number;
  readonly place: number;
  readonly mark: string;
  readonly isReplica: boolean;
  readonly behindSeconds: number;
}

/**
 * Reads the state of hosts in a database. The mark is the change at a place of the feed, by default the last one: a server that lost changes when
 * its primary was replaced has another mark there.
 */
async function stateOf(sql: Sql, wanted: number | null = null): Promise<State> {
  const [row] = await sql.rows<[number, number, string, boolean, number | null]>(
    `SELECT coalesce((SELECT value FROM muster.revisions WHERE name = 'hosts'), 0), p.place,
       concat_ws(' ', s.feed, (SELECT at FROM muster.host_feed f WHERE f.place = p.place)),
       pg_is_in_recovery(), extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8
     FROM muster.host_feed_state s, LATERAL (SELECT coalesce($1::bigint, s.last_place) AS place) p`,
    [wanted],
  );
  if (row === undefined) throw unavailable('It has no data of Muster.');
  const [revision, place, mark, isReplica, behindSeconds] = row;
  return { revision, place, mark, isReplica, behindSeconds: Math.max(0, Math.round(behindSeconds ?? 0)) };
}

function has({ revision, mark }: State, needed: State): boolean {
  return revision >= needed.revision && mark === needed.mark;
}

/** Reads hosts from a replica while it is not older than the caller, and from the primary otherwise. */
export function postgresqlReplica(
  primary: Sql,
  copy: Pick<Database, 'snapshot' | 'settings'>,
  logger: Logger,
): Replica {
  let restsUntil = 0;
  let trouble: { readonly since: number; readonly isTold: boolean } | undefined;

  /** Works on one state of the replica, which has been compared. An answer that takes too long is not waited for. */
  async function onCopy<T>(needed: State, work: (sql: Sql, state: State) => Promise<T>): Promise<T> {
    const answer = copy.snapshot(async (sql) => {
      const state = await stateOf(sql, needed.place);
      if (!state.isReplica) throw unavailable('It is not a replica: it takes writes of its own.');
      return work(sql, state);
    });
    const { signal } = new AbortController();
    return within(answer, { signal, seconds: copy.settings.statementMs / 1000, message: 'It takes too long.' });
  }

  /** `undefined`: the primary is to be read. */
  async function fromCopy(needed: State, page: PageRequest) {
    try {
      const found = await onCopy(needed, async (sql, state) =>
        has(state, needed) ? { revision: state.revision, hosts: await readPage(sql, page) } : undefined,
      );
      if (found === undefined) noteTrouble();
      else noteUse();
      return found;
    } catch (error) {
      noteTrouble(error);
      return undefined;
    }
  }

  /** `error` is absent if the replica is behind. */
  function noteTrouble(error?: unknown): void {
    const now = Date.now();
    const { since, isTold } = trouble ?? { since: now, isTold: false };
    if (error !== undefined) restsUntil = now + REST_MS;
    const isWorthTelling = error !== undefined || now - since >= BEHIND_MS;
    trouble = { since, isTold: isTold || isWorthTelling };
    if (!isWorthTelling || isTold) return;
    const reason = error === undefined ? 'it is behind' : reasonOf(error);
    logger.warn('The replica of the database is not read', { reason });
  }

  function noteUse(): void {
    if (trouble?.isTold === true) logger.info('The replica of the database is read again');
    trouble = undefined;
  }

  function reasonOf(error: unknown): string {
    return ofReplica(toAppError(error, copy.settings.server)).message;
  }

  return {
    scan(...request) {
      let needed: State | undefined;
      let isRead = Date.now() >= restsUntil;
      const read = async (page: PageRequest): Promise<HostRecord[]> => {
        if (!isRead) return readPage(primary, page);
        needed ??= await stateOf(primary);
        const found = await fromCopy(needed, page);
        isRead = found !== undefined;
        if (found === undefined) return readPage(primary, page);
        // Several replicas may be behind one address, and a reading never goes back in time.
        needed = { ...needed, revision: found.revision };
        return found.hosts;
      };
      return scanHosts(read, ...request);
    },

    async state() {
      try {
        const needed = await stateOf(primary);
        return await onCopy(needed, async (_, state) => ({
          behindSeconds: has(state, needed) ? 0 : state.behindSeconds,
        }));
      } catch (error) {
        return { fault: reasonOf(error) };
      }
    },
  };
}
