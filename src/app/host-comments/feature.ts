import { feature } from '../catalogue/declared-feature.ts';

/** Comments of people on hosts. No inventory and no export has them. */
export const hostComments = feature({ id: 'host-comments' });
