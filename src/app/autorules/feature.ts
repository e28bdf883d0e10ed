import { feature } from '../catalogue/declared-feature.ts';

/** Autorules: rules that make rules of what hosts have. */
export const autorules = feature({ id: 'autorules' });
