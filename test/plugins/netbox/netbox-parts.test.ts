import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnsweringServer, answeringServer } from '../../../src/testing/faulty-server.ts';
import { type World, world } from '../../app/import/support.ts';
import { device, netboxSource, registered, TOKEN } from './netbox-account.ts';
import { netboxAnswer } from './simulated-netbox.ts';

const DATA = {
  'dcim/devices/': [device(1, 'sw01'), device(2, 'sw02')],
  'virtualization/virtual-machines/': [
    { id: 1, name: 'vm1', status: { value: 'active' }, tags: [], custom_fields: {} },
  ],
  'tenancy/contacts/': [{ id: 1, name: 'nina', email: 'nina@example.org' }],
};

let server: AnsweringServer;
let there: World;
beforeEach(async () => {
  server = await answeringServer((request) => netboxAnswer({ authorization: `Bearer ${TOKEN}`, data: DATA }, request));
  there = await world();
});
afterEach(() => server.close());

function importParts(parts: string, part?: string) {
  const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
  const all = (registered().source.parts ?? []).map(({ id }) => id);
  return there.run(netboxSource(server.address, { parts }), { parts: all, part, options });
}

describe('netbox: an account that reads fewer parts than before', () => {
  it('leaves alone what the others brought', async () => {
    await importParts('devices,vms,contacts');
    expect(await there.active()).toEqual(['nina', 'sw01', 'sw02', 'vm1']);
    expect(await importParts('devices')).toMatchObject({ status: 'done', summary: { archived: 0 } });
    expect(await there.active()).toEqual(['nina', 'sw01', 'sw02', 'vm1']);
  });

  it('leaves alone what was read part by part', async () => {
    await importParts('devices,vms', 'vms');
    await importParts('devices,vms', 'contacts');
    expect(await importParts('devices')).toMatchObject({ status: 'done', summary: { created: 2, archived: 0 } });
    expect(await there.active()).toEqual(['nina', 'sw01', 'sw02', 'vm1']);
  });

  it('archives what the parts that it reads no longer have', async () => {
    await importParts('devices,vms');
    const [first] = DATA['dcim/devices/'];
    const data = { ...DATA, 'dcim/devices/': first === undefined ? [] : [first] };
    await server.close();
    server = await answeringServer((request) => netboxAnswer({ authorization: `Bearer ${TOKEN}`, data }, request));
    expect(await importParts('devices')).toMatchObject({ status: 'done', summary: { archived: 1 } });
    expect(await there.active()).toEqual(['sw01', 'vm1']);
  });
});
