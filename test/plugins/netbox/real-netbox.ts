import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import type { OperationsApp } from '../../app/operations/operations-app.ts';
import { emptyNetBox, type NetBoxSite } from '../../servers/netbox.ts';
import type { Running } from '../../servers/recipe.ts';

export type Found = JsonObject & { readonly id: number };

/** What somebody does in a NetBox by hand, by its own interface. */
export class RealNetBox {
  readonly #server: Running;
  readonly #site: NetBoxSite;

  constructor(server: Running, site: NetBoxSite = 'first') {
    this.#server = server;
    this.#site = site;
  }

  get address(): string {
    return this.fact(this.#site === 'first' ? 'address' : 'second address');
  }

  get token(): string {
    return this.fact('token');
  }

  fact(name: string): string {
    return this.#server.facts[name] ?? '';
  }

  empty(): Promise<void> {
    return emptyNetBox(this.#server, this.#site);
  }

  /** All objects of a list, in the order of their ids. */
  async all(path: string, query = ''): Promise<readonly Found[]> {
    const { results } = await this.#ask('GET', `${path}?limit=1000&ordering=id${query}`);
    return results as unknown as readonly Found[];
  }

  async only(path: string, query = ''): Promise<Found> {
    const found = await this.all(path, query);
    if (found.length !== 1) throw new Error(`${path}${query} has ${found.length} objects`);
    return found[0] as Found;
  }

  async make(path: string, fields: JsonObject): Promise<Found> {
    return (await this.#ask('POST', path, fields)) as Found;
  }

  makeAll(path: string, all: readonly JsonObject[]): Promise<readonly Found[]> {
    return this.#askForAll('POST', path, all);
  }

  async changeAll(path: string, all: readonly JsonObject[]): Promise<void> {
    await this.#askForAll('PATCH', path, all);
  }

  async change(path: string, id: number, fields: JsonObject): Promise<void> {
    await this.#ask('PATCH', `${path}${id}/`, fields);
  }

  async remove(path: string, id: number): Promise<void> {
    await this.#ask('DELETE', `${path}${id}/`);
  }

  /** In calls that NetBox answers soon. */
  async #askForAll(method: string, path: string, all: readonly JsonObject[]): Promise<readonly Found[]> {
    const answered: Found[] = [];
    for (let from = 0; from < all.length; from += 100) {
      answered.push(...((await this.#ask(method, path, all.slice(from, from + 100))) as unknown as readonly Found[]));
    }
    return answered;
  }

  async #ask(method: string, path: string, body?: unknown): Promise<JsonObject> {
    const response = await fetch(`${this.address}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 2000)}`);
    return text === '' ? {} : JSON.parse(text);
  }
}

/** An account that has the right to everything, unless it is given another token. */
export async function addNetBox(
  muster: OperationsApp,
  name: string,
  netbox: RealNetBox,
  { password = netbox.token, ...settings }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const limits = { delete_threshold: '100%', allow_empty: 'true' };
  const all = { url: netbox.address, ...limits, ...settings };
  await muster.run(addAccount, { name, type: 'netbox', settings: all, password });
}

/** A rule that hits every host, of outcomes by their actions. */
export function everyHost(name: string, outcomes: Readonly<Record<string, string>>, list?: string): JsonObject {
  return {
    name,
    enabled: true,
    condition_typ: 'anyway',
    conditions: [],
    outcomes: Object.entries(outcomes).map(([action, param]) =>
      list === undefined || !param.includes('LIST_VAR')
        ? { action, param }
        : { action, param, list_variable_name: list },
    ),
  };
}
