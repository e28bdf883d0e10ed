import { AppError } from '../../../../ports/index.ts';
import type { SessionRow } from '../rows.ts';
import type { WriteContext } from './context.ts';

/** Sessions of the admin interface. */

export function beginSession({ connection }: WriteContext, session: SessionRow): void {
  const written = connection.run(
    `INSERT INTO sessions (id, user_id, credential, begun_at, seen_at, address, client,
       method, subject, provider_session, kept, vouched_at, asked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    session.id,
    session.userId,
    session.credential,
    session.begunAt,
    session.seenAt,
    session.address,
    session.client,
    session.method,
    session.subject,
    session.providerSession,
    session.kept,
    session.vouchedAt,
    session.askedAt,
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

export function askOfSession(
  { connection }: WriteContext,
  { id, notSince, at }: { readonly id: string; readonly notSince: number; readonly at: number },
): boolean {
  const sql = 'UPDATE sessions SET asked_at = ? WHERE id = ? AND method IS NOT NULL AND asked_at <= ?';
  return connection.run(sql, at, id, notSince) === 1;
}

export function confirmSession(
  { connection }: WriteContext,
  { id, at, kept }: { readonly id: string; readonly at: number; readonly kept: string },
): void {
  connection.run('UPDATE sessions SET vouched_at = ?, kept = ? WHERE id = ? AND method IS NOT NULL', at, kept, id);
}

export function endSessionsOfLogin(
  { connection }: WriteContext,
  login: { readonly method: string; readonly subject: string | null; readonly session: string | null },
): number {
  return connection.run(
    'DELETE FROM sessions WHERE method = ? AND coalesce(subject = ?, 1) AND coalesce(provider_session = ?, 1)',
    login.method,
    login.subject,
    login.session,
  );
}

export function confirmUser(
  { connection }: WriteContext,
  { userId, at }: { readonly userId: string; readonly at: number },
): void {
  connection.run(
    'INSERT INTO sign_ins (user_id, at) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET at = max(at, excluded.at)',
    userId,
    at,
  );
}

export function withdrawSignIn({ connection }: WriteContext, userId: string): boolean {
  return connection.run('DELETE FROM sign_ins WHERE user_id = ?', userId) === 1;
}

export function pruneSessions(
  { connection }: WriteContext,
  { seenBefore, begunBefore }: { readonly seenBefore: number; readonly begunBefore: number },
): number {
  return connection.run('DELETE FROM sessions WHERE seen_at < ? OR begun_at < ?', seenBefore, begunBefore);
}
