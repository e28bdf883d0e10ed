import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { FaultyProxy, type Handle, relay } from '../../../src/testing/faulty-proxy.ts';
import { send } from '../../../src/testing/faulty-server.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { everyHost } from './real-netbox.ts';
import { StatefulNetBox } from './stateful-netbox.ts';

const RULES = {
  netbox_devices: [
    everyHost('devices', {
      device_type: 'R640',
      'device_type.manufacturer': 'Dell',
      role: 'Server',
      site: 'Berlin',
      primary_ip4: '{{ ip }}',
      serial: '{{ serial }}',
    }),
  ],
  netbox_dcim_interfaces: [everyHost('ports', { name: 'eth0', ipv4_addresses: '{{ ip }}', mac_address: '{{ mac }}' })],
};
const HOSTS = 4;
const PATHS = [
  'dcim/manufacturers/',
  'dcim/device-types/',
  'dcim/device-roles/',
  'dcim/sites/',
  'dcim/devices/',
  'dcim/interfaces/',
  'dcim/mac-addresses/',
  'ipam/ip-addresses/',
];
const NOTHING_TO_DO = { create: 0, update: 0, move: 0, delete: 0, adopt: 0, conflict: 0 };

const badGateway: Handle = (response) =>
  send(response, {
    status: 502,
    headers: { 'content-type': 'text/html', 'retry-after': '0' },
    body: '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
  });
/** What was asked is done, and the proxy no longer waits for the answer. */
const tooLate: Handle = async (response, request, pass) => {
  await pass();
  await badGateway(response, request, pass);
};

describe.each(process.env.THOROUGH === '1' ? ['4.7.3', '4.2.9'] : ['4.7.3'])(
  'a 502 of a proxy in front of NetBox %s',
  (version) => {
    let netbox: StatefulNetBox;
    let proxy: FaultyProxy;
    let muster: OperationsApp;
    let account: string;
    let accounts = 0;
    beforeEach(async () => {
      netbox = await new StatefulNetBox(version).start();
      proxy = await FaultyProxy.before(netbox.address);
      const storage = memoryStorage()();
      await storage.start();
      muster = await OperationsApp.over(storage);
      await muster.addAccounts('red');
      await muster.run(importRules, { rules: RULES });
      await give('S');
      await anew();
    });
    afterEach(async () => {
      await muster.stop();
      await proxy.close();
      await netbox.stop();
    });
    const give = async (serial: string) => {
      for (let n = 1; n <= HOSTS; n++) {
        const labels = { ip: `10.0.0.${n}/24`, mac: `00:11:22:33:44:0${n}`, serial: `${serial}${n}` };
        await muster.run(saveHost, { hostname: `web${n}`, account: 'red', labels });
      }
    };
    /** An account that has written nothing yet, and an empty NetBox. */
    const anew = async () => {
      account = `truth${++accounts}`;
      const settings = { url: proxy.address, delete_threshold: '100%' };
      await muster.run(addAccount, { name: account, type: 'netbox', settings, password: netbox.token });
      for (const path of PATHS) for (const { id } of netbox.all(path)) netbox.remove(path, id);
    };
    const run = () => muster.run(exportAccount, { account });
    /** From the n-th call that writes on, the proxy does that, whatever it is asked; answers whether it came to that. */
    const fromWriteOn = (first: number, does: Handle) => {
      let writes = 0;
      proxy.handle = async (response, request, pass) => {
        if (request.method !== 'GET' && request.method !== 'OPTIONS') writes++;
        if (writes < first) return relay(response, await pass());
        await does(response, request, pass);
      };
      return () => writes >= first;
    };
    const expectWhole = (serial: string) => {
      const counts = Object.fromEntries(PATHS.map((path) => [path, netbox.all(path).length]));
      const of = (path: string): number => (/manufact|types|roles|sites/.test(path) ? 1 : HOSTS);
      expect(counts).toEqual(Object.fromEntries(PATHS.map((path) => [path, of(path)])));
      const addresses = new Map(netbox.all('ipam/ip-addresses/').map(({ id, address }) => [id, address]));
      const devices = netbox
        .all('dcim/devices/')
        .map(({ name, serial: has, primary_ip4 }) => [name, has, addresses.get(Number(primary_ip4))]);
      const wanted = Array.from({ length: HOSTS }, (_, n) => [
        `web${n + 1}`,
        `${serial}${n + 1}`,
        `10.0.0.${n + 1}/24`,
      ]);
      expect(devices.sort()).toEqual(wanted);
      const ports = netbox.all('dcim/interfaces/').map((port) => netbox.shown('dcim/interfaces/', port).mac_address);
      expect(ports.sort()).toEqual(wanted.map((_, n) => `00:11:22:33:44:0${n + 1}`));
    };

    it.each([
      ['before it reaches NetBox', badGateway],
      ['after NetBox has done it', tooLate],
    ])('at any call that writes, %s, loses nothing and makes nothing twice', async (_, does) => {
      for (let first = 1, came = () => true; came(); first++) {
        await anew();
        came = fromWriteOn(first, does);
        const report = await run();
        proxy.handle = undefined;
        if (came()) {
          expect(report).toMatchObject({ status: expect.not.stringMatching(/^done$/) });
          expect(`${report.message} ${JSON.stringify(report.failures)}`).toMatch(/502: a proxy in front of the system/);
        }
        expect(await run(), `after the call ${first}`).toMatchObject({ status: 'done', failures: [] });
        expectWhole('S');
        expect(await run()).toMatchObject({ status: 'done', objects: NOTHING_TO_DO });
      }
    });

    it('while objects are changed and deleted loses nothing and touches nothing of others', async () => {
      await run();
      const theirs = netbox.put('dcim/devices/', { name: 'theirs', serial: 'mine' });
      for (let first = 1, came = () => true; came(); first++) {
        await give(`${first}.`);
        came = fromWriteOn(first, first % 2 === 0 ? badGateway : tooLate);
        await run();
        proxy.handle = undefined;
        expect(await run(), `after the call ${first}`).toMatchObject({ status: 'done', failures: [] });
        expect(netbox.all('dcim/devices/').find(({ id }) => id === theirs.id)).toMatchObject({ serial: 'mine' });
        expect(await run()).toMatchObject({ status: 'done', objects: NOTHING_TO_DO });
      }
      netbox.remove('dcim/devices/', theirs.id);
      expectWhole('2.');
    });

    it('while it is read changes nothing, and says who does not answer', async () => {
      await run();
      await give('T');
      const calls = netbox.calls.length;
      fromWriteOn(0, badGateway);
      const said = await run().then(
        ({ status, message }) => `${status} ${message}`,
        (error: Error) => error.message,
      );
      proxy.handle = undefined;
      expect(said).toMatch(/502: a proxy in front of the system does not reach it/);
      expect(netbox.calls).toHaveLength(calls);
      expect(await run()).toMatchObject({ status: 'done', objects: { update: HOSTS, delete: 0, create: 0 } });
      expectWhole('T');
    });
  },
);
