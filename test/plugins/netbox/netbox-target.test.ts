import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { applyStoredPlan } from '../../../src/app/exports/plans/operations/apply-plan.ts';
import { makeStoredPlan } from '../../../src/app/exports/plans/operations/make-plan.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { Storage } from '../../../src/ports/index.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { StatefulNetBox } from './stateful-netbox.ts';

const rule = (name: string, outcomes: Readonly<Record<string, string>>) => ({
  name,
  enabled: true,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: Object.entries(outcomes).map(([action, param]) => ({ action, param })),
});
const DEVICE = { device_type: 'R640', 'device_type.manufacturer': 'Dell', role: 'Server', site: '{{ site }}' };
const RULES = {
  netbox_devices: [
    rule('devices', {
      ...DEVICE,
      primary_ip4: '{{ ip }}',
      update_optout: 'role',
      serial: '{{ serial }}',
      ignore_host: '{{ away }}',
    }),
  ],
  netbox_dcim_interfaces: [
    rule('ports', { name: 'eth0', ipv4_addresses: '{{ ip }}', mac_address: '00:11:22:33:44:55' }),
  ],
};

/** What each release takes for itself is in `netbox-releases.test.ts`. */
const RELEASES = process.env.THOROUGH === '1' ? ['4.7.3', '4.2.9'] : ['4.7.3'];

describe.each(RELEASES)('netbox %s as a target', (version) => {
  let netbox: StatefulNetBox;
  let muster: OperationsApp;
  let storage: Storage;
  beforeEach(async () => {
    netbox = await new StatefulNetBox(version).start();
    storage = memoryStorage()();
    await storage.start();
    muster = await OperationsApp.over(storage);
    await muster.addAccounts('red');
    const settings = { url: netbox.address, delete_threshold: '100%', allow_empty: 'true' };
    await muster.run(addAccount, { name: 'truth', type: 'netbox', settings, password: netbox.token });
    await muster.run(importRules, { rules: RULES });
    const labels = { site: 'Berlin', ip: '10.0.0.1/24', serial: 'S1' };
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels });
  });
  afterEach(async () => {
    await muster.stop();
    await netbox.stop();
  });
  const run = (part?: string) =>
    muster.run(exportAccount, { account: 'truth', ...(part === undefined ? {} : { part }) });
  const renamed = (from: string, to: string) =>
    storage.hosts.rename({ hosts: [{ from, to }], at: new Date(), actor: { kind: 'system', name: 'import' } });
  const [device, ip] = [() => netbox.all('dcim/devices/')[0], () => netbox.all('ipam/ip-addresses/')[0]];

  const primaryAddresses = () => {
    const addresses = new Map(netbox.all('ipam/ip-addresses/').map(({ id, address }) => [id, address]));
    return netbox.all('dcim/devices/').map(({ name, primary_ip4 }) => [name, addresses.get(Number(primary_ip4))]);
  };

  it('makes what a device refers to, its interface with its MAC address, its address, and then the primary one', async () => {
    expect(await run()).toMatchObject({ status: 'done', objects: { create: 8 } });
    expect(device()).toMatchObject({ name: 'web1', serial: 'S1', primary_ip4: ip()?.id });
    expect(netbox.all('dcim/mac-addresses/')).toMatchObject([{ mac_address: '00:11:22:33:44:55' }]);
    expect(await run()).toMatchObject({ status: 'done', message: expect.stringContaining('8 unchanged') });
  });

  it('makes racks where the device that needs them is', async () => {
    const outcomes = { ...DEVICE, location: 'Row 1', rack: 'R1' };
    await muster.run(importRules, { rules: { netbox_devices: [rule('placed', outcomes)] } });
    expect(await run()).toMatchObject({ status: 'done' });
    const [row] = netbox.all('dcim/locations/');
    expect(netbox.all('dcim/racks/')).toMatchObject([{ name: 'R1', location: row?.id }]);
    expect(device()).toMatchObject({ location: row?.id });
  });

  it('leaves alone what rules do not name, what they opt out of, and what they have no value for', async () => {
    await run();
    const role = netbox.put('dcim/device-roles/', { name: 'Other', slug: 'other' });
    Object.assign(device() ?? {}, { role: role.id, serial: 'by hand', comments: 'mine' });
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'BERLIN ', ip: '10.0.0.1/24' } });
    expect(await run()).toMatchObject({ status: 'done', objects: { create: 0, update: 0 } });
    expect(device()).toMatchObject({ role: role.id, serial: 'by hand', comments: 'mine' });
  });

  it('retires devices that no host wants, once', async () => {
    await run();
    await muster.run(deleteHost, { hostname: 'web1' });
    expect(await run()).toMatchObject({ status: 'done', objects: { delete: 4 } });
    expect([device()?.status, netbox.all('dcim/interfaces/').length]).toEqual(['decommissioning', 0]);
    expect(await run()).toMatchObject({ objects: { delete: 0, update: 0 } });
  });

  it('exports one part, and says what it lacks of others', async () => {
    expect(await run('interfaces')).toMatchObject({ status: 'partial', objects: { create: 0, conflict: 1 } });
    expect(await run('devices')).toMatchObject({ objects: { create: 5, conflict: 1 } });
    expect(await run('interfaces')).toMatchObject({ status: 'done', objects: { create: 1, delete: 0 } });
    expect(await run('ips')).toMatchObject({ status: 'done', objects: { create: 1 } });
    expect(await run('devices')).toMatchObject({ status: 'done', objects: { create: 1 } });
    expect(await run()).toMatchObject({ status: 'done', objects: { create: 0, update: 0, delete: 0 } });
    await expect(run('nothing')).rejects.toMatchObject({ message: expect.stringContaining('devices (devices)') });
  });

  it('brings devices back that a host wants again', async () => {
    await run();
    const labels = { site: 'Berlin', ip: '10.0.0.1/24', serial: 'S1' };
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { ...labels, away: 'true' } });
    await run();
    expect(device()?.status).toBe('decommissioning');
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { ...labels, away: 'false' } });
    expect(await run()).toMatchObject({ status: 'done' });
    expect([device()?.status, netbox.all('dcim/devices/').length]).toEqual(['active', 1]);
    expect(await run()).toMatchObject({ objects: { create: 0, update: 0, delete: 0, conflict: 0 } });
  });

  it('takes interfaces and addresses along when a host has another name', async () => {
    const ports = JSON.stringify([1, 2].map((n) => ({ name: `eth${n}`, ip: `10.0.0.${n}/24` })));
    const list = {
      netbox_dcim_interfaces: [
        {
          ...rule('ports', {}),
          outcomes: ['name', 'ip'].map((name) => ({
            action: name === 'ip' ? 'ipv4_addresses' : name,
            param: `{{ LIST_VAR.${name} }}`,
            list_variable_name: 'ports',
          })),
        },
      ],
    };
    await muster.run(importRules, { rules: list, override: true });
    await muster.run(saveHost, {
      hostname: 'web1',
      account: 'red',
      labels: { site: 'Berlin', ip: '10.0.0.1/24', serial: 'S1', ports },
    });
    expect(await run()).toMatchObject({ status: 'done' });
    const ids = () =>
      ['dcim/devices/', 'dcim/interfaces/', 'ipam/ip-addresses/'].map((path) => netbox.all(path).map(({ id }) => id));
    const before = ids();
    await renamed('web1', 'web9');
    expect(await run()).toMatchObject({ status: 'done', failures: [], objects: { create: 0, delete: 0 } });
    expect(ids()).toEqual(before);
    expect(device()).toMatchObject({ name: 'web9' });
    expect(await run()).toMatchObject({ objects: { create: 0, update: 0, move: 0, delete: 0, conflict: 0 } });
  });

  it('leaves interfaces and addresses of a renamed host as they are until its device has the name', async () => {
    await run();
    await renamed('web1', 'web9');
    const there = () => JSON.stringify([netbox.all('dcim/interfaces/'), netbox.all('ipam/ip-addresses/')]);
    const before = there();
    const nothing = { create: 0, update: 0, move: 0, delete: 0 };
    for (const part of ['interfaces', 'ips']) {
      expect(await run(part)).toMatchObject({ status: 'partial', objects: { ...nothing, conflict: 1 } });
    }
    expect(there()).toBe(before);
    expect(await run('devices')).toMatchObject({ status: 'done', objects: { ...nothing, move: 2, conflict: 0 } });
    for (const part of ['interfaces', 'ips']) {
      expect(await run(part)).toMatchObject({ status: 'done', objects: { ...nothing, conflict: 0 } });
    }
    expect(await run()).toMatchObject({ status: 'done', objects: { ...nothing, conflict: 0 } });
    expect(there()).toBe(before);
  });

  it('moves a primary address to another machine, after that one has another', async () => {
    await run();
    const labels = { site: 'Berlin', serial: 'S1' };
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { ...labels, ip: '10.0.0.9/24' } });
    await muster.run(saveHost, { hostname: 'web2', account: 'red', labels: { ...labels, ip: '10.0.0.1/24' } });
    expect(await run()).toMatchObject({ status: 'done' });
    expect(primaryAddresses()).toEqual([
      ['web1', '10.0.0.9/24'],
      ['web2', '10.0.0.1/24'],
    ]);
    expect(await run()).toMatchObject({ objects: { create: 0, update: 0, delete: 0, conflict: 0 } });
  });

  it('exchanges the primary addresses of machines, in a ring too', async () => {
    const labels = { site: 'Berlin', serial: 'S1' };
    const give = (hostname: string, address: string) =>
      muster.run(saveHost, { hostname, account: 'red', labels: { ...labels, ip: address } });
    await give('web2', '10.0.0.2/24');
    for (const index of [3, 4, 5]) await give(`web${index}`, `10.0.0.${index}/24`);
    await run();
    const addresses = netbox.all('ipam/ip-addresses/').map(({ id }) => id);
    const wanted = {
      web1: '10.0.0.2/24',
      web2: '10.0.0.1/24',
      web3: '10.0.0.4/24',
      web4: '10.0.0.5/24',
      web5: '10.0.0.3/24',
    };
    for (const [hostname, address] of Object.entries(wanted)) await give(hostname, address);
    expect(await run()).toMatchObject({ status: 'done', failures: [] });
    expect(primaryAddresses()).toEqual(Object.entries(wanted));
    expect(netbox.all('ipam/ip-addresses/').map(({ id }) => id)).toEqual(addresses);
    expect(await run()).toMatchObject({ objects: { create: 0, update: 0, delete: 0, conflict: 0 } });
  });

  it('takes no primary address from a machine that cannot have the one that it wants, unless its own leaves', async () => {
    const labels = { site: 'Berlin', serial: 'S1' };
    await run();
    // Of somebody else, on an interface of another machine.
    const theirs = netbox.put('dcim/devices/', { name: 'theirs', site: device()?.site ?? null });
    const port = netbox.put('dcim/interfaces/', { name: 'eth0', device: theirs.id });
    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: port.id };
    netbox.put('ipam/ip-addresses/', { address: '10.0.0.9/24', ...assigned });
    const second = rule('second', { name: 'eth1', ipv4_addresses: '{{ old }}' });
    await muster.run(importRules, { rules: { netbox_dcim_interfaces: [second] } });
    const changed = { ...labels, ip: '10.0.0.9/24', old: '10.0.0.1/24' };
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: changed });
    expect(await run()).toMatchObject({ status: 'partial' });
    expect(primaryAddresses()[0]).toEqual(['web1', '10.0.0.1/24']);
  });

  it('touches neither a device of somebody else nor its primary address', async () => {
    const site = netbox.put('dcim/sites/', { name: 'Berlin', slug: 'b' });
    netbox.put('dcim/devices/', { name: 'WEB1', site: site.id, serial: 'theirs' });
    expect(await run()).toMatchObject({ status: 'partial', objects: { conflict: 4, create: 3 } });
    expect(device()).toMatchObject({ name: 'WEB1', serial: 'theirs' });
    expect([netbox.all('dcim/interfaces/'), netbox.all('ipam/ip-addresses/')]).toEqual([[], []]);
    expect(device()?.primary_ip4 ?? null).toBeNull();
    expect(netbox.all('dcim/sites/')).toHaveLength(1);
  });

  it('touches no interface and no address of a device that is not ours by now, in a plan of before either', async () => {
    await run();
    await muster.run(saveHost, { hostname: 'web1', account: 'red', labels: { site: 'Berlin', ip: '10.0.0.2/24' } });
    const plan = await muster.run(makeStoredPlan, { account: 'truth' });
    // Another device of that name, with what was on the first one.
    const { id: _, ...fields } = device() ?? {};
    netbox.remove('dcim/devices/', Number(device()?.id));
    const theirs = netbox.put('dcim/devices/', fields);
    for (const port of netbox.all('dcim/interfaces/')) Object.assign(port, { device: theirs.id });
    const before = JSON.stringify([netbox.all('dcim/interfaces/'), netbox.all('ipam/ip-addresses/')]);
    await muster.run(applyStoredPlan, { plan: plan.id }).catch(() => undefined);
    expect(JSON.stringify([netbox.all('dcim/interfaces/'), netbox.all('ipam/ip-addresses/')])).toBe(before);
    await muster.run(deleteHost, { hostname: 'web1' });
    expect(await run()).toMatchObject({ objects: { delete: 0 } });
    expect(JSON.stringify([netbox.all('dcim/interfaces/'), netbox.all('ipam/ip-addresses/')])).toBe(before);
  });

  it('puts no address on an interface of somebody else, and none of theirs on ours', async () => {
    await run();
    const theirs = netbox.put('dcim/devices/', { name: 'theirs', site: device()?.site ?? null });
    const port = netbox.put('dcim/interfaces/', { name: 'eth0', device: theirs.id });
    const own = ip();
    Object.assign(own ?? {}, { assigned_object_id: port.id });
    expect(await run()).toMatchObject({ objects: { update: 0, conflict: expect.any(Number) } });
    expect(own?.assigned_object_id).toBe(port.id);
  });
});
