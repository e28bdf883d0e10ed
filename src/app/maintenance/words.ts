/** What one round of maintenance did, by what it answers. */
const DONE = {
  stale: 'hosts archived as stale',
  purged: 'archived hosts permanently deleted',
  changes: 'changes of hosts pruned',
  versions: 'versions of rules pruned',
  logs: 'log entries pruned',
  audit: 'audit entries pruned',
  playbook_runs: 'runs of playbooks pruned',
  plans: 'plans of exports pruned',
  notifications: 'notifications pruned',
} as const;

type Done = keyof typeof DONE;

/** What maintenance did, for people; sessions that were over are nobody's loss and are not told. */
export function maintenanceRows(
  counts: Readonly<Record<Done, number>>,
): readonly { readonly what: string; readonly count: number }[] {
  return Object.entries(DONE).map(([name, what]) => ({ what, count: counts[name as Done] }));
}
