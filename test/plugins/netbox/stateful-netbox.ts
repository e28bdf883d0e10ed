import type { JsonObject, JsonValue } from '../../../src/ports/index.ts';
import {
  type AnsweringServer,
  answeringServer,
  type FaultyRequest,
  type SystemAnswer,
} from '../../../src/testing/faulty-server.ts';
import { isRelease, netboxAnswer } from './simulated-netbox.ts';

export const TOKEN = 'nbt_writer000001.secret0123456789secret0123456789secret01';
/** As releases before 4.5 have them. */
const FIRST_TOKEN = '0123456789abcdef0123456789abcdef01234567';

type Stored = Record<string, JsonValue> & { readonly id: number };

interface Model {
  readonly required: readonly string[];
  /** Members by which two may not be the same. */
  readonly unique: readonly (readonly string[])[];
  /** Members that hold the id of an object of another list, or several. */
  readonly refers: Readonly<Record<string, string>>;
  readonly defaults: JsonObject;
  /** Lists with objects that go when one of this list goes, by the member that refers to it. */
  readonly takesAlong?: Readonly<Record<string, string>>;
}

const NAMED: Model = { required: ['name', 'slug'], unique: [['name'], ['slug']], refers: {}, defaults: {} };
const STATUS = { status: 'active' };

/** What NetBox checks of the objects that are written to it. */
const MODELS: Readonly<Record<string, Model>> = {
  'extras/custom-fields/': { required: ['name', 'type', 'object_types'], unique: [['name']], refers: {}, defaults: {} },
  'dcim/manufacturers/': NAMED,
  'dcim/device-roles/': NAMED,
  'dcim/sites/': { ...NAMED, defaults: STATUS },
  'dcim/platforms/': { ...NAMED, refers: { manufacturer: 'dcim/manufacturers/' } },
  'tenancy/tenants/': NAMED,
  'virtualization/cluster-types/': NAMED,
  'tenancy/contact-groups/': NAMED,
  'ipam/vrfs/': { ...NAMED, required: ['name'], unique: [] },
  'dcim/device-types/': {
    required: ['model', 'slug', 'manufacturer'],
    unique: [['manufacturer', 'model']],
    refers: { manufacturer: 'dcim/manufacturers/' },
    defaults: {},
  },
  'dcim/locations/': {
    required: ['name', 'slug', 'site'],
    unique: [['site', 'name']],
    refers: { site: 'dcim/sites/' },
    defaults: {},
  },
  'dcim/racks/': {
    required: ['name', 'site'],
    unique: [],
    refers: { site: 'dcim/sites/', location: 'dcim/locations/' },
    defaults: {},
  },
  'dcim/devices/': {
    required: ['device_type', 'role', 'site'],
    unique: [['site', 'name']],
    refers: {
      device_type: 'dcim/device-types/',
      role: 'dcim/device-roles/',
      site: 'dcim/sites/',
      platform: 'dcim/platforms/',
      tenant: 'tenancy/tenants/',
      location: 'dcim/locations/',
      rack: 'dcim/racks/',
      primary_ip4: 'ipam/ip-addresses/',
      primary_ip6: 'ipam/ip-addresses/',
    },
    defaults: { ...STATUS, serial: '', custom_fields: {} },
    takesAlong: { 'dcim/interfaces/': 'device' },
  },
  'virtualization/clusters/': {
    required: ['name', 'type'],
    unique: [],
    refers: { type: 'virtualization/cluster-types/', scope_id: 'dcim/sites/' },
    defaults: { ...STATUS, description: '', custom_fields: {} },
  },
  'virtualization/virtual-machines/': {
    required: ['name'],
    unique: [['cluster', 'name']],
    refers: {
      cluster: 'virtualization/clusters/',
      role: 'dcim/device-roles/',
      site: 'dcim/sites/',
      platform: 'dcim/platforms/',
      tenant: 'tenancy/tenants/',
      primary_ip4: 'ipam/ip-addresses/',
      primary_ip6: 'ipam/ip-addresses/',
    },
    defaults: { ...STATUS, serial: '', custom_fields: {} },
    takesAlong: { 'virtualization/interfaces/': 'virtual_machine' },
  },
  'dcim/interfaces/': {
    required: ['device', 'name', 'type'],
    unique: [['device', 'name']],
    refers: { device: 'dcim/devices/', primary_mac_address: 'dcim/mac-addresses/' },
    defaults: { enabled: true, description: '' },
    takesAlong: { 'ipam/ip-addresses/': 'assigned_object_id' },
  },
  'virtualization/interfaces/': {
    required: ['virtual_machine', 'name'],
    unique: [['virtual_machine', 'name']],
    refers: { virtual_machine: 'virtualization/virtual-machines/', primary_mac_address: 'dcim/mac-addresses/' },
    defaults: { enabled: true, description: '' },
  },
  'dcim/mac-addresses/': { required: ['mac_address'], unique: [], refers: {}, defaults: {} },
  'ipam/prefixes/': { required: ['prefix'], unique: [], refers: {}, defaults: { ...STATUS, description: '' } },
  'ipam/ip-addresses/': {
    required: ['address'],
    unique: [['address']],
    refers: { vrf: 'ipam/vrfs/' },
    defaults: { ...STATUS, description: '' },
  },
  'tenancy/contacts/': {
    required: ['name'],
    unique: [],
    refers: { group: 'tenancy/contact-groups/', groups: 'tenancy/contact-groups/' },
    defaults: { custom_fields: {} },
  },
};
/** Before 4.7 they are made one after the other, until one is refused. */
const MADE_SINGLY = 'dcim/devices/';

const CHOICES = new Set(['status', 'type', 'mode', 'duplex', 'role']);

/** A NetBox that keeps what is written to it, and refuses what NetBox refuses, in its words. Lists of changes are done whole or not at all. */
export class StatefulNetBox {
  readonly #lists = new Map<string, Map<number, Stored>>(Object.keys(MODELS).map((path) => [path, new Map()]));
  readonly #version: string;
  /** Every call that would change something: `POST dcim/sites/ 3` of three objects. */
  readonly calls: string[] = [];
  /** MAC addresses and names that a validator of its own refuses. */
  readonly unwelcome = new Set<string>();
  /** A MAC address that is on no interface when it is to become the primary one. */
  astray = 0;
  /** Calls that are done, and whose answers are lost: `POST dcim/sites/`. */
  readonly lost = new Set<string>();
  #server: AnsweringServer | undefined;
  #lastId = 0;

  constructor(version = '4.7.3') {
    this.#version = version;
  }

  async start(): Promise<this> {
    this.#server = await answeringServer((request) => this.#answer(request));
    return this;
  }

  get address(): string {
    return this.#server?.address ?? '';
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  /** What an account logs in with. */
  get token(): string {
    return isRelease(this.#version, 4, 5) ? TOKEN : FIRST_TOKEN;
  }

  get requests(): readonly FaultyRequest[] {
    return this.#server?.requests ?? [];
  }

  /** As somebody does by hand, without any check. */
  put(path: string, fields: JsonObject): Stored {
    const made: Stored = { ...MODELS[path]?.defaults, ...fields, id: ++this.#lastId };
    this.#list(path).set(made.id, made);
    return made;
  }

  all(path: string): readonly Stored[] {
    return [...this.#list(path).values()];
  }

  remove(path: string, id: number): void {
    this.#list(path).delete(id);
    for (const [other, member] of Object.entries(MODELS[path]?.takesAlong ?? {})) {
      for (const object of this.all(other)) if (object[member] === id) this.remove(other, object.id);
    }
    if (path !== 'ipam/ip-addresses/') return;
    for (const machines of ['dcim/devices/', 'virtualization/virtual-machines/']) {
      for (const machine of this.all(machines)) {
        for (const member of ['primary_ip4', 'primary_ip6']) if (machine[member] === id) machine[member] = null;
      }
    }
  }

  /** As lists show it: what it refers to with its names, choices with their labels. */
  shown(path: string, object: Stored, depth = 3): JsonObject {
    const refers = MODELS[path]?.refers ?? {};
    const members = Object.entries(object).map(([name, value]): [string, JsonValue] => {
      const of = refers[name];
      const brief = (one: JsonValue): JsonValue =>
        of === undefined || typeof one !== 'number' || depth === 0 ? one : this.#brief(of, one, depth - 1);
      if (of !== undefined) return [name, Array.isArray(value) ? value.map(brief) : brief(value)];
      return CHOICES.has(name) && typeof value === 'string' && value !== '' && path !== 'extras/custom-fields/'
        ? [name, { value, label: value }]
        : [name, value];
    });
    const shown: Record<string, JsonValue> = Object.fromEntries(members);
    if (path === 'virtualization/clusters/') shown.scope = shown.scope_id ?? null;
    if (path === 'ipam/ip-addresses/') shown.assigned_object = depth === 0 ? null : this.#assigned(object, depth - 1);
    if ('primary_mac_address' in object)
      shown.mac_address = (shown.primary_mac_address as JsonObject | null)?.mac_address ?? null;
    return shown;
  }

  #assigned({ assigned_object_type, assigned_object_id }: Stored, depth: number): JsonValue {
    if (typeof assigned_object_id !== 'number') return null;
    const path = assigned_object_type === 'dcim.interface' ? 'dcim/interfaces/' : 'virtualization/interfaces/';
    return this.#brief(path, assigned_object_id, depth);
  }

  #brief(path: string, id: number, depth: number): JsonValue {
    const object = this.#list(path).get(id);
    return object === undefined ? null : this.shown(path, object, depth);
  }

  #answer(request: FaultyRequest): SystemAnswer {
    const url = new URL(request.path, 'http://localhost');
    const place = url.pathname.replace(/^.*\/api\//, '');
    const authorization = `${this.token.startsWith('nbt_') ? 'Bearer' : 'Token'} ${this.token}`;
    if (request.method === 'GET') {
      const data = {
        [place]: this.#lists.has(place) ? this.all(place).map((object) => this.shown(place, object)) : [],
      };
      return netboxAnswer({ version: this.#version, authorization, data }, request);
    }
    if (request.headers.authorization !== authorization) return json(403, { detail: 'Invalid v1 token' });
    const [, path = place, id] = /^(.*\/)(\d+)\/$/.exec(place) ?? [];
    if (!this.#lists.has(path)) return json(404, { detail: 'Not found.' });
    if (request.method === 'OPTIONS') return json(200, { actions: { POST: {}, PUT: {} } });
    const body = request.body === '' ? [] : (JSON.parse(request.body) as JsonValue);
    this.calls.push(`${request.method} ${path} ${Array.isArray(body) ? body.length : 1}`);
    const single = id === undefined ? body : { ...(body as JsonObject), id: Number(id) };
    const answer = this.#write(
      request.method,
      path,
      (Array.isArray(single) ? single : [single]) as readonly JsonObject[],
    );
    if (this.lost.has(`${request.method} ${path}`)) throw new Error('the answer is lost');
    return Array.isArray(single) || answer.body === '' ? answer : { ...answer, body: unwrapped(String(answer.body)) };
  }

  #write(method: string, path: string, items: readonly JsonObject[]): SystemAnswer {
    const missing = method === 'POST' ? undefined : items.find(({ id }) => !this.#list(path).has(Number(id)));
    if (missing !== undefined) return json(404, { detail: 'Not found.' });
    if (method === 'DELETE') {
      for (const { id } of items) this.remove(path, Number(id));
      return { status: 204, body: '' };
    }
    const taken = this.#taken(path);
    // All or nothing.
    const before = new Map([...this.#list(path)].map(([key, object]) => [key, { ...object }]));
    const errors: JsonObject[] = [];
    const done: Stored[] = [];
    for (const { changelog_message: _, ...item } of items) {
      const known = method === 'POST' ? undefined : this.#list(path).get(Number(item.id));
      const { custom_fields = {}, ...fields } = item;
      const wanted = { ...MODELS[path]?.defaults, ...known, ...fields } as Stored;
      if ('custom_fields' in item)
        wanted.custom_fields = { ...(known?.custom_fields as JsonObject), ...(custom_fields as JsonObject) };
      const problem = this.#problem(path, wanted, taken, known?.id);
      errors.push(problem);
      if (Object.keys(problem).length > 0) continue;
      const stored: Stored = { ...wanted, id: known?.id ?? ++this.#lastId };
      this.#list(path).set(stored.id, stored);
      for (const key of keysOf(path, stored)) taken.set(key, stored.id);
      done.push(stored);
    }
    if (errors.some((error) => Object.keys(error).length > 0)) {
      this.#lists.set(path, before);
      return json(400, items.length === 1 ? errors : this.#refusal({ method, path }, items, errors));
    }
    // What was changed comes in an order of its own.
    if (method === 'PATCH') done.sort((a, b) => b.id - a.id);
    return json(
      method === 'POST' ? 201 : 200,
      done.map((object) => this.shown(path, object)),
    );
  }

  /** Releases before 4.7 name each of most of what was to be made, and otherwise nothing but the first error. */
  #refusal(
    { method, path }: { readonly method: string; readonly path: string },
    items: readonly JsonObject[],
    errors: readonly JsonObject[],
  ): JsonValue {
    if (!isRelease(this.#version, 4, 7)) {
      const namesEach = method === 'POST' && path !== MADE_SINGLY;
      return namesEach ? errors : (errors.find((error) => Object.keys(error).length > 0) ?? {});
    }
    const named = errors.flatMap((error, index) => {
      const which = method === 'POST' ? { index } : { id: items[index]?.id ?? null };
      return Object.keys(error).length === 0 ? [] : [{ ...which, errors: error }];
    });
    return { detail: `${named.length} of ${items.length} objects could not be written.`, errors: named };
  }

  #problem(path: string, wanted: JsonObject, taken: ReadonlyMap<string, number>, own: number | undefined): JsonObject {
    const model = MODELS[path];
    for (const member of model?.required ?? []) {
      if (wanted[member] === undefined || wanted[member] === null) return { [member]: ['This field is required.'] };
    }
    for (const [member, of] of Object.entries(model?.refers ?? {})) {
      const ids = [wanted[member] ?? []].flat();
      const missing = ids.find((id) => !this.#list(of).has(Number(id)));
      if (missing !== undefined)
        return { [member]: [`Related object not found using the provided numeric ID: ${missing}`] };
    }
    if (this.unwelcome.has(String(wanted.name))) return { name: [`${wanted.name} is no name that is allowed.`] };
    const same = keysOf(path, wanted).find((key) => taken.has(key) && taken.get(key) !== own);
    if (same !== undefined) return { [same.split('\n')[0] ?? 'name']: ['An object like this already exists.'] };
    if (path === 'dcim/mac-addresses/' && this.unwelcome.has(String(wanted.mac_address))) {
      return { mac_address: [`${wanted.mac_address} is of no manufacturer that is allowed.`] };
    }
    const mac = this.#lists.get('dcim/mac-addresses/')?.get(Number(wanted.primary_mac_address ?? 0));
    if (mac !== undefined && (mac.assigned_object_id !== own || mac.id === this.astray)) {
      return { __all__: ['Only a MAC address assigned to this interface can be its primary MAC address.'] };
    }
    const ip = wanted.primary_ip4;
    if (typeof ip === 'number' && this.#machineOf(ip) !== own)
      return { primary_ip4: ['The specified IP address is not assigned to this device.'] };
    const held = own === undefined || path !== 'ipam/ip-addresses/' ? undefined : this.#holderOf(own);
    if (held !== undefined && this.#machineOf(own as number, wanted) !== held) {
      const refusal = 'Cannot reassign IP address while it is designated as the primary IP for the parent object';
      return { __all__: [refusal] };
    }
    return {};
  }

  /** The device or virtual machine whose primary address it is. */
  #holderOf(ip: number): number | undefined {
    const machines = [...this.all('dcim/devices/'), ...this.all('virtualization/virtual-machines/')];
    return machines.find(({ primary_ip4, primary_ip6 }) => primary_ip4 === ip || primary_ip6 === ip)?.id;
  }

  #taken(path: string): Map<string, number> {
    return new Map(this.all(path).flatMap((object) => keysOf(path, object).map((key) => [key, object.id] as const)));
  }

  #machineOf(
    ip: number,
    address: JsonObject | undefined = this.#list('ipam/ip-addresses/').get(ip),
  ): number | undefined {
    const [type, id] = [address?.assigned_object_type, address?.assigned_object_id];
    const [path, member] =
      type === 'dcim.interface' ? ['dcim/interfaces/', 'device'] : ['virtualization/interfaces/', 'virtual_machine'];
    return this.#list(path).get(Number(id))?.[member] as number | undefined;
  }

  #list(path: string): Map<number, Stored> {
    const list = this.#lists.get(path);
    if (list === undefined) throw new Error(`there is no list ${path}`);
    return list;
  }
}

/** What another object of the list may not have too. */
function keysOf(path: string, object: JsonObject): readonly string[] {
  return (MODELS[path]?.unique ?? []).map((members) =>
    [members.at(-1), ...members.map((member) => String(object[member] ?? '').toLowerCase())].join('\n'),
  );
}

function json(status: number, value: JsonValue): SystemAnswer {
  return { status, body: JSON.stringify(value) };
}

function unwrapped(body: string): string {
  const value = JSON.parse(body) as JsonValue;
  return JSON.stringify(Array.isArray(value) ? value[0] : value);
}
