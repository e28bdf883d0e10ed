import type { SourcePart } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';

/** The parts of a NetBox that can be read separately. */
export type PartId = keyof typeof ENDPOINTS;
/** Parts that are hosts. */
export type HostPart = 'devices' | 'vms';
/** Parts that are objects. */
export type ObjectPart = Exclude<PartId, HostPart>;

export const PART_IDS = Object.keys(ENDPOINTS) as readonly PartId[];

export const PARTS: readonly SourcePart[] = PART_IDS.map((id) => ({ id, title: ENDPOINTS[id].title }));

export function isHostPart(part: PartId): part is HostPart {
  return part === 'devices' || part === 'vms';
}
