import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue, SourceItem, SourceRecord, SourceRelation } from '../../../ports/index.ts';
import { labelsOf, type References } from './labels.ts';
import { type HostNames, nativeName } from './names.ts';
import type { HostPart } from './parts.ts';
import { masterOf } from './virtual-chassis.ts';

export interface HostMapping {
  readonly part: HostPart;
  readonly names: HostNames;
  readonly references: References;
  readonly relations: boolean;
  /** Only the master of a virtual chassis is a host. */
  readonly mastersOnly: boolean;
}

/** Members that describe the NetBox record, not the device. */
const NO_LABELS: ReadonlySet<string> = new Set(['created', 'last_updated']);

/** Devices and virtual machines are numbered each by themselves. */
function keysOf({ id, serial }: JsonObject, part: HostMapping['part']): NonNullable<SourceRecord['keys']> {
  const own = { id: [`${part}/${String(id)}`] };
  return typeof serial === 'string' && serial.trim() !== '' ? { ...own, serial: [serial] } : own;
}

const CALLED = { devices: 'device', vms: 'virtual machine' } as const;

/** The host of a device or virtual machine; `undefined` for one that the account leaves out. */
export function hostItem(object: JsonObject, mapping: HostMapping): SourceItem | undefined {
  const { part, names, references, relations } = mapping;
  if (mapping.mastersOnly && masterOf(object)?.isOther === true) return undefined;
  const position = `${CALLED[part]} ${String(object.id)}`;
  const named = names.of(object);
  const keys = keysOf(object, part);
  if ('reason' in named) return { kind: 'skipped', position: described(object, position), keys, reason: named.reason };
  const record = {
    kind: 'record',
    position,
    hostname: named.name,
    type: 'host',
    part,
    labels: labelsOf(object, references, NO_LABELS),
    keys,
  } as const;
  return relations ? { ...record, relations: relationsOf(object, named.name, names) } : record;
}

/** Returns the facts that help people find a device without a name. */
function described(
  { serial, asset_tag, device_type, site, rack, position: unit }: JsonObject,
  position: string,
): string {
  const facts = [
    labelled('', member(device_type, 'model')),
    labelled('at ', member(site, 'name')),
    labelled('rack ', member(rack, 'name')),
    labelled('unit ', unit),
    labelled('serial ', serial),
    labelled('asset tag ', asset_tag),
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? position : `${position} (${facts.join(', ')})`;
}

function labelled(word: string, value: JsonValue | undefined): string {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? `${word}${value}` : '';
}

function relationsOf(object: JsonObject, hostname: string, names: HostNames): readonly SourceRelation[] {
  const found: SourceRelation[] = [];
  const add = (type: string, target: JsonValue | undefined): void => {
    const name = isJsonObject(target) ? names.ofDevice(target) : undefined;
    if (name !== undefined && name !== hostname) found.push({ type, target: name });
  };
  add('runs_on', object.device);
  add('member_of', masterOf(object)?.master);
  if (isJsonObject(object.cluster)) {
    const cluster = nativeName(object.cluster);
    if (cluster !== undefined) found.push({ type: 'member_of', target: cluster });
  }
  return found;
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
