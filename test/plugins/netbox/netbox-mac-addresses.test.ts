import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { everyHost } from './real-netbox.ts';
import { StatefulNetBox } from './stateful-netbox.ts';

const DEVICE = { device_type: 'R640', 'device_type.manufacturer': 'Dell', role: 'Server', site: 'Berlin' };
const RULES = {
  netbox_devices: [everyHost('devices', DEVICE)],
  netbox_dcim_interfaces: [everyHost('ports', { name: 'eth0', mac_address: '{{ mac }}', description: '{{ text }}' })],
};
const HOSTS = 12;
const MACS = 'dcim/mac-addresses/';
const PORTS = 'dcim/interfaces/';

const macOf = (index: number): string => `00:11:22:33:44:${String(index + 10)}`;

// Releases before 4.7 say of a list that was to be changed what is wrong, and not with which object.
describe.each(['4.7.3', '4.2.0'])('MAC addresses in NetBox %s', (version) => {
  let netbox: StatefulNetBox;
  let muster: OperationsApp;
  beforeEach(async () => {
    netbox = await new StatefulNetBox(version).start();
    const storage = memoryStorage()();
    await storage.start();
    muster = await OperationsApp.over(storage);
    await muster.addAccounts('red');
    const settings = { url: netbox.address, delete_threshold: '100%' };
    await muster.run(addAccount, { name: 'truth', type: 'netbox', settings, password: netbox.token });
    await muster.run(importRules, { rules: RULES });
    for (let index = 0; index < HOSTS; index++) await give(index, macOf(index));
  });
  afterEach(async () => {
    await muster.stop();
    await netbox.stop();
  });
  const give = (index: number, mac: string, text = '') =>
    muster.run(saveHost, { hostname: `web${index + 10}`, account: 'red', labels: { mac, text } });
  const run = () => muster.run(exportAccount, { account: 'truth' });
  const calls = () => netbox.calls.splice(0).filter((call) => call.includes(MACS) || call.includes(PORTS));
  /** The primary address of each interface, by the name of its device. */
  const found = () =>
    Object.fromEntries(
      netbox.all(PORTS).map((port) => {
        const { device, mac_address = null } = netbox.shown(PORTS, port);
        return [(device as { name: string }).name, mac_address];
      }),
    );
  const all = (more: Readonly<Record<string, string | null>> = {}) => ({
    ...Object.fromEntries(Array.from({ length: HOSTS }, (_, index) => [`web${index + 10}`, macOf(index)])),
    ...more,
  });

  it('are made and set for many interfaces at once', async () => {
    expect(await run()).toMatchObject({ status: 'done' });
    expect(calls()).toEqual([`POST ${PORTS} ${HOSTS}`, `POST ${MACS} ${HOSTS}`, `PATCH ${PORTS} ${HOSTS}`]);
    expect(found()).toEqual(all());
    expect(await run()).toMatchObject({ status: 'done', objects: { create: 0, update: 0 } });
  });

  it('are looked up together where interfaces change, and those that are there are not made again', async () => {
    await run();
    const [first] = netbox.all(PORTS);
    const on = { assigned_object_type: 'dcim.interface', assigned_object_id: first?.id ?? 0 };
    netbox.put(MACS, { mac_address: '00:11:22:33:44:98', ...on });
    netbox.put(MACS, { mac_address: '00:11:22:33:44:99', ...on });
    await give(0, '00:11:22:33:44:98', 'changed');
    await give(1, '00:11:22:33:44:99', 'changed');
    await give(2, macOf(2), 'changed');
    calls();
    expect(await run()).toMatchObject({ status: 'done', objects: { update: 3 } });
    expect(calls()).toEqual([`PATCH ${PORTS} 3`, `POST ${MACS} 1`, `PATCH ${PORTS} 2`]);
    expect(found()).toEqual(all({ web10: '00:11:22:33:44:98', web11: '00:11:22:33:44:99' }));
    expect(netbox.all(PORTS)[1]).toMatchObject({ description: 'changed' });
    await give(0, macOf(0), 'changed');
    expect(await run()).toMatchObject({ status: 'done', objects: { update: 1 } });
    // Nothing else of it changes.
    expect(calls()).toEqual([`PATCH ${PORTS} 1`]);
  });

  it('that are refused stop no other, are named, and are written by a later export', async () => {
    netbox.unwelcome.add(macOf(3)).add(macOf(7));
    const report = await run();
    expect(report).toMatchObject({ status: 'partial', failures_total: 2 });
    const reason = (name: string, mac: string) => ({
      hostname: name,
      reason: expect.stringMatching(new RegExp(`^interface ${name}/eth0 was not made: .*${mac} is of no manufacturer`)),
    });
    expect(report.failures).toEqual([reason('web13', macOf(3)), reason('web17', macOf(7))]);
    expect(found()).toEqual(all({ web13: null, web17: null }));
    netbox.unwelcome.clear();
    expect(await run()).toMatchObject({ status: 'done', objects: { create: 0, update: 2, conflict: 0 } });
    expect(found()).toEqual(all());
  });

  it('that cannot be set on one interface are set on the others', async () => {
    await run();
    const port = netbox.all(PORTS)[5];
    const on = { assigned_object_type: 'dcim.interface', assigned_object_id: port?.id ?? 0 };
    for (let index = 0; index < HOSTS; index++) await give(index, `00:11:22:33:55:${index + 10}`);
    // Somebody gives it to another interface between the two calls.
    const stray = netbox.put(MACS, { mac_address: '00:11:22:33:55:15', ...on });
    netbox.astray = stray.id;
    const report = await run();
    expect(report).toMatchObject({ status: 'partial', failures_total: 1 });
    expect(report.failures).toEqual([
      {
        hostname: 'web15',
        reason: expect.stringContaining('interface web15/eth0 was not changed: Only a MAC address'),
      },
    ]);
    const others = Object.entries(found()).filter(([name]) => name !== 'web15');
    expect(others.every(([, mac]) => String(mac).startsWith('00:11:22:33:55'))).toBe(true);
  });

  it.each([`POST ${MACS}`, `PATCH ${PORTS}`])(
    'leave interfaces that are ours where the answer to %s is lost',
    async (call) => {
      netbox.lost.add(call);
      expect(await run()).toMatchObject({ status: 'partial', failures_total: HOSTS });
      netbox.lost.clear();
      expect(await run()).toMatchObject({ status: 'done', objects: { create: 0, conflict: 0 } });
      expect(found()).toEqual(all());
      expect(netbox.all(MACS)).toHaveLength(HOSTS);
      expect(netbox.all(PORTS)).toHaveLength(HOSTS);
    },
  );
});
