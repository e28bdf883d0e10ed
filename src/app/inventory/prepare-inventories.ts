import { AppError } from '../../ports/index.ts';
import { renderMode } from './render-mode.ts';
import type { InventoryServices } from './services.ts';

/** Number of hosts that are tried to find a served one, which is nearly always the first. */
const MOST_TRIED = 20;

/** A host that a provider serves, by which the way from an entrance to the inventory can be gone once. */
export interface ServedHost {
  readonly provider: string;
  readonly host: string;
}

/**
 * Does once what the first who asks for an inventory would wait for: loads the providers, compiles the rules, and renders one host, which goes
 * nowhere. Opens no secret: where rules show one, it stops before them. Answers the host that it rendered. Throws as the first who asks
 * would see it.
 */
export async function prepareInventories(services: InventoryServices): Promise<ServedHost | undefined> {
  const { inventories, evaluators, storage } = services;
  const names = await inventories.names();
  if (!(await evaluators.prepare())) return undefined;
  for (const name of names) {
    if (!(await inventories.isOfRules(name))) continue;
    for await (const hosts of storage.hosts.scan({ scope: null, kind: 'hosts', state: 'active' }, MOST_TRIED)) {
      const host = await renderOne(
        services,
        name,
        hosts.map(({ hostname }) => hostname),
      );
      return host === undefined ? undefined : { provider: name, host };
    }
  }
  return undefined;
}

/** Renders the first of these hosts that the provider serves, and answers which it was. */
async function renderOne(
  services: InventoryServices,
  provider: string,
  hostnames: readonly string[],
): Promise<string | undefined> {
  const render = renderMode(services, { entrance: 'rest' });
  const request = { scope: null, signal: new AbortController().signal };
  for (const hostname of hostnames) {
    try {
      const { body } = await services.inventories.answer({ provider, hostname, request, render });
      for await (const _ of body);
      return hostname;
    } catch (error) {
      // The fault of one host is reported to those who request it.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return undefined;
}
