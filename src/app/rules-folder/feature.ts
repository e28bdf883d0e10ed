import { feature } from '../catalogue/declared-feature.ts';

/** Rules and accounts in a folder of files, compared and applied. */
export const rulesFolder = feature({ id: 'rules-folder' });
