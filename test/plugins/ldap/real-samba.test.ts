import { Client } from 'ldapts';
import { expect, it } from 'vitest';
import { ldapOptions } from '../../../src/plugins/ldap/options.ts';
import { checkLdap } from '../../../src/plugins/ldap/read.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { samba } from '../../servers/samba.ts';
import { describeServer } from '../../servers/servers.ts';
import { sourceFiles } from '../../support/files.ts';
import { faultOf, itemsOf } from '../../support/read-source.ts';
import { recordingLogger } from '../../support/recording-logger.ts';
import { type Fields, ldapSource } from './support.ts';

await describeServer(samba, (server) => {
  const FILTER = '(&(objectCategory=computer)(cn=PC*))';
  const account = (changed: object = {}) => {
    const { address = '', username = '', password = '' } = server().facts;
    return { name: 'ad', address, username, password, ...changed };
  };
  const source = (fields: Fields = {}, changed: object = {}) => {
    const { base, ca } = server().facts;
    return ldapSource({ base_dn: base, search_filter: FILTER, ca_cert_chain: ca, ...fields }, account(changed));
  };

  it('gives computers with identifiers, times and whether they are disabled', async () => {
    const items = await itemsOf(source({ page_size: 50 }));
    // Searches at the root name three partitions that hold no machines.
    expect(items.map(({ kind }) => kind).filter((kind) => kind !== 'record')).toEqual([]);
    expect(items).toHaveLength(120);
    const ten = items.find((item) => item.kind === 'record' && item.hostname === 'pc00010.ad.example.test');
    expect(ten).toMatchObject({
      position: 'CN=PC00010,CN=Computers,DC=ad,DC=example,DC=test',
      labels: {
        disabled: true,
        userAccountControl: '4098',
        objectGUID: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
        objectSid: expect.stringMatching(/^S-1-5-21(-\d+){4}$/),
        whenCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        accountExpires: null,
        objectClass: ['top', 'person', 'organizationalPerson', 'user', 'computer'],
      },
    });
  });

  it('leaves disabled ones out where the account says so, and is searched over StartTLS', async () => {
    expect(
      await itemsOf(source({ disabled_accounts: 'leave_out', attributes: 'cn' }, { address: server().facts.plain })),
    ).toHaveLength(108);
    const byServer = '(&(objectCategory=computer)(cn=PC*)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))';
    expect(await itemsOf(source({ search_filter: byServer }))).toHaveLength(108);
  });

  it('takes no password in clear', async () => {
    const address = server().facts.plain;
    const fault = await faultOf(source({ use_tls: 'no', allow_unencrypted: 'yes' }, { address }));
    expect(fault).toMatch(/takes a password only over an encrypted connection/);
  });

  it('gives parts of large attributes, which are read to their end', async () => {
    const { address, username, password, base } = server().facts;
    const client = new Client({ url: String(address), tlsOptions: { rejectUnauthorized: false } });
    await client.bind(String(username), String(password));
    const name = `CN=LARGE,CN=Computers,${base}`;
    const otherTelephone = Array.from({ length: 3200 }, (_, index) => `+49 ${index}`);
    await client.add(name, { objectClass: 'computer', sAMAccountName: 'LARGE$', otherTelephone });
    // This one gives parts only when it is asked for one; Active Directory does so by itself beyond 1500 values.
    const asked = 'otherTelephone;range=0-999';
    const raw = await client.search(name, { scope: 'base', attributes: [asked] });
    expect(Object.keys(raw.searchEntries[0] ?? {})).toContain(asked);
    const [item] = await itemsOf(source({ search_filter: '(cn=LARGE)', attributes: asked }));
    await client.del(name);
    await client.unbind();
    expect(item?.kind).toBe('record');
    const values = item?.kind === 'record' ? (item.labels.otherTelephone as readonly string[]) : [];
    expect([...values].sort()).toEqual([...otherTelephone].sort());
  });

  it('says what is wrong with the login, and who is logged in', async () => {
    expect(await faultOf(source({}, { password: 'not the word' }))).toMatch(/refuses the login/);
    const { base, ca } = server().facts;
    const options = ldapOptions().parse({ base_dn: base, ca_cert_chain: ca });
    const services = { files: sourceFiles, logger: recordingLogger([]) };
    const told = await checkLdap({ options, account: account(), services }, { signal: new AbortController().signal });
    expect(told).toMatch(
      /^Active Directory .*dc1\.ad\.example\.test as (AD\\Administrator|administrator@ad\.example\.test)$/i,
    );
  });

  describeSourceContract('ldap over Active Directory', {
    healthy: () => Promise.resolve({ source: source(), hostname: 'pc00007.ad.example.test' }),
    broken: () => Promise.resolve(source({ base_dn: `OU=nope,${server().facts.base}` })),
  });
});
