import { feature } from '../catalogue/declared-feature.ts';

/** Problems that somebody knows of, kept off the overview for a while. */
export const snoozes = feature({ id: 'snoozes' });
