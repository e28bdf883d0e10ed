import { feature } from '../catalogue/declared-feature.ts';

/** Accounts from ready-made settings. */
export const presets = feature({ id: 'presets' });
