import { isJsonObject } from '../../kit/json/json-object.ts';
import { isList, valuesAt } from '../../kit/records/record-path.ts';
import type { JsonObject, JsonValue, SectionFill, SourcePart } from '../../ports/index.ts';
import type { AccountOptions } from './options.ts';

/** A part that can be read separately, of a system with a single type of accounts, as jobs of existing installations do. */
export interface SystemPart extends SourcePart {
  readonly preset: string;
  /** Options before those of the preset. */
  readonly options?: Partial<AccountOptions>;
  /** How hosts that exist are filled instead: options before those, and what a record fills. */
  readonly inventory?: {
    readonly options: Partial<AccountOptions>;
    fills(record: JsonObject): SectionFill;
  };
  /** Only fills sections, with records of the tables that options of the account name. */
  readonly isRelated?: true;
}

export const SERVICENOW_PARTS: readonly SystemPart[] = [
  { id: 'hosts', title: 'records that become hosts', preset: 'servicenow' },
  { id: 'related', title: 'records of further tables, for sections of hosts', preset: 'servicenow', isRelated: true },
];

export const JDISC_PARTS: readonly SystemPart[] = [
  { id: 'devices', title: 'devices', preset: 'jdisc' },
  software({ id: 'applications', title: 'installed applications', list: 'operatingSystem.installedApplications' }),
  software({
    id: 'executables',
    title: 'installed executable files',
    list: 'operatingSystem.installedExecutableFiles',
  }),
];

/** Objects of their own, or a list in a section of the device. */
function software({
  id,
  title,
  list,
}: {
  readonly id: string;
  readonly title: string;
  readonly list: string;
}): SystemPart {
  return {
    id,
    title,
    preset: `jdisc-${id}`,
    // Otherwise, runs of the devices would remove edges that they do not name.
    options: { relation_fields: [] },
    inventory: {
      options: {
        data_key: 'data.devices.findAll',
        hostname_field: 'name',
        name_template: '',
        outer_fields: [],
        relation_fields: [],
        record_type: 'host',
        key_fields: ['id'],
      },
      fills: (device) => ({ suffix: id, content: { list: listAt(device, list) } }),
    },
  };
}

/** Members of an interface that existing installations keep. */
const INTERFACE_MEMBERS = [
  'portName',
  'status',
  'adminStatus',
  'description',
  'mtu',
  'name',
  'interfaceType',
  'macAddress',
  'speed',
  'duplex',
  'portMode',
  'vlanId',
];

const INTERFACES: Partial<AccountOptions> = {
  join: JSON.stringify([
    { path: 'dna/intent/api/v1/interface/network-device/{id}', data_key: 'response', as: 'interfaces' },
  ]),
};

export const CISCO_DNA_PARTS: readonly SystemPart[] = [
  { id: 'devices', title: 'network devices', preset: 'cisco-dna' },
  {
    id: 'interfaces',
    title: 'interfaces of network devices',
    preset: 'cisco-dna',
    // The section that existing installations use.
    section: 'cisco_dnainterface_',
    options: INTERFACES,
    inventory: { options: {}, fills: (device) => ({ content: interfaceMembers(listAt(device, 'interfaces')) }) },
  },
];

/** Returns the members of each interface, named after its id. */
function interfaceMembers(interfaces: readonly JsonValue[]): JsonObject {
  return Object.fromEntries(
    interfaces
      .filter(isJsonObject)
      .flatMap((one) =>
        INTERFACE_MEMBERS.map((member): [string, JsonValue] => [`${one.id}_${member}`, one[member] ?? null]),
      ),
  );
}

function listAt(record: JsonObject, path: string): readonly JsonValue[] {
  const [found] = valuesAt(record, path) ?? [];
  return found !== undefined && isList(found) ? found : [];
}
