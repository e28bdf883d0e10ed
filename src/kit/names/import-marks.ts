/**
 * What the service itself knows of a host's imports, as attributes. The times move with every import though nothing of the host
 * changes: so they are there for rules that name them, and no inventory shows them but by a filter that does.
 */
export const IMPORT_MARKS = {
  account: 'syncer_account',
  seen: 'syncer_last_seen',
  synced: 'syncer_last_sync',
} as const;

const NAMES: ReadonlySet<string> = new Set(Object.values(IMPORT_MARKS));

export function isImportMark(name: string): boolean {
  return NAMES.has(name);
}
