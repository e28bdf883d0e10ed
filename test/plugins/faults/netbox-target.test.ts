import type { JsonObject } from '../../../src/ports/index.ts';
import { type HttpTargetHarness, httpTargetFaults } from '../../../src/testing/http-target-faults.ts';
import { describeTargetFaults } from '../../../src/testing/target-faults.contract.ts';
import { StatefulNetBox } from '../netbox/stateful-netbox.ts';
import { mongodb, THOROUGH } from './registry-system.ts';

const PATHS: Readonly<Record<string, string>> = {
  manufacturer: 'dcim/manufacturers/',
  device_type: 'dcim/device-types/',
  device_role: 'dcim/device-roles/',
  site: 'dcim/sites/',
  device: 'dcim/devices/',
  interface: 'dcim/interfaces/',
  ip: 'ipam/ip-addresses/',
};

const rule = (name: string, outcomes: Readonly<Record<string, string>>): JsonObject => ({
  name,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: Object.entries(outcomes).map(([action, param]) => ({ action, param })),
});

/** Three digits each, so that none is the beginning of another one. */
function addressOf(n: number): string {
  return `10.${100 + (Math.floor(n / 10_000) % 100)}.${100 + (Math.floor(n / 100) % 100)}.${100 + (n % 100)}`;
}

const harnessOf = (version: string): HttpTargetHarness => ({
  type: 'netbox',
  // Three objects of each: several calls of a hundred for every kind. How long twenty thousand take is measured by `npm run bench -- netbox`.
  many: 400,
  refusal: { status: 400, body: '{"address":["is not taken"]}' },
  rules: {
    netbox_devices: [
      rule('devices', {
        device_type: 'R640',
        'device_type.manufacturer': 'Dell',
        role: 'Server',
        site: '{{ site }}',
        serial: '{{ serial }}',
      }),
    ],
    netbox_dcim_interfaces: [rule('interfaces', { name: 'eth0', type: '1000base-t', description: '{{ note }}' })],
    netbox_ips: [
      rule('addresses', {
        addresses: '{{ ip }}/24',
        assigned_object_type: 'dcim.interface',
        assigned_object_id: 'eth0',
        description: '{{ note }}',
      }),
    ],
  },
  labels: (n, variant) => ({ site: `s${n % 3}`, serial: `${variant}-${n}`, ip: addressOf(n), note: `note ${variant}` }),
  wanted: (hostname, { site, serial, ip, note }) => [
    { kind: 'manufacturer', key: 'dell' },
    { kind: 'device_type', key: 'dell/r640' },
    { kind: 'device_role', key: 'server' },
    { kind: 'site', key: String(site) },
    { kind: 'device', key: hostname, fields: { serial: serial ?? null, site: site ?? null } },
    { kind: 'interface', key: `${hostname}/eth0`, fields: { description: note ?? null } },
    { kind: 'ip', key: String(ip), fields: { address: `${ip}/24`, description: note ?? null, on: hostname } },
  ],
  kindOf: ({ path }) => Object.entries(PATHS).find(([, known]) => path.includes(known))?.[0],
  async create() {
    const netbox = await new StatefulNetBox(version).start();
    const shown = (kind: string) =>
      netbox.all(PATHS[kind] ?? '').map((object) => [object, netbox.shown(PATHS[kind] ?? '', object)] as const);
    const named = (value: unknown): string =>
      String((value as { readonly name?: string } | null)?.name ?? '').toLowerCase();
    const keyOf = (kind: string, object: JsonObject): string => {
      if (kind === 'device_type') return `${named(object.manufacturer)}/${String(object.model).toLowerCase()}`;
      if (kind === 'interface') return `${named(object.device)}/${object.name}`;
      return kind === 'ip' ? (String(object.address).split('/')[0] ?? '') : named(object);
    };
    const find = (kind: string, key: string) => {
      const found = shown(kind).find(([, object]) => keyOf(kind, object) === key)?.[0];
      if (found === undefined) throw new Error(`there is no ${kind} ${key}`);
      return found;
    };
    return {
      address: netbox.address,
      account: (url) => ({ settings: { url, removed: 'delete', parts: 'devices' }, password: netbox.token }),
      async objects() {
        return Object.keys(PATHS).flatMap((kind) =>
          shown(kind).map(([stored, object]) => {
            const on = named((object.assigned_object as JsonObject | null | undefined)?.device);
            const fields = { ...object, ...(kind === 'device' ? { site: named(object.site) } : {}), on };
            return { kind, key: keyOf(kind, object), fields, text: JSON.stringify(stored) };
          }),
        );
      },
      async putForeign(_kind, key) {
        netbox.put('ipam/ip-addresses/', { address: `${key}/24` });
      },
      async change(kind, key) {
        Object.assign(find(kind, key), { description: 'by hand' });
      },
      async remove(kind, key) {
        netbox.remove(PATHS[kind] ?? '', find(kind, key).id);
      },
      close: () => netbox.stop(),
    };
  },
});

const harness = harnessOf('4.7.3');
describeTargetFaults('netbox over SQLite', httpTargetFaults(harness));
describeTargetFaults('netbox over MongoDB', httpTargetFaults({ ...harness, database: mongodb }));
if (THOROUGH) describeTargetFaults('netbox 4.2.9', httpTargetFaults(harnessOf('4.2.9')));
