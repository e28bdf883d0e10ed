import type { TargetPart } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import type { KindId } from './kinds.ts';

export const PART_IDS = [
  'devices',
  'vms',
  'clusters',
  'interfaces',
  'vm_interfaces',
  'ips',
  'prefixes',
  'contacts',
] as const;

export type PartId = (typeof PART_IDS)[number];

interface NetBoxPart extends TargetPart {
  readonly id: PartId;
  readonly kinds: readonly KindId[];
  /** Kinds that its objects refer to, or that are looked up by them. */
  readonly refersTo: readonly KindId[];
}

const REFERENCES = ['custom_field', 'manufacturer', 'site', 'device_role', 'platform', 'tenant'] as const;

/** Parts that can be exported separately. */
export const PARTS: readonly NetBoxPart[] = [
  {
    id: 'devices',
    title: ENDPOINTS.devices.title,
    kinds: [...REFERENCES, 'device_type', 'location', 'rack', 'device', 'device_primary'],
    refersTo: ['ip'],
  },
  {
    id: 'vms',
    title: ENDPOINTS.vms.title,
    kinds: [...REFERENCES, 'vm', 'vm_primary'],
    refersTo: ['cluster', 'ip'],
  },
  { id: 'clusters', title: ENDPOINTS.clusters.title, kinds: ['site', 'cluster_type', 'cluster'], refersTo: [] },
  { id: 'interfaces', title: ENDPOINTS.interfaces.title, kinds: ['interface'], refersTo: ['device'] },
  { id: 'vm_interfaces', title: ENDPOINTS.vm_interfaces.title, kinds: ['vm_interface'], refersTo: ['vm'] },
  {
    id: 'ips',
    title: ENDPOINTS.ips.title,
    kinds: ['vrf', 'ip'],
    refersTo: ['interface', 'vm_interface', 'device', 'vm'],
  },
  { id: 'prefixes', title: ENDPOINTS.prefixes.title, kinds: ['prefix'], refersTo: [] },
  { id: 'contacts', title: ENDPOINTS.contacts.title, kinds: ['contact_group', 'contact'], refersTo: [] },
];

/** Returns the kinds of some parts; of all parts if none is named. */
export function kindsOfParts(ids: readonly PartId[], which: 'kinds' | 'read'): ReadonlySet<KindId> {
  const parts = ids.length === 0 ? PARTS : PARTS.filter(({ id }) => ids.includes(id));
  return new Set(parts.flatMap(({ kinds, refersTo }) => (which === 'kinds' ? kinds : [...kinds, ...refersTo])));
}
