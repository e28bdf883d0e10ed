import { Client } from 'ldapts';
import { expect, it } from 'vitest';
import { ldapOptions } from '../../../src/plugins/ldap/options.ts';
import { checkLdap } from '../../../src/plugins/ldap/read.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { world } from '../../app/import/support.ts';
import { describeServer } from '../../servers/servers.ts';
import { slapd } from '../../servers/slapd.ts';
import { cuttableLine } from '../../support/cuttable-line.ts';
import { sourceFiles } from '../../support/files.ts';
import { faultOf, itemsOf } from '../../support/read-source.ts';
import { recordingLogger } from '../../support/recording-logger.ts';
import { type Fields, ldapSource } from './support.ts';

await describeServer(slapd, (server) => {
  const FILTER = '(objectClass=device)';
  const account = (changed: object = {}) => {
    const { address = '', username = '', password = '' } = server().facts;
    return { address, username, password, ...changed };
  };
  const source = (fields: Fields = {}, changed: object = {}) => {
    const { base, ca } = server().facts;
    return ldapSource({ base_dn: base, search_filter: FILTER, ca_cert_chain: ca, ...fields }, account(changed));
  };

  it('reads more than it gives at a time, over ldaps and StartTLS', async () => {
    const items = await itemsOf(source());
    expect(items).toHaveLength(1200);
    expect(items[6]).toMatchObject({ hostname: 'host00007', labels: { ipHostNumber: '10.0.0.6', l: 'berlin' } });
    expect(await itemsOf(source({ page_size: 100 }, { address: server().facts.plain }))).toEqual(items);
  });

  it('is searched in the scope and with the attributes of the account', async () => {
    const fields = { attributes: 'L', search_filter: '(cn=host00007)', scope: 'one' };
    expect(await itemsOf(source(fields))).toMatchObject([
      { labels: { dn: 'cn=host00007,ou=hosts,dc=example,dc=test', l: 'berlin' } },
    ]);
    expect(await itemsOf(source({ scope: 'base' }))).toEqual([]);
  });

  it('says who is logged in', async () => {
    const { base, ca } = server().facts;
    const options = ldapOptions().parse({ base_dn: base, ca_cert_chain: ca });
    const services = { files: sourceFiles, logger: recordingLogger([]) };
    const reading = { options, account: { name: 'x', ...account() }, services };
    expect(await checkLdap(reading, { signal: new AbortController().signal })).toBe(
      'OpenLDAP as cn=reader,dc=example,dc=test',
    );
  });

  it('says what is wrong with login, certificate, name, rights', async () => {
    expect(await faultOf(source({}, { password: 'not the word' }))).toMatch(
      /refuses the login; check username and password/,
    );
    const unknown = { verify_cert: 'yes', ca_cert_chain: undefined };
    for (const address of [server().facts.address, server().facts.plain]) {
      expect(await faultOf(source(unknown, { address }))).toMatch(/^failed: .*ca_cert_chain/);
    }
    expect(await faultOf(source({ base_dn: 'ou=nope,dc=example,dc=test' }))).toMatch(
      /correct base_dn; there is dc=example,dc=test/,
    );
    expect(await faultOf(source({ base_dn: 'nope' }))).toMatch(/cannot read the name/);
    expect(await faultOf(source({ base_dn: 'ou=secret,dc=example,dc=test' }))).toMatch(
      /or does not show it to this user/,
    );
    expect(await faultOf(source({}, { username: '', password: '' }))).toMatch(
      /or does not show it to this user|before a login/,
    );
  });

  it('archives nothing when the connection is cut in the middle, or nothing is found', async () => {
    const muster = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    expect((await muster.run(source(), { options })).summary).toMatchObject({ created: 1200 });
    for (const address of [server().facts.address, server().facts.plain]) {
      const line = await cuttableLine(String(address));
      let isCut = false;
      const report = await muster.run(
        source({ page_size: 50 }, { address: String(address).replace(/\d+$/, String(line.port)) }),
        {
          options,
          progress: ({ seen }) => {
            if (!isCut && seen > 0) void line.cut();
            isCut ||= seen > 0;
          },
        },
      );
      await line.close();
      expect(report).toMatchObject({ status: 'failed', summary: { archived: 0 } });
      expect(report.message).toMatch(/(ended|closed) the connection/);
    }
    const empty = source({ base_dn: 'ou=empty,dc=example,dc=test' });
    expect(await muster.run(empty, { options })).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    expect(await muster.active()).toHaveLength(1200);
  });

  it('reads an entry with many large values', async () => {
    const { plain, admin, 'admin password': password } = server().facts;
    const client = new Client({ url: String(plain) });
    await client.bind(String(admin), String(password));
    const description = Array.from({ length: 2000 }, (_, index) => `${index} ${'x'.repeat(1000)}`);
    await client.add('cn=large,ou=empty,dc=example,dc=test', { objectClass: 'device', cn: 'large', description });
    const [item] = await itemsOf(source({ base_dn: 'ou=empty,dc=example,dc=test' }));
    await client.del('cn=large,ou=empty,dc=example,dc=test');
    await client.unbind();
    expect(item?.kind === 'record' ? item.labels.description : []).toHaveLength(2000);
  });

  describeSourceContract('ldap over OpenLDAP', {
    healthy: () => Promise.resolve({ source: source(), hostname: 'host00007' }),
    broken: () => Promise.resolve(source({ base_dn: 'ou=nope,dc=example,dc=test' })),
  });
});
