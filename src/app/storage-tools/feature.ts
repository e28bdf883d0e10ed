import { feature } from '../catalogue/declared-feature.ts';
import type { UpkeepParts } from '../maintenance/upkeep-parts.ts';

/** Checks of a store, and copies of it into another one. */
export const storageTools = feature<UpkeepParts>({
  id: 'storage-tools',
  checks: [async (context, hasStorage) => (await import('./check-limits.ts')).limitFindings(context, hasStorage)],
});
