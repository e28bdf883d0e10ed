/** The work of one round of maintenance, by the member of its answer. */
const DONE = {
  stale: 'hosts archived as stale',
  purged: 'archived hosts permanently deleted',
  changes: 'changes of hosts pruned',
  versions: 'versions of rules pruned',
  logs: 'log entries pruned',
  audit: 'audit entries pruned',
} as const;

interface Row {
  readonly what: string;
  readonly count: number;
}

/** The work that maintenance did, for people; ended sessions are not listed, as no user misses them. */
export function maintenanceRows(
  counts: Readonly<Record<keyof typeof DONE, number>> & { readonly by_features: readonly Row[] },
): readonly Row[] {
  const rows = Object.entries(DONE).map(([name, what]) => ({ what, count: counts[name as keyof typeof DONE] }));
  return [...rows, ...counts.by_features];
}
