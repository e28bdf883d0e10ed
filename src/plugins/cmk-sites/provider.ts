import { memberReference, memberText, ownMember, referenceValue } from '../../kit/document/members.ts';
import type { InventoryHost, InventoryProvider, ProviderServices } from '../../ports/inventory-provider.ts';
import { type JsonObject, StoredJson } from '../../ports/json.ts';
import { withoutSecrets } from './settings-type.ts';
import { ownVariableNames, siteVariables } from './variables.ts';

/** The setting `server_user` under the name that says how Ansible connects. */
const USER = 'ansible_user';

/**
 * The servers of enabled monitoring sites. Sites belong to no account, and their variables hold secrets: a caller who is
 * restricted to accounts sees none of them.
 */
export function sitesProvider(services: ProviderServices): InventoryProvider {
  return {
    async *full({ scope }) {
      if (scope !== null) return;
      const settings = await allSettings(services);
      const sites = [...(await sitesByServer(services))].sort((a, b) => (a.server < b.server ? -1 : 1));
      const hosts: InventoryHost[] = [];
      for (const site of sites) hosts.push(await inventoryHost(site, settings));
      yield hosts;
    },
    async host(hostname, { scope }) {
      if (scope !== null) return false;
      const site = (await sitesByServer(services)).find(({ server }) => server === hostname);
      return site === undefined ? false : inventoryHost(site, await allSettings(services));
    },
    async waiting() {
      const settings = await allSettings(services);
      const named = [...(await sitesByServer(services))].map(({ document }) => settingsOf(document, settings));
      const used = new Set(named.filter((document) => document !== undefined));
      const { rules } = services;
      return [...(await rules.waiting('cmk_sites')), ...(await rules.waiting('cmk_site_settings', [...used]))];
    },
  };

  async function inventoryHost({ server, document }: Site, all: Settings): Promise<InventoryHost> {
    const { isConfirmed } = services.rules;
    const settings = settingsOf(document, all) ?? {};
    // Referring to settings reveals their secrets, and writing them determines where the secrets are used.
    const bothConfirmed = isConfirmed(document) && isConfirmed(settings);
    const variables = await siteVariables(document, bothConfirmed ? settings : withoutSecrets(settings), {
      render: services.render,
      open: async (member) => (bothConfirmed ? services.secret('cmk_site_settings', settings, member) : ''),
    });
    return {
      hostname: server,
      variables: StoredJson.ofValue(variables),
      vouched: isConfirmed(document) ? [...ownVariableNames(document), ...(bothConfirmed ? [USER] : [])] : [],
      groups: [],
    };
  }
}

interface Site {
  readonly server: string;
  readonly document: JsonObject;
}

type Settings = ReadonlyMap<string, JsonObject>;

/** The first enabled site of each server, in order of evaluation. */
async function sitesByServer(services: ProviderServices): Promise<readonly Site[]> {
  const sites = new Map<string, Site>();
  for (const document of await services.rules.enabled('cmk_sites')) {
    const server = memberText(document, 'server_address').trim();
    if (server !== '' && !sites.has(server)) sites.set(server, { server, document });
  }
  return [...sites.values()];
}

function settingsOf(site: JsonObject, all: Settings): JsonObject | undefined {
  return all.get(memberReference(site, 'settings_master') ?? '');
}

/** Settings by name and by id; a name that equals an id does not replace the settings with that id. */
async function allSettings(services: ProviderServices): Promise<Settings> {
  const documents = await services.rules.all('cmk_site_settings');
  const settings = new Map<string, JsonObject>();
  for (const document of documents) settings.set(memberText(document, 'name'), document);
  for (const document of documents) {
    const id = referenceValue(ownMember(document, '_id'));
    if (id !== undefined) settings.set(id, document);
  }
  return settings;
}
