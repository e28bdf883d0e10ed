import type { IncomingMessage } from 'node:http';
import type { JsonObject, JsonValue } from '../../src/ports/index.ts';
import { basicLogin, type JsonAnswer, JsonServer } from './json-server.ts';

export interface IdoitObject {
  readonly id: number;
  title: string;
  readonly type: string;
  status: 'NORMAL' | 'ARCHIVED' | 'DELETED';
  /** Entries by the constants of their categories. */
  readonly categories: Map<string, IdoitEntry[]>;
}

interface IdoitEntry {
  readonly id: number;
  readonly values: Record<string, JsonValue>;
}

const SINGLE_VALUE = new Set(['C__CATG__GLOBAL', 'C__CATG__MODEL']);
/** Attributes of each category that may be written; those with a list to choose from, which grows, are read as objects. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  C__CATG__GLOBAL: ['title', 'purpose', 'category', 'cmdb_status', 'tag', 'description'],
  C__CATG__MODEL: ['manufacturer', 'title', 'productid', 'service_tag', 'serial', 'firmware', 'description'],
  C__CATG__IP: ['net_type', 'ipv4_address', 'hostname', 'domain', 'primary', 'active', 'description'],
  C__CATG__ACCESS: ['title', 'type', 'url', 'primary', 'description'],
};
const CHOICES = new Set([
  'purpose',
  'category',
  'cmdb_status',
  'manufacturer',
  'title',
  'primary',
  'active',
  'net_type',
]);

const STATUS = { NORMAL: 2, ARCHIVED: 3, DELETED: 4 } as const;

class Refusal extends Error {}

/** The part of i-doit's JSON-RPC interface that objects of hosts need, as its documentation describes it. */
export class IdoitServer extends JsonServer {
  readonly objects = new Map<number, IdoitObject>();
  readonly key = 'k3y of i-doit';
  readonly password = 'pass phrase 1';
  /** Names of the methods that were called. */
  readonly calls: string[] = [];
  #lastId = 400;
  #lastEntry = 10;

  /** As somebody makes one in the browser. */
  put(title: string, type = 'C__OBJTYPE__SERVER'): IdoitObject {
    const id = ++this.#lastId;
    const made: IdoitObject = { id, title, type, status: 'NORMAL', categories: new Map() };
    this.objects.set(id, made);
    this.save(made, 'C__CATG__GLOBAL', { cmdb_status: 'C__CMDB_STATUS__IN_OPERATION' });
    return made;
  }

  /** Writes attributes of an entry; without one that of a single-value category, or a new one. Answers its id. */
  save(object: IdoitObject, category: string, values: JsonObject, entryId?: number): number {
    const known = ATTRIBUTES[category];
    const odd = Object.keys(values).find((name) => known?.includes(name) !== true);
    if (odd !== undefined) throw new Refusal(`There was a validation error: ${category} has no ${odd}`);
    const entries = object.categories.get(category) ?? [];
    object.categories.set(category, entries);
    let entry = SINGLE_VALUE.has(category) ? entries[0] : entries.find(({ id }) => id === entryId);
    if (entry === undefined) {
      if (entryId !== undefined) throw new Refusal(`Entry ${entryId} does not exist`);
      entry = { id: ++this.#lastEntry, values: {} };
      entries.push(entry);
    }
    if (category === 'C__CATG__IP' && Number(values.primary) === 1) {
      for (const other of entries) other.values.primary = 0;
    }
    Object.assign(entry.values, values);
    return entry.id;
  }

  /** The value of an attribute, as it was written. */
  attributeOf(object: IdoitObject, category: string, name: string): JsonValue {
    const entries = object.categories.get(category) ?? [];
    const entry = category === 'C__CATG__IP' ? entries.find(({ values }) => Number(values.primary) === 1) : entries[0];
    return entry?.values[name] ?? null;
  }

  titled(title: string): readonly IdoitObject[] {
    return [...this.objects.values()].filter((object) => object.title === title && object.status === 'NORMAL');
  }

  protected override answer(request: IncomingMessage, body: unknown): JsonAnswer {
    if (request.url !== '/src/jsonrpc.php') return [404, {}];
    const { id, method, params } = body as { id: number; method: string; params: JsonObject };
    const wrong = (code: number, message: string): JsonAnswer => [
      200,
      { jsonrpc: '2.0', error: { code, message, data: null }, id },
    ];
    if (request.headers.authorization !== basicLogin('muster', this.password) || params.apikey !== this.key) {
      return wrong(-32604, 'Authentication error');
    }
    this.calls.push(method);
    try {
      return [200, { id, jsonrpc: '2.0', result: this.#call(method, params) }];
    } catch (error) {
      if (error instanceof Refusal) return wrong(-32099, error.message);
      throw error;
    }
  }

  #call(method: string, params: JsonObject): JsonValue {
    switch (method) {
      case 'cmdb.objects.read':
        return this.#list(params);
      case 'cmdb.object.read': {
        const object = this.objects.get(Number(params.id));
        return object === undefined ? [] : { id: object.id, title: object.title, status: STATUS[object.status] };
      }
      case 'cmdb.object.create':
        return this.#create(params);
      case 'cmdb.object.update':
        this.#object(params.id).title = String(params.title);
        return { message: 'Object title was successfully updated', success: true };
      case 'cmdb.object.delete':
        return this.#delete(params);
      case 'cmdb.category.read':
        return this.#entries(this.#object(params.objID), String(params.category));
      case 'cmdb.category.save': {
        const entryId = params.entry === undefined ? undefined : Number(params.entry);
        const object = this.#object(params.object);
        const entry = this.save(object, String(params.category), params.data as JsonObject, entryId);
        return { success: true, message: 'Category entry successfully saved', entry };
      }
      default:
        throw new Refusal(`Method ${method} not found`);
    }
  }

  #object(id: JsonValue | undefined): IdoitObject {
    const found = typeof id === 'number' ? this.objects.get(id) : undefined;
    if (found === undefined) throw new Refusal(`Object ${JSON.stringify(id)} does not exist`);
    return found;
  }

  #create(params: JsonObject): JsonValue {
    const { type, title, category, purpose, cmdb_status, description, categories = {} } = params;
    if (typeof type !== 'string' || !/^C__OBJTYPE__\w+$/.test(type)) throw new Refusal('Object type is not valid');
    if (typeof title !== 'string' || title === '') throw new Refusal('Mandatory parameter title not found');
    const made = this.put(title, type);
    const given = Object.entries({ category, purpose, cmdb_status, description });
    this.save(
      made,
      'C__CATG__GLOBAL',
      Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    );
    for (const [constant, entries] of Object.entries(categories as JsonObject)) {
      for (const entry of entries as readonly JsonObject[]) this.save(made, constant, entry);
    }
    return { id: made.id, message: 'Object was successfully created', success: true };
  }

  #delete({ id, status }: JsonObject): JsonValue {
    const object = this.#object(id);
    if (status === 'C__RECORD_STATUS__PURGE') this.objects.delete(object.id);
    else if (status === 'C__RECORD_STATUS__DELETED') object.status = 'DELETED';
    else if (status === 'C__RECORD_STATUS__ARCHIVED') object.status = 'ARCHIVED';
    else throw new Refusal('Status is not valid');
    return { success: true, message: `Object ${object.id} has been deleted.` };
  }

  #list({ filter, limit, categories }: JsonObject): JsonValue {
    const { type, status, title } = filter as JsonObject;
    const [first = 0, second] = String(limit).split(',').map(Number);
    const [offset, count] = second === undefined ? [0, first] : [first, second];
    const found = [...this.objects.values()].filter(
      (object) =>
        object.type === type &&
        `C__RECORD_STATUS__${object.status}` === status &&
        (title === undefined || object.title.toLowerCase() === String(title).toLowerCase()),
    );
    return found.slice(offset, offset + count).map((object) => ({
      id: object.id,
      title: object.title,
      sysid: `SYSID_15000${object.id}`,
      type: 5,
      type_title: 'Server',
      created: '2024-05-15 17:43:30',
      status: 2,
      cmdb_status: 6,
      cmdb_status_title: 'in operation',
      categories: Object.fromEntries(
        ((categories ?? []) as readonly string[]).map((category) => [category, this.#entries(object, category)]),
      ),
    }));
  }

  #entries(object: IdoitObject, category: string): JsonValue {
    const own = category === 'C__CATG__GLOBAL' ? { type: choice(object.type) } : {};
    return (object.categories.get(category) ?? []).map(({ id, values }) => ({
      id: String(id),
      objID: String(object.id),
      ...Object.fromEntries((ATTRIBUTES[category] ?? []).map((name) => [name, shown(name, values[name])])),
      ...(category === 'C__CATG__IP' ? { hostaddress: { id: String(id), ref_title: values.ipv4_address ?? '' } } : {}),
      ...own,
    }));
  }
}

function shown(name: string, value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null || value === '') return CHOICES.has(name) ? null : '';
  if (name === 'primary' || name === 'active')
    return { value: String(value), title: Number(value) === 1 ? 'Yes' : 'No' };
  return CHOICES.has(name) ? choice(String(value)) : value;
}

function choice(title: string): JsonValue {
  return { id: String(title.length), title, const: /^C__/.test(title) ? title : null, title_lang: title };
}
