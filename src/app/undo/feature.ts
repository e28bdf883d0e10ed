import { feature } from '../catalogue/declared-feature.ts';

/** Undoes the changes of an import. */
export const undo = feature({ id: 'undo' });
