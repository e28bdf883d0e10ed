import type { LogRow } from '../rows.ts';
import type { WriteContext } from './context.ts';

/** Logs, history's end and last uses: written, never changed. */

export function appendLog({ connection }: WriteContext, entry: LogRow): void {
  connection.run(
    'INSERT INTO log_entries (id, at, source, has_error, message, details, wording) VALUES (?, ?, ?, ?, ?, ?, ?)',
    entry.id,
    entry.at,
    entry.source,
    entry.hasError,
    entry.message,
    entry.details,
    entry.wording,
  );
}

export function pruneLogs({ connection }: WriteContext, before: number): number {
  return connection.run(
    `DELETE FROM log_entries AS old WHERE at < ? AND id <> (SELECT id FROM log_entries new
     WHERE new.source = old.source ORDER BY at DESC, id DESC LIMIT 1)`,
    before,
  );
}

export function pruneHistory({ connection, changes }: WriteContext, before: number): number {
  // Changes of earlier jobs are written first, so that they are pruned with the rest; numbers that become free are not given
  // again.
  changes.nextChange(connection);
  changes.flush(connection);
  connection.run(
    'UPDATE host_feed_state SET pruned = max(pruned, (SELECT coalesce(max(place), 0) FROM host_feed WHERE at < ?))',
    before,
  );
  connection.run('DELETE FROM host_feed WHERE place <= (SELECT pruned FROM host_feed_state)');
  return connection.run('DELETE FROM host_changes WHERE at < ?', before);
}

export function recordTokenUse(
  { connection }: WriteContext,
  uses: readonly { readonly tokenId: string; readonly at: number }[],
): void {
  for (const use of uses) {
    connection.run(
      'INSERT INTO token_uses (token_id, at) VALUES (?, ?) ON CONFLICT (token_id) DO UPDATE SET at = max(at, excluded.at)',
      use.tokenId,
      use.at,
    );
  }
}

export interface UseOnceMessage {
  readonly key: string;
  readonly now: number;
  readonly until: number;
}

export function useOnce({ connection }: WriteContext, { key, now, until }: UseOnceMessage): boolean {
  connection.run('DELETE FROM used_once WHERE until < ?', now);
  return connection.run('INSERT INTO used_once (key, until) VALUES (?, ?) ON CONFLICT DO NOTHING', key, until) === 1;
}
