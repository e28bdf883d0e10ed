import { AppError } from '../../../../ports/index.ts';
import type { SessionRow } from '../rows.ts';
import type { WriteContext } from './context.ts';

/** Sessions of the admin interface. */

export function beginSession({ connection }: WriteContext, session: SessionRow): void {
  const written = connection.run(
    `INSERT INTO sessions (id, user_id, credential, begun_at, seen_at, address, client) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    session.id,
    session.userId,
    session.credential,
    session.begunAt,
    session.seenAt,
    session.address,
    session.client,
  );
  if (written === 0) throw new AppError('conflict', 'there is a session of that id already');
}

export function seeSession(
  { connection }: WriteContext,
  { id, at }: { readonly id: string; readonly at: number },
): void {
  connection.run('UPDATE sessions SET seen_at = ? WHERE id = ? AND seen_at < ?', at, id, at);
}

export function countSessionFailure({ connection }: WriteContext, id: string): number {
  const sql = 'UPDATE sessions SET failures = failures + 1 WHERE id = ? RETURNING failures';
  return connection.getRaw<[number]>(sql, id)?.[0] ?? 0;
}

export function endSession({ connection }: WriteContext, id: string): boolean {
  return connection.run('DELETE FROM sessions WHERE id = ?', id) === 1;
}

export function endSessionsOfUser(
  { connection }: WriteContext,
  { userId, except }: { readonly userId: string; readonly except: string },
): number {
  return connection.run('DELETE FROM sessions WHERE user_id = ? AND id <> ?', userId, except);
}

export function pruneSessions(
  { connection }: WriteContext,
  { seenBefore, begunBefore }: { readonly seenBefore: number; readonly begunBefore: number },
): number {
  return connection.run('DELETE FROM sessions WHERE seen_at < ? OR begun_at < ?', seenBefore, begunBefore);
}
