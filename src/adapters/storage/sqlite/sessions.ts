import type { SessionStore } from '../../../ports/index.ts';
import type { Connection } from './connection.ts';
import { fromSession, SESSION_COLUMNS, type SessionRow, toSession } from './rows.ts';
import type { WriterClient } from './writer-client.ts';

export function sqliteSessions(read: () => Connection, writer: () => WriterClient): SessionStore {
  return {
    async begin(session) {
      await writer().call('beginSession', fromSession(session));
    },
    async find(id) {
      const row = read().get<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ?`, id);
      return row === undefined ? undefined : toSession(row);
    },
    async seen(id, at) {
      await writer().call('seeSession', { id, at: at.getTime() });
    },
    countFailure: async (id) => writer().call('countSessionFailure', id),
    async ofUser(userId) {
      return read()
        .all<SessionRow>(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE user_id = ? ORDER BY seen_at DESC, id`, userId)
        .map(toSession);
    },
    end: async (id) => writer().call('endSession', id),
    endOfUser: async (userId, except) => writer().call('endSessionsOfUser', { userId, except: except ?? '' }),
    ask: async (id, { notSince, at }) =>
      writer().call('askOfSession', { id, notSince: notSince.getTime(), at: at.getTime() }),
    async vouch(id, { at, kept }) {
      await writer().call('confirmSession', { id, at: at.getTime(), kept });
    },
    async endOfLogin({ method, subject, session }) {
      if (subject === undefined && session === undefined) return 0;
      return writer().call('endSessionsOfLogin', { method, subject: subject ?? null, session: session ?? null });
    },
    prune: async ({ seenBefore, begunBefore }) =>
      writer().call('pruneSessions', { seenBefore: seenBefore.getTime(), begunBefore: begunBefore.getTime() }),
  };
}
