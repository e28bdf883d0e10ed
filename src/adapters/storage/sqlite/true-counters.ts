/** The correct values of the counters, counted from the hosts themselves. */

export const TRUE_ACCOUNTS = `SELECT coalesce(account_id, '') AS account_id,
  sum(archived_at IS NULL AND is_object = 0) AS hosts, sum(archived_at IS NULL AND is_object = 1) AS objects,
  sum(archived_at IS NOT NULL AND is_object = 0) AS archived_hosts,
  sum(archived_at IS NOT NULL AND is_object = 1) AS archived_objects FROM hosts GROUP BY 1`;

const SEEN = `FROM hosts h JOIN host_marks m ON m.id = h.id WHERE h.archived_at IS NULL AND h.is_object = 0 GROUP BY 1, 3`;

export const TRUE_SEEN = `SELECT coalesce(h.account_id, '') AS account_id, 0 AS unit,
  coalesce(m.last_seen, h.created_at) AS at, count(*) AS hosts ${SEEN}
  UNION ALL SELECT coalesce(h.account_id, ''), 1, coalesce(m.last_seen, h.created_at) / 3600000 * 3600000, count(*) ${SEEN}`;
