import { describe, expect, it } from 'vitest';
import { sitesProvider } from '../../../src/plugins/cmk-sites/provider.ts';
import type { ProviderServices } from '../../../src/ports/inventory-provider.ts';
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
  },
  render,
} as unknown as ProviderServices;
const provider = sitesProvider(services);
const request = { scope: null, signal: new AbortController().signal };
const settings = {
  cmk_version: '2.3',
  cmk_edition: 'cre',
  cmk_version_filename: 'check-2.3.cre',
  cmk_server_address: 'main.example',
  cmk_main_server_full: 'main.example',
  webserver_certificate_private_key: 'key',
  webserver_private_certificate: 'key',
};

describe('the provider cmk_sites', () => {
  it('has one host for each server, sorted, with rendered settings and own variables', async () => {
    const document = await provider.full(request);
    expect(document).toEqual({
      _meta: {
        hostvars: { srv1: { cmk_site: 'a', ...settings, f: 'cre!', n: 5 }, srv2: { cmk_site: 'b', ...settings } },
      },
      all: { hosts: ['srv1', 'srv2'] },
    });
    expect(await provider.host('srv2', request)).toEqual({ cmk_site: 'b', ...settings });
    expect(await provider.host('srv3', request)).toBe(false);
  });

  it('shows nothing to callers who are restricted to accounts', async () => {
    const restricted = { ...request, scope: ['x'] };
    expect(await provider.full(restricted)).toEqual({ _meta: { hostvars: {} }, all: { hosts: [] } });
    expect(await provider.host('srv1', restricted)).toBe(false);
  });
});
