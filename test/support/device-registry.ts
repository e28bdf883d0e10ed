import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Registered {
  readonly id: string;
  name: string;
  owner: string | null;
  version: string;
  [field: string]: unknown;
}

/** The system that the example plugin `device-registry` writes to, with answers that it can be told to give. */
export class DeviceRegistry {
  readonly sites = new Map<string, Registered>();
  readonly devices = new Map<string, Registered>();
  /** Methods and paths of the requests that write. */
  readonly writes: string[] = [];
  /** Asked before each request is done. */
  fault: ((method: string, path: string, body: unknown) => { readonly status: number } | undefined) | undefined;
  /** Names that are taken by nobody. */
  refusedNames = new Set<string>();
  pageSize = 50;
  /** How long a write takes, milliseconds. */
  delay = 0;
  readonly #server: Server;
  #lastId = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<DeviceRegistry> {
    const registry = new DeviceRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  put(kind: 'sites' | 'devices', fields: { readonly name: string; readonly owner: string | null }): Registered {
    const id = `${kind[0]}${++this.#lastId}`;
    const made = { ...fields, id, version: '"1"' };
    this[kind].set(id, made);
    return made;
  }

  /** As somebody does by hand. */
  change(object: Registered, fields: object): void {
    Object.assign(object, fields, { version: `"${Number(object.version.slice(1, -1)) + 1}"` });
  }

  names(kind: 'sites' | 'devices'): readonly string[] {
    return [...this[kind].values()].map(({ name }) => name).sort();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const url = new URL(request.url ?? '/', this.url);
    const body = await bodyOf(request);
    if (method !== 'GET' && this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
    const fault = this.fault?.(method, url.pathname, body);
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (fault !== undefined) return send(fault.status, { error: `fault ${fault.status}` });
    if (request.headers.authorization !== 'Bearer sesame') return send(401, { error: 'who are you' });
    if (method !== 'GET') this.writes.push(`${method} ${url.pathname}`);
    const [status, value] = this.#done(method, url, body, request.headers['if-match']);
    send(status, value);
  }

  #done(method: string, url: URL, body: unknown, match: string | undefined): readonly [number, unknown] {
    const [, kind = '', id = ''] = url.pathname.split('/');
    if (kind === 'about') return [200, { name: 'Registry 1.0', user: 'muster' }];
    if (kind !== 'sites' && kind !== 'devices') return [404, { error: 'no such path' }];
    const all = this[kind];
    if (method === 'GET') return [200, this.#page(all, Number(url.searchParams.get('page') ?? 1))];
    if (method === 'POST') {
      const items = (Array.isArray(body) ? body : [body]) as Registered[];
      const problem = items.map((item) => this.#problem(kind, item)).find((text) => text !== undefined);
      if (problem !== undefined)
        return [Array.isArray(body) || !problem.startsWith('there is') ? 422 : 409, { error: problem }];
      const made = items.map((item) => this.put(kind, item));
      return Array.isArray(body) ? [201, made] : [201, made[0]];
    }
    const object = all.get(id);
    if (object === undefined) return [404, { error: `there is no ${id}` }];
    if (match !== '*' && match !== object.version) return [412, { error: `${object.name} is another one by now` }];
    if (method === 'DELETE') {
      all.delete(id);
      return [200, {}];
    }
    this.change(object, body as object);
    return [200, object];
  }

  #problem(kind: 'sites' | 'devices', item: Registered): string | undefined {
    if (this.refusedNames.has(item.name)) return `${item.name} is no name`;
    if ([...this[kind].values()].some(({ name }) => name === item.name)) return `there is one named ${item.name}`;
    if (kind === 'devices' && !this.names('sites').includes(String(item.site))) return `there is no site ${item.site}`;
    return undefined;
  }

  #page(all: ReadonlyMap<string, Registered>, page: number): object {
    const items = [...all.values()].slice((page - 1) * this.pageSize, page * this.pageSize);
    return { items, pages: Math.max(1, Math.ceil(all.size / this.pageSize)) };
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}
