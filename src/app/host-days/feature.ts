import { feature } from '../catalogue/declared-feature.ts';

/** How many hosts there were, day by day. */
export const hostDays = feature({ id: 'host-days' });
