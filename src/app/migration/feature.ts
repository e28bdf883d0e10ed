import { feature } from '../catalogue/declared-feature.ts';

/** Moving an existing installation in: what its export means here, and what differs. */
export const migration = feature({ id: 'migration' });
