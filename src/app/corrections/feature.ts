import { feature } from '../catalogue/declared-feature.ts';

/** Values of imported hosts, corrected in a rule while their sources stay as they are. */
export const corrections = feature({ id: 'corrections' });
