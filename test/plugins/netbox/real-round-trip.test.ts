import { expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { makeStoredPlan } from '../../../src/app/exports/plans/operations/make-plan.ts';
import { listHosts } from '../../../src/app/hosts/operations/list-hosts.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import type { JsonObject, JsonValue } from '../../../src/ports/index.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { netbox as recipe } from '../../servers/netbox.ts';
import { describeServer } from '../../servers/servers.ts';
import { DEMO_CLUSTER_TYPE, loadDemoData } from './demo-data.ts';
import { addNetBox, everyHost, RealNetBox } from './real-netbox.ts';

/** Devices have a type, and virtual machines none. */
function having(tag: string, rule: JsonObject): JsonObject {
  const condition = { match_type: 'tag', tag, tag_match: 'equal', value: '', value_match: 'ignore' };
  return { ...rule, condition_typ: 'all', conditions: [condition] };
}

const MACHINE = {
  role: '{{ role.name }}',
  platform: '{{ platform.name }}',
  tenant: '{{ tenant.name }}',
  serial: '{{ serial }}',
  primary_ip4: '{{ primary_ip4.address }}',
};
const PORT = {
  name: '{{ LIST_VAR.name }}',
  description: '{{ LIST_VAR.description }}',
  admin_status: '{{ LIST_VAR.enabled }}',
  ipv4_addresses: "{{ LIST_VAR.ipv4_addresses | join(',') }}",
};
const RULES = {
  netbox_devices: [
    having(
      'device_type.model',
      everyHost('devices', {
        ...MACHINE,
        device_type: '{{ device_type.model }}',
        'device_type.manufacturer': '{{ device_type.manufacturer.name }}',
        site: '{{ site.name }}',
        location: '{{ location.name }}',
        rack: '{{ rack.name }}',
      }),
    ),
  ],
  netbox_cluster: [
    having('cluster.name', everyHost('clusters', { name: '{{ cluster.name }}', type: DEMO_CLUSTER_TYPE })),
  ],
  netbox_vms: [
    having(
      'cluster.name',
      everyHost('machines', { ...MACHINE, cluster: '{{ cluster.name }}', status: '{{ status.value }}' }),
    ),
  ],
  netbox_dcim_interfaces: [
    having('device_type.model', everyHost('ports', { ...PORT, type: '{{ LIST_VAR.type }}' }, 'netbox__interfaces')),
  ],
  netbox_virtual_interfaces: [having('cluster.name', everyHost('virtual ports', PORT, 'netbox__interfaces'))],
};

/** What an object is beside its ids, and beside the names that the templates of the account gave. */
function lasting(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(lasting);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !/(?:^|[._])id$|^(?:created|last_updated|name)$/.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, lasting(member)]));
}

async function hostsOf(muster: OperationsApp): Promise<ReadonlyMap<string, JsonValue>> {
  const { results } = (await muster.read(listHosts, { start: 0, limit: 10_000 })) as {
    results: { hostname: string; labels: JsonObject; inventory: JsonObject }[];
  };
  return new Map(results.map(({ hostname, labels, inventory }) => [hostname, lasting({ labels, inventory })]));
}

async function musterWith(netbox: RealNetBox, target: RealNetBox, settings: Readonly<Record<string, string>>) {
  const storage = memoryStorage()();
  await storage.start();
  const muster = await OperationsApp.over(storage);
  await addNetBox(muster, 'from', netbox, { sections: 'interfaces', ...settings });
  await addNetBox(muster, 'to', target, { adopt: 'true' });
  await muster.run(importRules, { rules: RULES });
  const report = await muster.run(importAccount, { account: 'from' });
  return { muster, report };
}

await describeServer(recipe, (server) => {
  it('brings demo data into an empty NetBox as it was, and finds nothing to do from there', {
    timeout: 900_000,
  }, async () => {
    const [full, copy] = [new RealNetBox(server()), new RealNetBox(server(), 'second')];
    await full.empty();
    await copy.empty();
    await loadDemoData(full);
    const names = {
      unnamed_hostname: '{{ device_type.slug }}-{{ id }}',
      duplicate_hostname: '{{ name }}-{{ site.slug }}',
    };
    const { muster, report } = await musterWith(full, copy, names);
    try {
      expect(report).toMatchObject({ status: 'done', summary: { created: 252, skipped: 0 } });
      expect(await muster.run(exportAccount, { account: 'to' })).toMatchObject({ status: 'done', failures: [] });
      const counts = { create: 0, update: 0, delete: 0, move: 0, conflict: 0 };
      expect(await muster.run(makeStoredPlan, { account: 'to' })).toMatchObject({ counts, message: '' });

      const again = await musterWith(copy, copy, {});
      try {
        expect(again.report).toMatchObject({ status: 'done', summary: { created: 252, skipped: 0 } });
        expect(Object.fromEntries(await hostsOf(again.muster))).toEqual(Object.fromEntries(await hostsOf(muster)));
        expect(await again.muster.run(makeStoredPlan, { account: 'to' })).toMatchObject({ counts, message: '' });
      } finally {
        await again.muster.stop();
      }
    } finally {
      await muster.stop();
    }
  });
});
