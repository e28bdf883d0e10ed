/**
 * Import metadata that the service keeps for a host, as attributes. The times change with every import even if the host does not:
 * they are therefore available to rules that name them, and no inventory shows them except through a filter that does.
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
