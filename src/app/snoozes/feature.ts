import { feature } from '../catalogue/declared-feature.ts';

/** Known problems, kept off the overview for a while. */
export const snoozes = feature({ id: 'snoozes' });
