import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, SourceBookmark, SourceItem } from '../../../src/ports/index.ts';
import { type AnsweringServer, answeringServer } from '../../../src/testing/faulty-server.ts';
import { device, itemsOf, netboxSource, recordsOf, TOKEN } from './netbox-account.ts';
import { netboxAnswer } from './simulated-netbox.ts';

const OLD = '2026-11-01T10:00:00.000000Z';
const AT = '2026-11-02T10:00:00.000000Z';
const NEW = '2026-11-02T12:00:00.000000Z';

let server: AnsweringServer;
let data: Record<string, JsonObject[]>;
let hidden: string[];
let version: string;

beforeEach(async () => {
  hidden = [];
  version = '4.7.3';
  data = {
    'dcim/devices/': [1, 2, 3, 4].map((id) => device(id, `sw0${id}`, { last_updated: OLD })),
    'virtualization/virtual-machines/': [vm(1, 'vm1'), vm(2, 'vm2')],
    'dcim/interfaces/': [port(11, 1), port(12, 2)],
    'virtualization/interfaces/': [],
    'ipam/ip-addresses/': [
      address(21, 'dcim.interface', { id: 11, name: 'eth0', device: { id: 1, name: 'sw01' } }),
      address(22, 'virtualization.vminterface', { id: 11, name: 'eth0', virtual_machine: { id: 1, name: 'vm1' } }),
    ],
    'dcim/mac-addresses/': [
      { ...address(31, 'dcim.interface', { id: 12, name: 'eth0', device: { id: 2, name: 'sw02' } }), mac_address: 'A' },
    ],
    'ipam/services/': [
      { id: 41, name: 'ssh', parent_object_type: 'dcim.device', parent_object_id: 3, last_updated: OLD },
    ],
    'dcim/sites/': [{ id: 2, name: 'Akron', last_updated: AT }],
  };
  server = await answeringServer((request) =>
    netboxAnswer({ authorization: `Bearer ${TOKEN}`, data, hidden, version }, request),
  );
});

afterEach(() => server.close());

function vm(id: number, name: string): JsonObject {
  return { id, name, status: { value: 'active', label: 'Active' }, tags: [], custom_fields: {}, last_updated: OLD };
}

function port(id: number, of: number): JsonObject {
  return { id, name: 'eth0', device: { id: of, name: `sw0${of}` }, last_updated: OLD };
}

function address(id: number, type: string, assigned: JsonObject): JsonObject {
  return {
    id,
    address: `10.0.0.${id}/24`,
    assigned_object_type: type,
    assigned_object_id: assigned.id ?? null,
    assigned_object: assigned,
    last_updated: id === 21 ? AT : OLD,
  };
}

function change(list: string, id: number, more: JsonObject = {}): void {
  data[list] = (data[list] ?? []).map((one) => (one.id === id ? { ...one, last_updated: NEW, ...more } : one));
}

async function read(since?: string, given: object = {}, part?: string) {
  const items = await itemsOf(netboxSource(server.address, { full_read_hours: 24, ...given }), part, since);
  return { bookmark: bookmarkOf(items), names: recordsOf(items).map(({ hostname }) => hostname), items };
}

function bookmarkOf([first]: readonly SourceItem[]): SourceBookmark | undefined {
  return first?.kind === 'bookmark' ? first : undefined;
}

const ALL = ['sw01', 'sw02', 'sw03', 'sw04', 'vm1', 'vm2'];

/** Everything is read once, then something happens, then what changed is read. */
async function changesAfter(happens: () => void, given: object = {}, part?: string) {
  const first = await read(undefined, given, part);
  expect(first.bookmark).toMatchObject({ changesOnly: false });
  happens();
  return read(first.bookmark?.text, given, part);
}

describe.each(['4.7.3', '4.2.9'])('netbox %s, what changed', (release) => {
  beforeEach(() => {
    version = release;
  });

  it('is only asked for where the account says so', async () => {
    const { bookmark, names } = await read(`${AT} x`, { full_read_hours: 0 });
    expect([bookmark, names]).toEqual([undefined, ALL]);
  });

  it('begins at the newest change of NetBox', async () => {
    const { bookmark, names } = await read();
    expect(names).toEqual(ALL);
    expect(bookmark?.text.split(' ')[0]).toBe(AT);
  });

  it('is devices and virtual machines of which NetBox says so', async () => {
    const { bookmark, names } = await changesAfter(() => {
      change('dcim/devices/', 3);
      change('virtualization/virtual-machines/', 2, { name: 'vm2b' });
    });
    expect(bookmark).toMatchObject({ changesOnly: true, text: expect.stringMatching(new RegExp(`^${NEW} `)) });
    expect(names).toEqual(['sw01', 'sw03', 'vm2b']);
  });

  it('is read again from some minutes before, for what was under way then', async () => {
    change('dcim/devices/', 4, { last_updated: '2026-11-02T09:50:00Z' });
    change('dcim/devices/', 2, { last_updated: '2026-11-02T09:40:00Z' });
    expect((await changesAfter(() => undefined)).names).toEqual(['sw01', 'sw04']);
  });

  it('is a host whose address is another one', async () => {
    expect((await changesAfter(() => change('ipam/ip-addresses/', 22))).names).toEqual(['sw01', 'vm1']);
  });

  it('is a host whose interface, MAC address or service is another one, where those are read', async () => {
    const happens = (): void => {
      change('dcim/interfaces/', 11);
      change('dcim/mac-addresses/', 31);
      change('ipam/services/', 41);
    };
    expect((await changesAfter(happens, { sections: 'interfaces,services' })).names).toEqual(['sw01', 'sw02', 'sw03']);
    expect((await changesAfter(happens)).names).toEqual([]);
  });

  it('is the master of a virtual chassis of which a member changed, where it stands for all of them', async () => {
    const chassis = { virtual_chassis: { id: 1, master: { id: 1, name: 'sw01' } } };
    for (const id of [1, 2]) change('dcim/devices/', id, { last_updated: OLD, ...chassis });
    const given = { sections: 'interfaces', virtual_chassis: 'master' };
    expect((await changesAfter(() => change('dcim/interfaces/', 12), given)).names).toEqual(['sw01']);
  });

  it('is everything where something changed that devices refer to', async () => {
    const { bookmark, names } = await changesAfter(() => change('dcim/sites/', 2, { name: 'Akron 2' }));
    expect([bookmark?.changesOnly, names]).toEqual([false, ALL]);
    const removed = await changesAfter(() => {
      data['dcim/sites/'] = [];
    });
    expect(removed.bookmark).toMatchObject({ changesOnly: false });
  });

  it('comes with the others of its name, so that the first stays the host', async () => {
    const { names, items } = await changesAfter(() => change('dcim/devices/', 4, { name: 'sw02' }));
    expect(names).toEqual(['sw01', 'sw02', 'sw02']);
    expect(recordsOf(items).map(({ keys }) => keys?.id)).toEqual([['devices/1'], ['devices/2'], ['devices/4']]);
  });

  it('is of what the filter leaves', async () => {
    const given = { import_filter: 'status:active' };
    const { names } = await changesAfter(() => {
      change('dcim/devices/', 1, { status: { value: 'offline' } });
      change('dcim/devices/', 2);
    }, given);
    expect(names).toEqual(['sw02']);
    const byName = { import_filter: 'name:sw01' };
    expect((await changesAfter(() => change('dcim/devices/', 1), byName)).bookmark).toMatchObject({
      changesOnly: false,
    });
  });

  it('is objects too, with what is named after hosts that changed', async () => {
    const given = { parts: 'interfaces,ips' };
    const { names } = await changesAfter(() => {
      change('dcim/devices/', 2);
      change('ipam/ip-addresses/', 22);
    }, given);
    expect(names).toEqual(['sw01:eth0', 'sw02:eth0', '10.0.0.21', '10.0.0.22']);
    const { items } = await read(undefined, given);
    expect(recordsOf(items)[0]?.keys).toEqual({ id: ['interfaces/11'] });
  });

  it('is of one part, where one is read', async () => {
    const { names } = await changesAfter(() => change('virtualization/virtual-machines/', 2), {}, 'vms');
    expect(names).toEqual(['vm2']);
  });

  it('does not need what the token may not see', async () => {
    change('dcim/devices/', 4, { last_updated: AT });
    hidden = ['ipam/ip-addresses/', 'dcim/mac-addresses/', 'dcim/sites/'];
    expect((await changesAfter(() => change('dcim/devices/', 3))).names).toEqual(['sw03', 'sw04']);
  });

  it('is everything where nothing says from where', async () => {
    expect((await read('nonsense')).names).toEqual(ALL);
    for (const list of Object.keys(data)) data[list] = [];
    expect((await read()).bookmark).toBeUndefined();
  });
});
