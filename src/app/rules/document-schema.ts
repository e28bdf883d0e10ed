import type { JsonObject } from '../../ports/index.ts';
import { openObject } from '../kernel/open-object.ts';

export const documentSchema = openObject<JsonObject>('A rule document, as stored', {});
