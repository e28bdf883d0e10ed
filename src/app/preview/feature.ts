import { feature } from '../catalogue/declared-feature.ts';

/** Tests of accounts and rules before they are stored, and their impact. */
export const preview = feature({ id: 'preview' });
