import { feature } from '../catalogue/declared-feature.ts';

/** Checks of a store, and copies of it into another one. */
export const storageTools = feature({
  id: 'storage-tools',
  checks: [async (context, hasStorage) => (await import('./check-limits.ts')).limitFindings(context, hasStorage)],
});
