import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { getAccount } from '../../../src/app/accounts/operations/get-account.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { showAccount } from '../../../src/app/accounts/operations/show-account.ts';
import { checkExport } from '../../../src/app/migration/operations/check-export.ts';
import { exportRules } from '../../../src/app/rules/operations/export-rules.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { listRules } from '../../../src/app/rules/operations/list-rules.ts';
import type { JsonValue } from '../../../src/ports/json.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';

let muster: OperationsApp;
beforeEach(async () => {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  muster = await OperationsApp.over(storage);
});
afterEach(() => muster.stop());

const oid = { $oid: '65f1c0ffee00000000000001' };
const path = { name: 'path', value: 'hosts.csv' };
const skip = { name: 'empty_cells', value: 'skip' };

async function stored(account: Record<string, unknown>): Promise<JsonValue | undefined> {
  await muster.run(importRules, { rules: { accounts: [{ name: 'hosts', ...account }] } });
  return (await muster.storage.rules.findByName('accounts', 'hosts'))?.document.value.custom_fields;
}

describe('an account of an export of an existing installation', () => {
  it('leaves empty cells of its CSV file out, as it did there', async () => {
    expect(await stored({ _id: oid, typ: 'csv', custom_fields: [path] })).toEqual([path, skip]);
  });

  it.each<[string, Record<string, unknown>, readonly unknown[] | undefined]>([
    [
      'says itself what to do',
      { _id: oid, typ: 'csv', custom_fields: [{ ...skip, value: 'keep' }] },
      [{ ...skip, value: 'keep' }],
    ],
    ['is one of ours', { _id: oid, type: 'csv', custom_fields: [path] }, [path]],
    ['was written by hand', { typ: 'csv', custom_fields: [path] }, [path]],
    ['reads no CSV file', { _id: oid, typ: 'json', custom_fields: [path] }, [path]],
  ])('is not changed where it %s', async (_, account, fields) => {
    expect(await stored(account)).toEqual(fields);
  });

  it('keeps its options for requests, with the secrets in them sealed and shown to nobody', async () => {
    const plain = [
      { name: 'http_proxy', value: 'http://{{ACCOUNT:plain:username}}@proxy.example.net:3128' },
      { name: 'request_timeout', value: '90' },
      { name: 'verify_cert', value: 'False' },
      { name: 'ca_cert_chain', value: '/etc/ssl/chain.pem' },
    ];
    const custom_fields = [{ name: 'custom_headers', value: 'X-API-Key: hunter2 | X-Tenant: muc' }, ...plain];
    const fields = await stored({ _id: oid, typ: 'external_restapi', custom_fields });
    expect(fields).toEqual([
      { name: 'custom_headers', value_crypted: expect.not.stringContaining('hunter2') },
      ...plain,
    ]);
    const shown = [
      await muster.run(showAccount, { name: 'hosts' }),
      await muster.read(listRules, { rule_type: 'accounts' }),
      await muster.read(exportRules, { include_accounts: true }),
    ];
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    expect(shown[0]).toMatchObject({ options: { custom_headers: '********', request_timeout: '90' } });
  });

  it.each([
    ['mysql', { table: 'hosts', fields: 'name,site', database: 'cmdb', custom_query: 'SELECT 1', allow_ddl: 'no' }],
    ['mssql', { table: 'hosts', instance: 'CMDB', serverport: '1433', driver: 'ODBC Driver 18 for SQL Server' }],
    ['odbc', { table: 'hosts', serverport: '1433', driver: 'FreeTDS', trust_server_certificate: 'yes', fields: 'a' }],
    [
      'ldap',
      { base_dn: 'dc=x', search_filter: '(a=b)', attributes: 'memberOf', encoding: 'ascii', allow_unencrypted: 'yes' },
    ],
  ])('of type %s keeps its options and their names', async (typ, options) => {
    const own = {
      hostname_field: 'host',
      inventorize_key: 'facts',
      http_proxy: 'direct',
      verify_cert: 'True',
      ...options,
    };
    const custom_fields = Object.entries(own).map(([name, value]) => ({ name, value }));
    const accounts = [{ name: typ, _id: oid, typ, enabled: true, address: 'db', custom_fields }];
    const { differences } = await muster.run(checkExport, { rules: { accounts } });
    expect(differences.filter(({ topic }) => topic === 'account_options')).toEqual([]);
    expect((await muster.run(importRules, { rules: { accounts }, dry_run: true })).warnings).toEqual([]);
  });

  it('is read by a source of files whatever options for requests it has', async () => {
    const custom_fields = [path, { name: 'verify_cert', value: 'True' }, { name: 'http_proxy', value: 'direct' }];
    const checked = async (typ: string) => {
      const accounts = [{ name: typ, _id: oid, typ, enabled: true, custom_fields }];
      const answer = await muster.run(importRules, { rules: { accounts }, dry_run: true });
      const { differences } = await muster.run(checkExport, { rules: { accounts } });
      const refused = differences.find(({ topic }) => topic === 'account_options')?.documents ?? [];
      return [answer.warnings, refused];
    };
    for (const typ of ['csv', 'json', 'yml']) expect([typ, ...(await checked(typ))]).toEqual([typ, [], []]);
  });

  it('takes its password, and is switched off, whatever nobody here knows of its type or its options', async () => {
    await stored({ _id: oid, typ: 'made_up', custom_fields: [{ name: 'odd', value: '1' }] });
    await muster.run(setAccount, { name: 'hosts', password: 'hunter2' });
    await muster.run(setAccount, { name: 'hosts', enabled: false });
    expect(await muster.run(showAccount, { name: 'hosts' })).toMatchObject({ enabled: false, options: { odd: '1' } });
    expect(await muster.run(getAccount, { name: 'hosts' })).toMatchObject({ password: 'hunter2' });
    const options = [{ name: 'nothing_like_it', value: '1' }];
    await muster.run(importRules, {
      rules: { accounts: [{ name: 'known', _id: { $oid: 'a'.repeat(24) }, typ: 'csv', custom_fields: options }] },
    });
    await muster.run(setAccount, { name: 'known', enabled: false });
    await expect(muster.run(setAccount, { name: 'known', enabled: true })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('is stored with a warning for each option that its type does not have here', async () => {
    const custom_fields = [
      path,
      { name: 'hostname_field', value: 'host' },
      { name: 'rewrite_hostname', value: '{{ HOSTNAME }}' },
      { name: 'http_magic', value: '' },
      { name: 'group_by', value: 'site' },
    ];
    const accounts = [
      { name: 'hosts', _id: oid, typ: 'csv', custom_fields },
      { name: 'api', typ: 'custom', custom_fields },
      { name: 'later', typ: 'vmware_vcenter', custom_fields },
    ];
    const answer = await muster.run(importRules, { rules: { accounts } });
    expect(answer.imported).toEqual({ accounts: 3 });
    expect(answer.warnings).toEqual([
      expect.objectContaining({
        rule_type: 'accounts',
        name: 'hosts',
        path: 'custom_fields.4',
        message: expect.stringContaining('"group_by" is not an option of csv accounts here'),
      }),
    ]);
  });
});
