import { feature } from '../catalogue/declared-feature.ts';

/** Why a host has its values. */
export const explain = feature({ id: 'explain' });
