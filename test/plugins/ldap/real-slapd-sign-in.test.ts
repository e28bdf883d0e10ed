import { Attribute, Change, Client } from 'ldapts';
import { afterEach, expect, it } from 'vitest';
import { pluginUnderTest } from '../../../src/main/plugin-under-test.ts';
import ldap from '../../../src/plugins/ldap/index.ts';
import type { PasswordSignIn } from '../../../src/ports/index.ts';
import { describeServer } from '../../servers/servers.ts';
import { slapd } from '../../servers/slapd.ts';

const PEOPLE = 'ou=people,dc=example,dc=test';
const GROUPS = 'ou=groups,dc=example,dc=test';

await describeServer(slapd, (server) => {
  const context = { signal: new AbortController().signal };
  const method = (options: Readonly<Record<string, string>> = {}, account: object = {}) => {
    const { address = '', username = '', password = '', ca = '' } = server().facts;
    const given = { base_dn: PEOPLE, group_base_dn: GROUPS, ca_cert_chain: ca, ...options };
    const changed = { address, username, password, ...account };
    return pluginUnderTest(ldap).signInMethod('ldap-sign-in', given, changed) as PasswordSignIn;
  };
  const verify = (name: string, password: string, options?: Readonly<Record<string, string>>) =>
    method(options).verify({ name, password }, context);
  const asAdmin = async (work: (client: Client) => Promise<unknown>): Promise<void> => {
    const { plain = '', admin = '' } = server().facts;
    const client = new Client({ url: plain });
    await client.bind(admin, server().facts['admin password']);
    await work(client);
    await client.unbind();
  };
  const setMember = (member: string) =>
    asAdmin((client) =>
      client.modify(
        `cn=berlin,${GROUPS}`,
        new Change({ operation: 'replace', modification: new Attribute({ type: 'member', values: [member] }) }),
      ),
    );
  afterEach(() => setMember(`uid=sue,${PEOPLE}`));

  it('says who has a name and a password, with the groups within groups', async () => {
    const sue = await verify('sue', 'suesue');
    expect(sue).toMatchObject({
      name: 'sue',
      email: 'sue@example.test',
      subject: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect([...(sue?.groups ?? [])].sort()).toEqual([`cn=berlin,${GROUPS}`, `cn=cmdb,${GROUPS}`]);
    expect((await verify('SUE', 'suesue'))?.name).toBe('sue');
    expect((await verify('sue', 'suesue', { nested_groups: 'false' }))?.groups).toEqual([`cn=berlin,${GROUPS}`]);
    expect((await verify('ben', 'benben'))?.groups).toEqual([]);
  });

  it('does so over StartTLS', async () => {
    const account = { address: server().facts.plain };
    expect(await method({}, account).verify({ name: 'sue', password: 'suesue' }, context)).toMatchObject({
      name: 'sue',
    });
  });

  it('takes no wrong password, and no empty one, which a directory takes for nobody', async () => {
    expect(await verify('sue', 'wrong')).toBeUndefined();
    expect(await verify('sue', '')).toBeUndefined();
    expect(await verify('', '')).toBeUndefined();
    expect(await verify('nobody', 'suesue')).toBeUndefined();
  });

  it('takes a name for a name, whatever stands in it', async () => {
    for (const name of [
      '*',
      's*',
      'sue)(uid=*',
      '*)(objectClass=*',
      'sue\0',
      '\\73ue',
      'sue)(|(uid=ben',
      'süe',
      '(',
      '\\',
    ]) {
      expect([name, await verify(name, 'suesue')]).toEqual([name, undefined]);
    }
  });

  it('finds people again by what never changes, and sees a group that was taken away', async () => {
    const sue = await verify('sue', 'suesue');
    const found = () => method().find(sue?.subject ?? '', context);
    expect(await found()).toEqual(sue);
    await setMember(`uid=ben,${PEOPLE}`);
    expect((await found())?.groups).toEqual([]);
    expect(await method().find('*', context)).toBeUndefined();
    await asAdmin((client) => client.modifyDN(`uid=sue,${PEOPLE}`, `uid=susan,${PEOPLE}`));
    expect(await found()).toMatchObject({ subject: sue?.subject, name: 'susan' });
    await asAdmin((client) => client.modifyDN(`uid=susan,${PEOPLE}`, `uid=sue,${PEOPLE}`));
  });

  it('says what is wrong', async () => {
    await expect(method().check?.(context)).resolves.toMatch(
      /as cn=reader,dc=example,dc=test shows people in ou=people/,
    );
    const wrong = method({}, { password: 'not the word' });
    await expect(wrong.check?.(context)).rejects.toThrow(/refuses the login; check username and password/);
    await expect(wrong.verify({ name: 'sue', password: 'suesue' }, context)).rejects.toThrow(/refuses the login/);
    await expect(method({ base_dn: 'ou=hosts,dc=example,dc=test' }).check?.(context)).rejects.toThrow(
      /shows no person/,
    );
    await expect(method({ verify_cert: 'true', ca_cert_chain: '' }).check?.(context)).rejects.toThrow(/ca_cert_chain/);
  });
});
