import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type JsonAnswer, JsonServer } from './json-server.ts';

export interface Registered {
  readonly id: string;
  name: string;
  owner: string | null;
  version: string;
  [field: string]: unknown;
}

/** The system that the example plugin `device-registry` writes to, with answers that it can be told to give. */
export class DeviceRegistry extends JsonServer {
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
  #lastId = 0;

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

  protected override async answer(request: IncomingMessage, body: unknown): Promise<JsonAnswer> {
    const { method = 'GET' } = request;
    const url = new URL(request.url ?? '/', this.url);
    if (method !== 'GET' && this.delay > 0) await setTimeout(this.delay);
    const fault = this.fault?.(method, url.pathname, body);
    if (fault !== undefined) return [fault.status, { error: `fault ${fault.status}` }];
    if (request.headers.authorization !== 'Bearer sesame') return [401, { error: 'who are you' }];
    if (method !== 'GET') this.writes.push(`${method} ${url.pathname}`);
    return this.#done(method, url, body, request.headers['if-match']);
  }

  #done(method: string, url: URL, body: unknown, match: string | undefined): JsonAnswer {
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
