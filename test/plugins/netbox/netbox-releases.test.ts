import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { testAccount } from '../../../src/app/preview/operations/test-account.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { everyHost } from './real-netbox.ts';
import { StatefulNetBox } from './stateful-netbox.ts';

const HOSTS = 6;
const RULES = {
  netbox_devices: [
    everyHost('devices', {
      device_type: 'R640',
      'device_type.manufacturer': 'Dell',
      role: 'Server',
      site: 'Berlin',
      primary_ip4: '{{ ip }}',
      serial: '{{ serial }}',
      custom_field: 'owner:{{ owner }}',
    }),
  ],
  netbox_dcim_interfaces: [
    everyHost('ports', { name: 'eth0', type: '1000base-t', ipv4_addresses: '{{ ip }}', mac_address: '{{ mac }}' }),
  ],
  netbox_cluster: [everyHost('clusters', { name: 'farm', type: 'KVM', site: 'Berlin' })],
  netbox_prefixes: [everyHost('prefixes', { prefix: '10.0.0.0/24' })],
  netbox_contacts: [
    everyHost('contacts', { name: '{{ owner }}', group: 'Operators', email: '{{ owner }}@example.org' }),
  ],
};

describe.each(['4.2.9', '4.7.3'])('NetBox %s as a target', (version) => {
  const isOld = version === '4.2.9';
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
    for (let n = 1; n <= HOSTS; n++) await give(n, `S${n}`);
  });
  afterEach(async () => {
    await muster.stop();
    await netbox.stop();
  });
  const give = (n: number, serial: string) => {
    const labels = { ip: `10.0.0.${n}/24`, mac: `00:11:22:33:44:0${n}`, owner: `user${n % 2}`, serial };
    return muster.run(saveHost, { hostname: `web${n}`, account: 'red', labels });
  };
  const run = () => muster.run(exportAccount, { account: 'truth' });
  const shown = (path: string): readonly JsonObject[] => netbox.all(path).map((object) => netbox.shown(path, object));

  it('gets all that rules say, as that release takes it', async () => {
    expect(await run()).toMatchObject({ status: 'done', failures: [] });
    const primary = shown('dcim/devices/').map(({ name, primary_ip4 }) => [name, (primary_ip4 as JsonObject).address]);
    expect(primary).toEqual(Array.from({ length: HOSTS }, (_, n) => [`web${n + 1}`, `10.0.0.${n + 1}/24`]));
    expect(shown('dcim/interfaces/').map(({ mac_address }) => mac_address)).toEqual(
      Array.from({ length: HOSTS }, (_, n) => `00:11:22:33:44:0${n + 1}`),
    );
    expect(shown('virtualization/clusters/')).toMatchObject([{ name: 'farm', scope_type: 'dcim.site' }]);
    const group = { name: 'Operators' };
    const groups = isOld ? { group } : { groups: [group] };
    expect(shown('tenancy/contacts/')).toMatchObject([
      { name: 'user0', ...groups },
      { name: 'user1', ...groups },
    ]);

    const calls = netbox.calls.length;
    expect(await run()).toMatchObject({ status: 'done', objects: { create: 0, update: 0, delete: 0, conflict: 0 } });
    expect(netbox.calls).toHaveLength(calls);
  });

  it('is asked only for what that release has', async () => {
    await run();
    expect(JSON.stringify(await muster.run(testAccount, { name: 'truth' }))).toContain(`NetBox ${version}`);
    const bodies = netbox.requests.map(({ body }) => body).join('\n');
    const paths = netbox.requests.map(({ path }) => path).join('\n');
    expect(bodies.includes('changelog_message')).toBe(!isOld);
    expect(/[?&]start=/.test(paths)).toBe(!isOld);
    expect(/[?&]ordering=id/.test(paths)).toBe(isOld);
  });

  it('takes the others where it refuses one without saying which', async () => {
    netbox.unwelcome.add('web3');
    const report = await run();
    expect(report).toMatchObject({ status: 'partial' });
    expect(report.failures).toContainEqual({ hostname: 'web3', reason: expect.stringContaining('web3 is no name') });
    expect(netbox.all('dcim/devices/').map(({ name }) => name)).toEqual(['web1', 'web2', 'web4', 'web5', 'web6']);
    expect(netbox.all('dcim/interfaces/')).toHaveLength(HOSTS - 1);
    netbox.unwelcome.clear();
    expect(await run()).toMatchObject({ status: 'done', failures: [], objects: { update: 0, delete: 0, conflict: 0 } });
    expect(netbox.all('dcim/devices/')).toHaveLength(HOSTS);

    for (let n = 1; n <= HOSTS; n++) await give(n, `T${n}`);
    netbox.unwelcome.add('web5');
    expect(await run()).toMatchObject({ status: 'partial', failures_total: 1, objects: { update: HOSTS } });
    const serials = netbox.all('dcim/devices/').map(({ name, serial }) => [name, serial]);
    expect(serials).toContainEqual(['web5', 'S5']);
    expect(serials.filter(([, serial]) => String(serial).startsWith('T'))).toHaveLength(HOSTS - 1);
  });
});
