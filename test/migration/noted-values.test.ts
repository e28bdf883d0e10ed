import { expect, it } from 'vitest';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { exportRules } from '../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';

/** As exports to NetBox note it on hosts of the other product, beside what somebody inventorized. */
const NOTED = {
  truth_device_id: 17,
  truth_dcim_interfaces: [{ port_name: 'eth0', netbox_if_id: 4, ipv4_addresses: ['10.0.0.1/24'], ipv6_addresses: [] }],
  truth_ips: [{ netbox_ip_id: 3, address: '10.0.0.1/24' }],
};
const HOST = {
  _id: { $oid: '50577d741914e0c73b6923a1' },
  hostname: 'web01.example.net',
  labels: { site: 'Berlin' },
  inventory: { syncer_account: 'cmdb', facts__os: 'Debian', ...NOTED },
  source_account_id: 'cmdb',
  source_account_name: 'cmdb',
  object_type: 'host',
  lifecycle_state: 'active',
};

it('hosts come in with what exports to NetBox noted on them, and rules do not see it', async () => {
  const storage = memoryStorage()();
  await storage.start();
  const muster = await OperationsApp.over(storage);
  try {
    const answer = await muster.run(importRules, { rules: { host_objects: [HOST] } });
    expect(answer).toMatchObject({ imported: { host_objects: 1 }, invalid: { host_objects: 0 } });
    expect((await storage.hosts.get(HOST.hostname, null))?.inventory.value).toEqual({ facts: { os: 'Debian' } });
    const exported = { inventory: { facts: { os: 'Debian' } }, inventory_values: NOTED };
    const { rules } = (await muster.read(exportRules, { include_hosts: true })) as { rules: Record<string, unknown[]> };
    expect(rules.host_objects).toMatchObject([exported]);

    const again = await muster.run(importRules, { rules: { host_objects: rules.host_objects }, override: true });
    expect(again).toMatchObject({ invalid: { host_objects: 0 } });
    const twice = (await muster.read(exportRules, { include_hosts: true })) as { rules: Record<string, unknown[]> };
    expect(twice.rules.host_objects).toMatchObject([exported]);
  } finally {
    await muster.stop();
  }
});
