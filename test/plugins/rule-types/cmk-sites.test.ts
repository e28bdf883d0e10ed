import { describe, expect, it } from 'vitest';
import { sitesProvider } from '../../../src/plugins/cmk-sites/provider.ts';
import { siteVariables } from '../../../src/plugins/cmk-sites/variables.ts';
import type { InventoryHost, InventoryRequest, ProviderServices } from '../../../src/ports/inventory-provider.ts';
import type { JsonObject } from '../../../src/ports/json.ts';

const documents: Record<string, readonly JsonObject[]> = {
  cmk_sites: [
    { name: 'b', server_address: 'srv2', settings_master: { $oid: 'a'.repeat(24) } },
    {
      name: 'a',
      server_address: 'srv1',
      settings_master: 'main',
      custom_ansible_variables: [
        { variable_name: 'f', variable_value: '{{ CMK_EDITION }}!' },
        { variable_name: 'n', variable_value: 5 },
      ],
    },
    { name: 'late', server_address: 'srv1', settings_master: 'main' },
    { name: 'nowhere' },
  ],
  cmk_site_settings: [
    {
      _id: { $oid: 'a'.repeat(24) },
      name: 'main',
      cmk_version: '2.3',
      cmk_edition: 'cre',
      cmk_version_filename: 'check-{{ CMK_VERSION }}.{{ CMK_EDITION }}',
      cmk_server_address: 'main.example',
      webserver_certificate_private_key: 'key',
      cmk_user: '',
      subscription_username: '{{ACCOUNT:shop:username}}',
      cmk_secret_crypted: 'sealed',
    },
  ],
};

/** Renders `{{ NAME }}` only. */
async function render(template: string, variables: Readonly<Record<string, unknown>>): Promise<string> {
  return template.replace(/\{\{ (\w+) \}\}/g, (_all, name: string) => String(variables[name]));
}

const services = {
  rules: {
    enabled: async (type: string) => (type === 'cmk_sites' ? documents[type] : []),
    all: async (type: string) => documents[type],
    isConfirmed: (document: JsonObject) => document.name !== 'b',
    waiting: async (type: string, asked: readonly JsonObject[] = []) =>
      asked.map(({ name }) => ({ type, name: String(name) })),
  },
  render,
  secret: async (type: string, document: JsonObject, member: string) =>
    document[member] === undefined ? '' : `${type} {{ CMK_VERSION }} ${document[member]}`,
} as unknown as ProviderServices;
const provider = sitesProvider(services);
const request = { scope: null, signal: new AbortController().signal };

/** The answer is a stream, in which a host may say which of its variables an administrator set. */
async function hostsOf(asked: InventoryRequest): Promise<readonly InventoryHost[]> {
  const batches = (await provider.full(asked)) as AsyncIterable<readonly InventoryHost[]>;
  const hosts: InventoryHost[] = [];
  for await (const batch of batches) hosts.push(...batch);
  return hosts;
}

/** As existing playbooks read it of settings that do not say it. */
const notGiven = {
  inital_password: null,
  installation_staging_path: '',
  subscription_username: null,
  subscription_password: null,
  cmk_user: '',
  cmk_secret: '',
  webserver_certificate: null,
  webserver_private_certificate: null,
  webserver_intermediate_certificate: null,
};
const harmless = {
  ...notGiven,
  cmk_version: '2.3',
  cmk_edition: 'cre',
  cmk_version_filename: 'check-2.3.cre',
  cmk_server_address: 'main.example',
  cmk_main_server_full: 'main.example',
  cmk_downtime_range: 1,
};
const settings = {
  ...harmless,
  cmk_secret: 'cmk_site_settings 2.3 sealed',
  subscription_username: '{{ACCOUNT:shop:username}}',
  webserver_certificate_private_key: 'key',
  webserver_private_certificate: 'key',
};

describe('the provider cmk_sites', () => {
  it('has one host for each server, sorted, with rendered settings, those with secrets where a site is confirmed', async () => {
    const hosts = await hostsOf(request);
    expect(hosts.map(({ hostname, variables }) => [hostname, variables.value])).toEqual([
      ['srv1', { cmk_site: 'a', ...settings, f: 'cre!', n: 5 }],
      ['srv2', { cmk_site: 'b', ...harmless }],
    ]);
    expect(await provider.host('srv2', request)).toEqual(hosts[1]);
    expect(await provider.host('srv3', request)).toBe(false);
  });

  it('says where a site without a main server of its own is, and takes what a site says itself', async () => {
    const site = {
      name: 'alone',
      server_address: ' srv9 ',
      custom_ansible_variables: [{ variable_name: 'cmk_downtime_range', variable_value: 4 }],
    };
    const open = async (): Promise<string> => '';
    expect(await siteVariables(site, {}, { render, open })).toEqual({
      cmk_site: 'alone',
      ...notGiven,
      cmk_main_server_full: 'https://srv9/alone',
      cmk_downtime_range: 4,
    });
  });

  it('vouches for the variables that a confirmed site names itself, and for the user of its settings', async () => {
    expect((await hostsOf(request)).map(({ vouched }) => vouched)).toEqual([['f', 'n', 'ansible_user'], []]);
  });

  it('keeps line breaks of certificates', async () => {
    const given = { webserver_certificate: '-----BEGIN\nx\n-----END\n' };
    const open = async (): Promise<string> => '';
    const strip = async (text: string): Promise<string> => text.trim();
    expect(await siteVariables({ name: 'a' }, given, { render: strip, open })).toMatchObject(given);
  });

  it('names the settings of its sites when it is asked what waits', async () => {
    expect(await provider.waiting?.()).toEqual([{ type: 'cmk_site_settings', name: 'main' }]);
  });

  it('shows nothing to callers who are restricted to accounts', async () => {
    const restricted = { ...request, scope: { accounts: ['x'], templates: null } };
    expect(await hostsOf(restricted)).toEqual([]);
    expect(await provider.host('srv1', restricted)).toBe(false);
  });
});
