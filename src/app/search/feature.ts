import { feature } from '../catalogue/declared-feature.ts';

/** Queries for hosts, saved ones, and what is doubtful about hosts. */
export const search = feature({ id: 'search' });
