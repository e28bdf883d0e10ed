import { feature } from '../catalogue/declared-feature.ts';

/** Inventories as they were at an earlier time, and since when values are as they are. */
export const earlierTimes = feature({ id: 'earlier-times' });
