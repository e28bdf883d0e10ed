import type { TargetRecord, WantedObject } from '../../../ports/index.ts';
import { decidedEntries, decidedObject } from '../rule-types/decided.ts';
import type { NetBoxRuleId } from '../rule-types/table.ts';
import type { TargetOptions } from './options.ts';
import { type Ownership, wantCluster, wantContact, wantDevice, wantVm } from './want-machines.ts';
import { type InterfaceSettings, wantAddresses, wantInterface, wantPrefixes } from './want-networks.ts';
import { Wishes } from './wishes.ts';

export interface WantingSettings {
  readonly options: Pick<TargetOptions, 'create_references' | 'interface_addresses' | 'export_object_types'>;
  readonly ownership: Ownership | undefined;
  readonly interfaceTypes: InterfaceSettings['types'];
  isExported(kind: string): boolean;
}

/** What a record is to be in NetBox, as its rules decided. */
export function wantedOf(
  { hostname, objectType, isObject, outcomes }: TargetRecord,
  { options, ownership, interfaceTypes, isExported }: WantingSettings,
): readonly WantedObject[] {
  const types = options.export_object_types;
  if (types.length === 0 ? isObject : !types.includes(objectType)) return [];
  const wishes = new Wishes({ makesReferences: options.create_references });
  const one = (id: NetBoxRuleId) => {
    const decided = decidedObject(outcomes[id]);
    return decided === undefined || decided.isIgnored ? undefined : decided;
  };
  const many = (id: NetBoxRuleId) => decidedEntries(outcomes[id]);
  const settings = { withAddresses: options.interface_addresses, types: interfaceTypes };

  // What rules of addresses say of one counts before what rules of interfaces say.
  for (const entry of many('netbox_ips')) wantAddresses(wishes, hostname, entry);
  for (const entry of many('netbox_dcim_interfaces'))
    wantInterface(wishes, { kind: 'device', hostname }, entry, settings);
  for (const entry of many('netbox_virtual_interfaces'))
    wantInterface(wishes, { kind: 'vm', hostname }, entry, settings);
  const cluster = one('netbox_cluster');
  if (cluster !== undefined) wantCluster(wishes, cluster);
  const device = one('netbox_devices');
  if (device !== undefined) wantDevice(wishes, hostname, device, ownership);
  const vm = one('netbox_vms');
  if (vm !== undefined) wantVm(wishes, hostname, vm, ownership);
  for (const entry of many('netbox_prefixes')) wantPrefixes(wishes, entry);
  const contact = one('netbox_contacts');
  if (contact !== undefined) wantContact(wishes, contact);
  return wishes.all(isExported);
}
