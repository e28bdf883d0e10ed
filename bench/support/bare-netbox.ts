import { createServer, type IncomingMessage } from 'node:http';

/** Answers as NetBox does, in its shapes, and does little more: no rights, no checks, no database. */

interface Stored {
  readonly id: number;
  [member: string]: unknown;
}

const DEVICES = 'dcim/devices/';
const PORTS = 'dcim/interfaces/';
const ADDRESSES = 'ipam/ip-addresses/';

/** Members that hold ids of other lists, which are shown as objects. */
const REFERS: Readonly<Record<string, string>> = {
  manufacturer: 'dcim/manufacturers/',
  device_type: 'dcim/device-types/',
  role: 'dcim/device-roles/',
  site: 'dcim/sites/',
  device: DEVICES,
  primary_ip4: ADDRESSES,
};
const CHOICES: ReadonlySet<string> = new Set(['status', 'type']);

/** The devices that it has at first, with two ports and an address on each. */
export async function bareNetBox(devices: number): Promise<{ readonly port: () => number; listen(): Promise<void> }> {
  const lists = new Map<string, Stored[]>();
  /** Texts of a list with some members, until something of it changes. */
  const texts = new Map<string, readonly string[]>();
  const byDevice = new Map<string, Map<number, number[]>>();

  const list = (path: string): Stored[] => {
    const known = lists.get(path) ?? [];
    lists.set(path, known);
    return known;
  };
  const at = (path: string, id: unknown): Stored | undefined => list(path)[Number(id) - 1];

  function make(path: string, fields: object): Stored {
    const all = list(path);
    const made: Stored = { ...DEFAULTS[path], ...fields, id: all.length + 1 };
    all.push(made);
    const owner =
      path === PORTS ? made.device : path === ADDRESSES ? at(PORTS, made.assigned_object_id)?.device : undefined;
    if (typeof owner === 'number') {
      const owned = byDevice.get(path) ?? new Map<number, number[]>();
      byDevice.set(path, owned);
      owned.set(owner, [...(owned.get(owner) ?? []), made.id]);
    }
    return made;
  }

  function brief(path: string, id: unknown): unknown {
    const object = at(path, id);
    if (object === undefined) return null;
    const { name, model, slug, address, manufacturer, device } = object;
    return {
      id: object.id,
      ...(name === undefined ? {} : { name, slug }),
      ...(model === undefined ? {} : { model, slug, manufacturer: brief('dcim/manufacturers/', manufacturer) }),
      ...(address === undefined ? {} : { address }),
      ...(device === undefined ? {} : { device: brief(DEVICES, device) }),
    };
  }

  function shown(path: string, object: Stored): Record<string, unknown> {
    const members = Object.entries(object).map(([name, value]) => {
      const of = REFERS[name];
      if (of !== undefined && value !== null) return [name, brief(of, value)];
      return [name, CHOICES.has(name) && typeof value === 'string' ? { value, label: value } : value];
    });
    const all = Object.fromEntries(members) as Record<string, unknown>;
    if (path === ADDRESSES) all.assigned_object = brief(PORTS, object.assigned_object_id);
    return all;
  }

  function textsOf(path: string, fields: string | null): readonly string[] {
    const key = `${path} ${fields ?? ''}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const names = fields?.split(',');
    const made = list(path).map((object) => {
      const all = shown(path, object);
      return JSON.stringify(names === undefined ? all : Object.fromEntries(names.map((name) => [name, all[name]])));
    });
    texts.set(key, made);
    return made;
  }

  function page(path: string, asked: URLSearchParams): string {
    const all = textsOf(path, asked.get('fields'));
    const owners = asked.getAll('device_id');
    const from = Math.max(Number(asked.get('start') ?? 0) - 1, 0);
    const limit = Number(asked.get('limit') ?? 50);
    const chosen = chosenIds(path, asked);
    if (chosen !== undefined) {
      const results = chosen.filter((id) => id > from);
      return answer(
        results.slice(0, limit).map((id) => all[id - 1] ?? ''),
        results.length > limit,
      );
    }
    if (owners.length === 0) return answer(all.slice(from, from + limit), from + limit < all.length);
    const owned = owners.flatMap((owner) => byDevice.get(path)?.get(Number(owner)) ?? []).filter((id) => id > from);
    return answer(
      owned.slice(0, limit).map((id) => all[id - 1] ?? ''),
      owned.length > limit,
    );
  }

  /** Those that a request asks for by their ids, their names, or the time of their last change. */
  function chosenIds(path: string, asked: URLSearchParams): readonly number[] | undefined {
    if (asked.has('id')) return asked.getAll('id').map(Number);
    const names = new Set(asked.getAll('name'));
    if (names.size > 0) return idsOf(path, ({ name }) => names.has(String(name)));
    const since = asked.get('last_updated__gte');
    if (since !== null) return idsOf(path, ({ last_updated }) => String(last_updated ?? '') >= since);
    if (!asked.has('ordering')) return undefined;
    const newest = list(path).reduce(
      (one: Stored | undefined, other) =>
        String(other.last_updated ?? '') > String(one?.last_updated ?? '') ? other : one,
      undefined,
    );
    return newest === undefined ? [] : [newest.id];
  }

  function idsOf(path: string, isMeant: (object: Stored) => boolean): readonly number[] {
    return list(path).flatMap((object) => (isMeant(object) ? object.id : []));
  }

  function write(method: string, path: string, body: unknown): string {
    for (const key of texts.keys()) if (key.startsWith(`${path} `)) texts.delete(key);
    const entries = (Array.isArray(body) ? body : [body]) as Record<string, unknown>[];
    const written = entries.map((fields) => {
      if (method === 'POST') return make(path, fields);
      return Object.assign(at(path, fields.id) ?? make(path, fields), fields, { last_updated: CHANGED_AT });
    });
    return JSON.stringify(written.map((object) => shown(path, object)));
  }

  for (let index = 0; index < devices; index++) seed(make, index);

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const path = url.pathname.replace(/^\/api\//, '');
    const { method = 'GET' } = request;
    let text: string;
    if (path === 'status/') text = JSON.stringify({ 'netbox-version': '4.7.3' });
    else if (path === 'authentication-check/') text = JSON.stringify({ username: 'bench' });
    else if (method === 'OPTIONS') text = JSON.stringify({ actions: { POST: { type: { choices: TYPES } } } });
    else if (method === 'GET') text = page(path, url.searchParams);
    else text = write(method, path, JSON.parse(await bodyOf(request)));
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' }).end(text);
  });
  return {
    port: () => (server.address() as { port: number }).port,
    listen: () => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)),
  };
}

const MADE_AT = '2026-11-01T10:00:00Z';
const CHANGED_AT = '2026-11-02T10:00:00Z';

const TYPES = ['1000base-t', 'other'].map((value) => ({ value, display_name: value }));

/** What NetBox adds to what is made, as far as lists show it. */
const DEFAULTS: Readonly<Record<string, object>> = {
  [DEVICES]: {
    display: 'device',
    tenant: null,
    platform: null,
    serial: '',
    asset_tag: null,
    location: null,
    rack: null,
    position: null,
    status: 'active',
    primary_ip4: null,
    primary_ip6: null,
    cluster: null,
    virtual_chassis: null,
    description: '',
    comments: '',
    tags: [],
    custom_fields: {},
    created: MADE_AT,
    last_updated: MADE_AT,
  },
  [PORTS]: {
    enabled: true,
    mac_address: null,
    description: '',
    speed: null,
    duplex: null,
    mode: null,
    mtu: null,
    tagged_vlans: [],
    connected_endpoints: null,
    tags: [],
    custom_fields: {},
  },
  [ADDRESSES]: { vrf: null, status: 'active', role: null, description: '', tags: [], custom_fields: {} },
};

function seed(make: (path: string, fields: object) => Stored, index: number): void {
  if (index === 0) {
    make('dcim/manufacturers/', { name: 'Dell', slug: 'dell' });
    make('dcim/device-types/', { model: 'R640', slug: 'r640', manufacturer: 1 });
    make('dcim/device-roles/', { name: 'Server', slug: 'server' });
    make('dcim/sites/', { name: 'Berlin', slug: 'berlin' });
  }
  const { id } = make(DEVICES, { name: deviceName(index), serial: `S${index}`, device_type: 1, role: 1, site: 1 });
  for (const port of [0, 1]) {
    const made = make(PORTS, { device: id, name: `eth${port}`, type: '1000base-t' });
    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: made.id };
    make(ADDRESSES, { address: deviceAddress(index, port), ...assigned });
  }
}

export function deviceName(index: number): string {
  return `device${String(index).padStart(6, '0')}`;
}

export function deviceAddress(index: number, port: number): string {
  return `10.${port}.${Math.floor(index / 250)}.${(index % 250) + 1}/16`;
}

function answer(results: readonly string[], hasMore: boolean): string {
  return `{"count":null,"next":${hasMore ? '"more"' : 'null'},"previous":null,"results":[${results.join(',')}]}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
