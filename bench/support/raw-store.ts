import Database from 'better-sqlite3';

/** Hosts on the bare driver: one table of the same content, one transaction for everything. What the product is measured against. */
export class RawStore {
  readonly database: Database.Database;

  constructor(path: string) {
    this.database = new Database(path);
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = FULL');
    this.database.exec(`CREATE TABLE IF NOT EXISTS hosts (hostname TEXT PRIMARY KEY, account_id TEXT NOT NULL,
      labels TEXT NOT NULL, inventory TEXT NOT NULL DEFAULT '{}', created_at INTEGER NOT NULL, last_seen INTEGER NOT NULL,
      last_update INTEGER NOT NULL)`);
  }

  /** Creates or updates; a host with the same labels is only marked as seen. */
  save(hosts: Iterable<{ readonly hostname: string; readonly labels: object }>): void {
    const upsert =
      this.database.prepare(`INSERT INTO hosts (hostname, account_id, labels, created_at, last_seen, last_update)
      VALUES (?, 'a', ?, ?, ?, ?) ON CONFLICT (hostname) DO UPDATE SET last_seen = excluded.last_seen,
      last_update = CASE WHEN labels = excluded.labels THEN last_update ELSE excluded.last_update END,
      labels = excluded.labels`);
    const now = Date.now();
    this.database.transaction(() => {
      for (const { hostname, labels } of hosts) upsert.run(hostname, JSON.stringify(labels), now, now, now);
    })();
  }
}
