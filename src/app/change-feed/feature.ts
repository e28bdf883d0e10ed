import { feature } from '../catalogue/declared-feature.ts';

/** The changes of hosts one after the other, for programs that follow them. */
export const changeFeed = feature({ id: 'change-feed' });
