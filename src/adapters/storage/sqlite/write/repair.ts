import { TRUE_ACCOUNTS, TRUE_SEEN } from '../true-counters.ts';
import type { WriteContext } from './context.ts';

/** Counts everything again. No user data can be lost by it. */
export function repairCounters({ connection, changes }: WriteContext, _: null): void {
  changes.flush(connection);
  connection.run('DELETE FROM account_counters');
  connection.run(
    `INSERT INTO account_counters (account_id, hosts, objects, archived_hosts, archived_objects) ${TRUE_ACCOUNTS}`,
  );
  connection.run('DELETE FROM seen_counts');
  connection.run(`INSERT INTO seen_counts (account_id, unit, at, hosts) ${TRUE_SEEN}`);
  connection.run('DELETE FROM host_ranges');
  connection.run(
    `INSERT INTO host_ranges (first, hosts)
     SELECT CASE WHEN range = 0 THEN '' ELSE min(hostname) END, count(*) FROM
     (SELECT hostname, (row_number() OVER (ORDER BY hostname) - 1) / 4096 AS range
      FROM hosts INDEXED BY hosts_active WHERE archived_at IS NULL AND is_object = 0) GROUP BY range`,
  );
}
