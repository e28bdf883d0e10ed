import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { IdoitServer } from '../../support/i-doit-server.ts';
import { itemsOf } from '../../support/read-source.ts';
import { openRest, restType } from './rest-account.ts';

const EXPORT = join(import.meta.dirname, '../../fixtures/cmdbsyncer-4.4.0/everything/export.jsonl');
type Exported = { readonly typ?: string; readonly custom_fields?: readonly { name: string; value: string }[] };

/** The options of the first exported account of a type. */
function exportedOptions(type: string): Record<string, string> {
  const lines = readFileSync(EXPORT, 'utf8').split('\n');
  const line = lines.find((one) => one.includes(`"typ": "${type}"`) || one.includes(`"typ":"${type}"`));
  const { custom_fields = [] } = JSON.parse(line ?? '{}') as Exported;
  expect(custom_fields.length).toBeGreaterThan(0);
  return Object.fromEntries(custom_fields.map(({ name, value }) => [name, value]));
}

describe('accounts of existing installations', () => {
  it.each(['external_restapi', 'servicenow', 'prtg', 'jira_cloud', 'cisco_dna', 'i-doit'])(
    '%s: its options are taken',
    async (type) => {
      const known = await restType(type);
      const options = exportedOptions(type);
      expect(() => parseAccountOptions(known, options)).not.toThrow();
    },
  );

  describe('i-doit', () => {
    let server: IdoitServer;
    beforeEach(async () => {
      server = await new IdoitServer().start();
    });
    afterEach(() => server.stop());
    const read = async (fields: Record<string, string>) => {
      const account = { username: 'muster', password: server.password };
      const all = { api_token: server.key, object_types: 'C__OBJTYPE__SERVER', language: 'en', ...fields };
      return itemsOf(await openRest(server.url, all, { type: 'i-doit', account }));
    };

    it('has attributes of categories as labels, as they are called there', async () => {
      const web = server.put('web1');
      server.save(web, 'C__CATG__IP', { ipv4_address: '10.0.0.1', hostname: 'web1', primary: 1 });
      const two = server.put('web2');
      server.save(two, 'C__CATG__IP', { hostname: 'a', primary: 1 });
      server.save(two, 'C__CATG__IP', { hostname: 'b', primary: 0 });
      server.put('stored', 'C__OBJTYPE__PRINTER');
      const items = await read({ object_categories: 'C__CATG__IP, C__CATG__MODEL' });
      expect(items).toMatchObject([
        {
          hostname: 'web1',
          labels: { id: 401, ip_hostname: 'web1', ip_hostaddress_ref_title: '10.0.0.1', ip_primary_value: '1' },
        },
        { hostname: 'web2', labels: { ip_1_hostname: 'a', ip_2_hostname: 'b', ip_1_primary_value: '1' } },
      ]);
    });

    it('takes objects of some states, and of monitored ones alone', async () => {
      const names = async (fields: Record<string, string>) =>
        (await read(fields)).flatMap((item) => (item.kind === 'record' ? [item.hostname] : []));
      server.put('web1');
      expect(await names({})).toEqual(['web1']);
      expect(await names({ filter_cmdb_status: '1, 6,' })).toEqual(['web1']);
      expect(await names({ filter_cmdb_status: '1,66' })).toEqual([]);
      expect(await names({ filter_cmdb_status: '' })).toEqual(['web1']);
      expect(await names({ object_categories: 'C__CATG__MONITORING', filter_monitoring_status: 'True' })).toEqual([]);
      await expect(read({ filter_monitoring_status: 'True' })).rejects.toThrow('needs C__CATG__MONITORING');
    });
  });

  it('jdisc says that devices without a name are no hosts', async () => {
    const known = await restType('jdisc');
    const options = exportedOptions('jdisc');
    expect(() => parseAccountOptions(known, options)).toThrow('import_unnamed_devices cannot be true');
    expect(() => parseAccountOptions(known, { ...options, import_unnamed_devices: 'False' })).not.toThrow();
  });
});
