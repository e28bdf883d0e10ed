import { feature } from '../catalogue/declared-feature.ts';

/** Relations of hosts, shown and changed by hand. */
export const relations = feature({ id: 'relations' });
