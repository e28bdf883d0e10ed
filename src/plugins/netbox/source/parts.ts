import type { SourcePart } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';

/** What can be read of a NetBox by itself. */
export type PartId = 'devices' | 'vms';

export const PART_IDS: readonly PartId[] = ['devices', 'vms'];

export const PARTS: readonly SourcePart[] = PART_IDS.map((id) => ({ id, title: ENDPOINTS[id].title }));
