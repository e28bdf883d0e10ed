import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { makeStoredPlan } from '../../../src/app/exports/plans/operations/make-plan.ts';
import { showPlan } from '../../../src/app/exports/plans/operations/show-plan.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { testAccount } from '../../../src/app/preview/operations/test-account.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { netbox as recipe } from '../../servers/netbox.ts';
import { describeServer } from '../../servers/servers.ts';
import { pythonEnvironment, pythonProgram } from '../../support/python-environment.ts';
import { addNetBox, everyHost, RealNetBox } from './real-netbox.ts';

const LONG = { timeout: 300_000 };
const NOTHING = { create: 0, update: 0, delete: 0, conflict: 0 };
/** A number there, and text in rules. */
const FLOOR = { name: 'floor', type: 'integer', object_types: ['dcim.device'] };
const READER = join(import.meta.dirname, 'pynetbox_reads.py');

function ofKind(kind: string, rule: JsonObject): JsonObject {
  const condition = { match_type: 'tag', tag: 'kind', tag_match: 'equal', value: kind, value_match: 'equal' };
  return { ...rule, condition_typ: 'all', conditions: [condition] };
}

const PORTS = {
  name: '{{ LIST_VAR.name }}',
  mac_address: '{{ LIST_VAR.mac }}',
  ipv4_addresses: '{{ LIST_VAR.ip }}',
};
const RULES = {
  netbox_cluster: [ofKind('vm', everyHost('clusters', { name: '{{ cluster }}', type: 'KVM' }))],
  netbox_devices: [
    ofKind(
      'device',
      everyHost('servers', {
        device_type: 'R640',
        'device_type.manufacturer': 'Dell',
        role: 'Server',
        site: '{{ site }}',
        rack: '{{ rack }}',
        serial: '{{ serial }}',
        tenant: 'Ops',
        primary_ip4: '{{ ip }}',
        custom_field: 'floor:{{ floor }}',
      }),
    ),
  ],
  netbox_vms: [
    ofKind('vm', everyHost('guests', { cluster: '{{ cluster }}', role: 'Server', primary_ip4: '{{ ip }}' })),
  ],
  netbox_dcim_interfaces: [ofKind('device', everyHost('ports', { type: '1000base-t', ...PORTS }, 'ports'))],
  netbox_virtual_interfaces: [ofKind('vm', everyHost('virtual ports', PORTS, 'ports'))],
  netbox_prefixes: [everyHost('networks', { prefix: '{{ network }}' })],
};

function labelsOf(index: number, kind: 'device' | 'vm'): JsonObject {
  const ip = `10.0.${index}.1/24`;
  const mac = `00:11:22:33:44:0${index}`;
  const ports = [
    { name: 'eth0', mac, ip },
    { name: 'eth1', mac: '', ip: `10.0.${index}.2/24` },
  ];
  const common = { kind, ip, ports: JSON.stringify(ports), network: `10.0.${index}.0/24` };
  return kind === 'vm'
    ? { ...common, cluster: 'kvm1' }
    : { ...common, site: 'Berlin', rack: 'A 1', serial: `S${index}`, floor: String(index) };
}

await describeServer(recipe, (server) => {
  for (const [name, create] of [
    ['SQLite', createSqlite],
    ['MongoDB', createStorage],
  ] as const) {
    describe(`exports to a real NetBox, from ${name}`, LONG, () => {
      let netbox: RealNetBox;
      let opened: OpenedStorage;
      let muster: OperationsApp;
      beforeEach(async () => {
        netbox = new RealNetBox(server());
        await netbox.empty();
        await netbox.make('extras/custom-fields/', FLOOR);
        opened = await create();
        muster = await OperationsApp.over(opened.storage);
        await muster.addAccounts('cmdb');
        await addNetBox(muster, 'truth', netbox);
        await muster.run(importRules, { rules: RULES });
        for (const index of [1, 2, 3]) {
          const labels = labelsOf(index, index === 3 ? 'vm' : 'device');
          await muster.run(saveHost, { hostname: `host${index}`, account: 'cmdb', labels });
        }
      }, 120_000);
      afterEach(async () => {
        await muster.stop();
        await opened.close();
      });
      const run = () => muster.run(exportAccount, { account: 'truth' });
      const plan = async () => {
        const { id, counts } = await muster.run(makeStoredPlan, { account: 'truth' });
        return { ...(await muster.run(showPlan, { plan: id })), counts };
      };
      const host = (index: number, more: JsonObject) => {
        const labels = { ...labelsOf(index, index === 3 ? 'vm' : 'device'), ...more };
        return muster.run(saveHost, { hostname: `host${index}`, account: 'cmdb', labels });
      };

      it('makes everything once, as pynetbox reads it, and then nothing', async () => {
        const first = await run();
        expect(first).toMatchObject({ status: 'done', failures: [] });
        const written = await netbox.all('core/object-changes/', '&action=create&action=update');
        expect(await run()).toMatchObject({ status: 'done', objects: NOTHING });
        expect(await netbox.all('core/object-changes/', '&action=create&action=update')).toEqual(written);
        expect(await plan()).toMatchObject({ counts: NOTHING });
        // Of what was made by hand, the field, nobody says why.
        expect(new Set(written.slice(1).map(({ message }) => message))).toEqual(new Set(['Muster: account truth']));
        expect(new Set(written.map(({ request_id }) => request_id)).size).toBeGreaterThan(1);
        expect(await readByPynetbox(netbox)).toEqual({
          version: '4.7',
          machines: {
            host1: device(1),
            host2: device(2),
            host3: {
              ...device(3),
              kind: 'vm',
              site: null,
              tenant: null,
              serial: '',
              type: null,
              manufacturer: null,
              cluster: 'kvm1',
              custom_fields: {},
            },
          },
          prefixes: ['10.0.1.0/24', '10.0.2.0/24', '10.0.3.0/24'],
        });
      });

      it('puts back what somebody changed by hand, follows a new name, makes again what was deleted, and leaves the rest', async () => {
        await run();
        const [one, two] = await netbox.all('dcim/devices/');
        const port = await netbox.only('dcim/interfaces/', '&device=host2&name=eth1');
        const site = await netbox.only('dcim/sites/');
        await netbox.change('dcim/devices/', one?.id ?? 0, { name: 'host1-old', comments: 'by hand', serial: 'OTHER' });
        await netbox.remove('dcim/interfaces/', port.id);
        const type = await netbox.only('dcim/device-types/');
        const role = await netbox.only('dcim/device-roles/');
        const foreign = { device_type: type.id, role: role.id, site: site.id, name: 'theirs', serial: 'T' };
        const { id } = await netbox.make('dcim/devices/', foreign);
        expect(await plan()).toMatchObject({ counts: { create: 2, update: 2, move: 4, delete: 0, conflict: 0 } });
        expect(await run()).toMatchObject({ status: 'done', failures: [] });
        expect(await netbox.only('dcim/devices/', '&name=host1')).toMatchObject({
          id: one?.id,
          serial: 'S1',
          comments: 'by hand',
        });
        expect(await netbox.only('dcim/interfaces/', '&device=host2&name=eth1')).toMatchObject({
          count_ipaddresses: 1,
        });
        expect(await netbox.only('dcim/devices/', '&name=theirs')).toMatchObject({ id, serial: 'T' });

        await netbox.remove('dcim/devices/', two?.id ?? 0);
        expect(await run()).toMatchObject({ status: 'done' });
        expect(await netbox.only('dcim/devices/', '&name=host2')).toMatchObject({
          primary_ip4: { address: '10.0.2.1/24' },
        });
        await muster.run(deleteHost, { hostname: 'host2' });
        expect(await run()).toMatchObject({ status: 'done' });
        expect(await netbox.only('dcim/devices/', '&name=host2')).toMatchObject({
          status: { value: 'decommissioning' },
          interface_count: 0,
        });
        await muster.run(setAccount, { name: 'truth', settings: { removed: 'delete' } });
        expect(await run()).toMatchObject({ status: 'done' });
        expect((await netbox.all('dcim/devices/')).map(({ name }) => name)).toEqual(['host1', 'theirs']);
        expect(await run()).toMatchObject({ status: 'done', objects: NOTHING });
      });

      it('makes MAC addresses that are missing, takes those that are there, and exchanges primary addresses', async () => {
        await run();
        const port = await netbox.only('dcim/interfaces/', '&device=host1&name=eth0');
        const on = { assigned_object_type: 'dcim.interface', assigned_object_id: port.id };
        const spare = await netbox.make('dcim/mac-addresses/', { mac_address: '00:11:22:33:44:99', ...on });
        const ports = (...all: readonly (readonly [mac: string, ip: string])[]) =>
          JSON.stringify(all.map(([mac, ip], index) => ({ name: `eth${index}`, mac, ip })));
        const one = ports(['00:11:22:33:44:99', '10.0.2.1/24'], ['00:11:22:33:44:98', '10.0.1.2/24']);
        const two = ports(['00:11:22:33:44:42', '10.0.1.1/24'], ['', '10.0.2.2/24']);
        await host(1, { ip: '10.0.2.1/24', ports: one });
        await host(2, { ip: '10.0.1.1/24', ports: two });
        expect(await run()).toMatchObject({ status: 'done', failures: [] });
        expect(await netbox.all('dcim/devices/')).toMatchObject([
          { name: 'host1', primary_ip4: { address: '10.0.2.1/24' } },
          { name: 'host2', primary_ip4: { address: '10.0.1.1/24' } },
        ]);
        expect(await netbox.all('dcim/interfaces/')).toMatchObject([
          { mac_address: '00:11:22:33:44:99', primary_mac_address: { id: spare.id } },
          { mac_address: '00:11:22:33:44:98' },
          { mac_address: '00:11:22:33:44:42' },
          { mac_address: null },
        ]);
        // Three that hosts had at first, the spare one, and two more.
        expect(await netbox.all('dcim/mac-addresses/')).toHaveLength(6);
        expect(await run()).toMatchObject({ status: 'done', objects: NOTHING });
      });

      it('moves addresses, and names what NetBox refuses of many at once, with its words', async () => {
        await run();
        await host(1, { ip: '10.0.1.2/24' });
        await host(2, { floor: 'attic' });
        await muster.run(saveHost, {
          hostname: `host4${'x'.repeat(60)}`,
          account: 'cmdb',
          labels: labelsOf(4, 'device'),
        });
        await host(5, {});
        const report = await run();
        expect(report).toMatchObject({
          status: 'partial',
          failures: expect.arrayContaining([
            { hostname: 'host2', reason: expect.stringMatching(/^device host2 .*integer/i) },
            { hostname: expect.stringMatching(/^host4x/), reason: expect.stringMatching(/name: Ensure .* 64/) },
          ]),
        });
        expect(await netbox.all('dcim/devices/')).toMatchObject([
          { name: 'host1', primary_ip4: { address: '10.0.1.2/24' } },
          { name: 'host2', custom_fields: { floor: 2 } },
          { name: 'host5', primary_ip4: { address: '10.0.5.1/24' } },
        ]);
      });
    });
  }

  describe('tokens with few rights', LONG, () => {
    let netbox: RealNetBox;
    let muster: OperationsApp;
    beforeEach(async () => {
      netbox = new RealNetBox(server());
      await netbox.empty();
      await netbox.make('extras/custom-fields/', FLOOR);
      const storage = memoryStorage()();
      await storage.start();
      muster = await OperationsApp.over(storage);
      await muster.addAccounts('cmdb');
      await muster.run(importRules, { rules: RULES });
      await muster.run(saveHost, { hostname: 'host1', account: 'cmdb', labels: labelsOf(1, 'device') });
    }, 120_000);
    afterEach(() => muster.stop());
    const test = async (token: string, settings: Readonly<Record<string, string>> = {}) => {
      await addNetBox(muster, 'truth', netbox, { password: netbox.fact(token), ...settings });
      return muster.run(testAccount, { name: 'truth' });
    };

    it.each(['token', 'token of version 1'])('says who comes with %s', async (token) => {
      expect(await test(token)).toMatchObject({ target: { message: 'NetBox 4.7.3 as admin' } });
    });

    it('names the rights that are missing to write', async () => {
      const { target } = await test('token of a reader', { export_parts: 'prefixes' });
      expect(target?.message).toBe(
        'NetBox 4.7.3 as reader; the token lacks ipam.add_prefix, ipam.change_prefix, without which these objects are not exported',
      );
    });

    it('names the rights that are missing to read, also for sections', async () => {
      const { source } = await test('token of a stranger', { sections: 'interfaces,services' });
      expect(source?.message).toMatch(
        /^NetBox 4.7.3 lets stranger in, and not see all that the account reads: the permissions dcim.view_device, virtualization.view_virtualmachine, dcim.view_interface, virtualization.view_vminterface, ipam.view_ipaddress, ipam.view_service are missing;/,
      );
    });

    it('does what it may, and says of each object what it may not', async () => {
      await addNetBox(muster, 'truth', netbox, { password: netbox.fact('token of halfway') });
      const without = await muster.run(exportAccount, { account: 'truth' });
      expect(without).toMatchObject({
        status: 'partial',
        failures: expect.arrayContaining([
          {
            hostname: 'host1',
            reason: expect.stringMatching(/^site berlin .* the token of the account may not do it/),
          },
          { hostname: 'host1', reason: expect.stringMatching(/^device host1 .* site berlin, which it depends on,/) },
        ]),
      });
      await netbox.make('dcim/sites/', { name: 'Berlin', slug: 'berlin' });
      const report = await muster.run(exportAccount, { account: 'truth' });
      expect(report).toMatchObject({ status: 'partial' });
      expect(await netbox.only('dcim/devices/')).toMatchObject({
        name: 'host1',
        interface_count: 2,
        primary_ip4: null,
      });
      expect(await netbox.all('ipam/ip-addresses/')).toEqual([]);
    });
  });
});

function device(index: number): JsonObject {
  return {
    kind: 'device',
    status: 'active',
    site: 'Berlin',
    role: 'Server',
    tenant: 'Ops',
    serial: `S${index}`,
    primary: `10.0.${index}.1/24`,
    type: 'R640',
    manufacturer: 'Dell',
    cluster: null,
    custom_fields: { floor: index },
    interfaces: {
      eth0: { mac: `00:11:22:33:44:0${index}`, addresses: [`10.0.${index}.1/24`] },
      eth1: { mac: null, addresses: [`10.0.${index}.2/24`] },
    },
  };
}

async function readByPynetbox({ address, token }: RealNetBox): Promise<JsonObject> {
  const program = promisify(execFile)(pythonProgram('python'), [READER, address, token], { env: pythonEnvironment() });
  return JSON.parse((await program).stdout) as JsonObject;
}
