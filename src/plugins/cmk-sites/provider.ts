import type { InventoryDocument, InventoryProvider, ProviderServices } from '../../ports/inventory-provider.ts';
import type { JsonObject } from '../../ports/json.ts';
import { memberReference, memberText, ownMember, referenceValue } from '../../ports/rule-members.ts';
import { siteVariables } from './variables.ts';

/**
 * The servers of enabled monitoring sites. Sites belong to no account, and their variables hold secrets: a caller who is
 * restricted to accounts sees none of them.
 */
export function sitesProvider(services: ProviderServices): InventoryProvider {
  return {
    async full({ scope }): Promise<InventoryDocument> {
      const hostvars: [string, JsonObject][] = [];
      if (scope === null) {
        const settings = await allSettings(services);
        for (const site of await sitesByServer(services)) hostvars.push([site.server, await render(site, settings)]);
      }
      hostvars.sort(([a], [b]) => (a < b ? -1 : 1));
      return { _meta: { hostvars: Object.fromEntries(hostvars) }, all: { hosts: hostvars.map(([server]) => server) } };
    },
    async host(hostname, { scope }) {
      if (scope !== null) return false;
      const site = (await sitesByServer(services)).find(({ server }) => server === hostname);
      return site === undefined ? false : render(site, await allSettings(services));
    },
  };

  function render({ document }: Site, settings: ReadonlyMap<string, JsonObject>): Promise<JsonObject> {
    const master = settings.get(memberReference(document, 'settings_master') ?? '') ?? {};
    return siteVariables(document, master, services.render);
  }
}

interface Site {
  readonly server: string;
  readonly document: JsonObject;
}

/** The first enabled site of each server, in order of evaluation. */
async function sitesByServer(services: ProviderServices): Promise<readonly Site[]> {
  const sites = new Map<string, Site>();
  for (const document of await services.rules.enabled('cmk_sites')) {
    const server = memberText(document, 'server_address').trim();
    if (server !== '' && !sites.has(server)) sites.set(server, { server, document });
  }
  return [...sites.values()];
}

async function allSettings(services: ProviderServices): Promise<ReadonlyMap<string, JsonObject>> {
  const documents = await services.rules.all('cmk_site_settings');
  const settings = new Map<string, JsonObject>();
  for (const document of documents) {
    settings.set(memberText(document, 'name'), document);
    const id = referenceValue(ownMember(document, '_id'));
    if (id !== undefined) settings.set(id, document);
  }
  return settings;
}
