import { describe, expect, it } from 'vitest';
import { Framer } from '../../../src/plugins/ldap/framer.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { world } from '../../app/import/support.ts';
import { faultOf, itemsOf } from '../../support/read-source.ts';
import type { LoggedLine } from '../../support/recording-logger.ts';
import { type EntryToGive, fakeDirectory, type Given, listenOn } from './fake-directory.ts';
import { ACCOUNT, type Fields, ldapSource } from './support.ts';

function entry(name: string, attributes: EntryToGive['attributes'] = {}): EntryToGive {
  return { dn: `cn=${name},dc=example,dc=test`, attributes: { cn: [name], ...attributes } };
}

async function read(given: Given, fields: Fields = {}) {
  const address = await fakeDirectory(({ kind }) => (kind === 'search' ? given : undefined));
  return itemsOf(ldapSource(fields, { address }));
}

async function labelsOf(attributes: EntryToGive['attributes'], fields: Fields = {}) {
  const [item] = await read({ entries: [entry('a', attributes)] }, fields);
  if (item?.kind !== 'record') throw new Error(JSON.stringify(item));
  const { dn: _dn, ...labels } = item.labels;
  return labels;
}

describe('entries of a directory', () => {
  it('become hosts, with all values of every attribute', async () => {
    const attributes = { memberOf: ['cn=x', 'cn=y'], l: ['Köln'], empty: [], __proto: ['z'] };
    expect(await read({ entries: [entry('web1', attributes)] })).toEqual([
      {
        kind: 'record',
        position: 'cn=web1,dc=example,dc=test',
        hostname: 'web1',
        labels: { dn: 'cn=web1,dc=example,dc=test', memberOf: ['cn=x', 'cn=y'], l: 'Köln', __proto: 'z' },
      },
    ]);
  });

  it('are named by the first attribute that they have, in any case', async () => {
    const entries = [
      entry('one', { dNSHostName: ['one.example.test'] }),
      entry('two'),
      { dn: 'ou=x', attributes: { ou: ['x'] } },
      entry('three', { DNSHOSTNAME: [' '] }),
    ];
    const items = await read({ entries });
    expect(items.map((item) => (item.kind === 'record' ? item.hostname : item))).toEqual([
      'one.example.test',
      'two',
      {
        kind: 'skipped',
        position: 'ou=x',
        reason: expect.objectContaining({ text: 'has no name: it has no "dNSHostName" and "cn"' }),
      },
      'three',
    ]);
    expect((await read({ entries }, { hostname_field: 'ou' })).at(2)).toMatchObject({ hostname: 'x' });
  });

  it('of Active Directory may have the name of a host that has none for a while, and keep its keys', async () => {
    const entries = [
      entry('web1', { userAccountControl: ['4096'] }),
      { dn: 'ou=x', attributes: { serial: ['J47111'] } },
    ];
    expect(await read({ entries }, { key_fields: 'serial' })).toMatchObject([
      { hostname: 'web1', laterName: true },
      { kind: 'skipped', keys: { serial: ['J47111'] } },
    ]);
    expect((await read({ entries: [entry('web1')] })).at(0)).not.toHaveProperty('laterName');
  });

  it('have identifiers and times as people write them', async () => {
    const labels = await labelsOf({
      objectGUID: [Buffer.from('99bceea00b9cf84ebb6d6bb9bd380a11', 'hex')],
      objectSid: [Buffer.from('010500000000000515000000e9671d3a3b2c1d0e4b5a6978f4010000', 'hex')],
      whenCreated: ['20240131123000.0Z'],
      modifyTimestamp: ['20240131123000.5+0100'],
      lastLogonTimestamp: ['133511778000000000'],
      accountExpires: ['9223372036854775807'],
      pwdLastSet: ['0'],
      serialNumber: ['20240131123000'],
    });
    expect(labels).toEqual({
      objectGUID: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      objectSid: 'S-1-5-21-975005673-236792891-2020170315-500',
      whenCreated: '2024-01-31T12:30:00Z',
      modifyTimestamp: '2024-01-31T11:30:00.500Z',
      lastLogonTimestamp: '2024-01-31T12:30:00Z',
      accountExpires: null,
      pwdLastSet: null,
      serialNumber: '20240131123000',
    });
  });

  it('leave out bytes, and what logs somebody in unless it is asked for by name', async () => {
    const attributes = {
      userCertificate: [Buffer.from([0x30, 0x82])],
      'cert;binary': ['text'],
      jpegPhoto: [Buffer.from([0xff, 0xd8])],
      something: [Buffer.from([0xff, 0xfe])],
      userPassword: ['{SSHA}x'],
      'ms-Mcs-AdmPwd': ['word'],
    };
    expect(await labelsOf(attributes)).toEqual({});
    expect(await labelsOf(attributes, { binary_fields: 'base64' })).toEqual({
      userCertificate: 'MII=',
      'cert;binary': 'dGV4dA==',
      jpegPhoto: '/9g=',
      something: '//4=',
    });
    expect(await labelsOf(attributes, { attributes: 'cn,userPassword' })).toEqual({ userPassword: '{SSHA}x' });
  });

  it('are read in their encoding', async () => {
    const attributes = { l: [Buffer.from('Köln', 'latin1')] };
    expect(await labelsOf(attributes)).toEqual({});
    expect(await labelsOf(attributes, { encoding: 'latin1' })).toEqual({ l: 'Köln' });
    expect(await labelsOf({ l: ['Köln'] }, { encoding: 'ascii' })).toEqual({ l: 'Köln' });
    const address = await fakeDirectory(() => undefined);
    expect(await faultOf(ldapSource({ encoding: 'nope' }, { address }))).toMatch(/encoding "nope" is not known/);
  });

  it('say which computers are disabled, or leave them out', async () => {
    const entries = [entry('on', { userAccountControl: ['4096'] }), entry('off', { userAccountControl: ['4098'] })];
    expect(await read({ entries })).toMatchObject([{ labels: { disabled: false } }, { labels: { disabled: true } }]);
    expect(await read({ entries }, { disabled_accounts: 'leave_out' })).toMatchObject([{ hostname: 'on' }]);
  });

  it('are asked for with all that decides about them, and show only what is wanted', async () => {
    const asked: (readonly string[])[] = [];
    const address = await fakeDirectory(({ search }) => {
      if (search !== undefined) asked.push(search.attributes);
      return search === undefined ? undefined : { entries: [entry('a', { l: ['x'], userAccountControl: ['4096'] })] };
    });
    const fields = { attributes: 'L', disabled_accounts: 'leave_out' };
    expect(await itemsOf(ldapSource(fields, { address }))).toMatchObject([{ labels: { l: 'x' } }]);
    expect(asked).toEqual([['l', 'dnshostname', 'cn', 'useraccountcontrol']]);
  });
});

describe('a search', () => {
  it('reads page after page, also those without entries', async () => {
    const pages: Readonly<Record<string, Given>> = {
      '': { entries: [entry('a')], cookie: 'two' },
      two: { cookie: 'three' },
      three: { entries: [entry('b'), entry('c')], cookie: '' },
    };
    const address = await fakeDirectory(({ kind, cookie }) => (kind === 'search' ? pages[cookie ?? ''] : undefined));
    expect(await itemsOf(ldapSource({}, { address }))).toHaveLength(3);
  });

  it('reads attributes to their end of which the server gives parts', async () => {
    const members = Array.from({ length: 7 }, (_, index) => `cn=m${index}`);
    const address = await fakeDirectory(({ search }) => {
      if (search === undefined) return undefined;
      const range = /member;range=(\d+)-/.exec(search.attributes.join())?.[1];
      if (range === undefined)
        return { entries: [entry('a', { member: [], 'member;range=0-2': members.slice(0, 3) })] };
      const from = Number(range);
      const name = from + 3 >= members.length ? `member;range=${from}-*` : `member;range=${from}-${from + 2}`;
      return { entries: [{ dn: search.baseDN, attributes: { [name]: members.slice(from, from + 3) } }] };
    });
    expect(await itemsOf(ldapSource({}, { address }))).toMatchObject([{ labels: { member: members } }]);
  });

  it('fails when such an attribute is cut off', async () => {
    const address = await fakeDirectory(({ search }) => {
      if (search === undefined) return undefined;
      return search.attributes.length > 0 ? {} : { entries: [entry('a', { 'member;range=0-0': ['x'] })] };
    });
    expect(await faultOf(ldapSource({}, { address }))).toMatch(/gives no further values of member of cn=a/);
  });

  it('names parts that are on other servers as gaps, but for those of Active Directory without machines', async () => {
    const references = [
      'ldap://eu.example.test/dc=eu,dc=example,dc=test??sub',
      'ldap://DomainDnsZones.example.test/DC=DomainDnsZones,DC=example,DC=test',
      'ldap://example.test/CN=Configuration,DC=example,DC=test',
    ];
    expect(await read({ entries: [entry('a')], references })).toMatchObject([
      { kind: 'record' },
      {
        kind: 'gap',
        what: 'ldap://eu.example.test/dc=eu,dc=example,dc=test',
        reason: expect.stringContaining('referrals'),
      },
    ]);
    expect(await read({ entries: [entry('a')], references }, { referrals: 'ignore' })).toHaveLength(1);
    const latin1 = { entries: [entry('a')], references: ['ldap://other/ou=B%FCro,dc=test'] };
    expect(await read(latin1)).toMatchObject([{ kind: 'record' }, { kind: 'gap', what: latin1.references[0] }]);
    expect(await read(latin1, { referrals: 'ignore' })).toHaveLength(1);
  });

  it.each<[Given, RegExp]>([
    [{ status: 3 }, /^failed: .*took longer than it allows/],
    [{ status: 4 }, /^failed: .*gives no more entries than its limit/],
    [{ status: 10 }, /^failed: .*names another server/],
    [{ status: 11 }, /^failed: .*beyond its limits/],
    [{ status: 32, matched: 'dc=test' }, /^failed: .*correct base_dn; there is dc=test/],
    [{ status: 50, message: 'no rights\nsecond line' }, /^failed: .*give it the right to read \(no rights\)$/],
    [{ status: 51 }, /^unavailable: .*busy/],
    [{ status: 80, message: 'x' }, /^failed: .*ended the search with code 80 \(x\)/],
    [{ cut: true }, /^unavailable: .*ended the connection in the middle/],
  ])('that ends with %j fails, and nothing is archived', async (end, message) => {
    const muster = await world();
    let last: Given = {};
    const address = await fakeDirectory(({ kind }) =>
      kind === 'search' ? { entries: [entry('a'), ...(last === end ? [] : [entry('b')])], ...last } : undefined,
    );
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    const run = () => muster.run(ldapSource({}, { address }), { options });
    expect((await run()).summary).toMatchObject({ created: 2 });
    last = end;
    expect(await faultOf(ldapSource({}, { address }))).toMatch(message);
    expect(await run()).toMatchObject({ status: 'failed', summary: { archived: 0 } });
    expect(await muster.active()).toEqual(['a', 'b']);
  });

  it('archives nothing while a part of the directory is on another server', async () => {
    const muster = await world();
    let given: Given = { entries: [entry('a'), entry('b')] };
    const address = await fakeDirectory(({ kind }) => (kind === 'search' ? given : undefined));
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    await muster.run(ldapSource({}, { address }), { options });
    given = { entries: [entry('a')], references: ['ldap://other/dc=example,dc=test'] };
    expect(await muster.run(ldapSource({}, { address }), { options })).toMatchObject({ status: 'partial' });
    expect(await muster.active()).toEqual(['a', 'b']);
  });

  it('that finds nothing fails', async () => {
    const muster = await world();
    const address = await fakeDirectory(() => undefined);
    expect(await muster.run(ldapSource({}, { address }))).toMatchObject({ status: 'failed' });
  });

  it('with a filter that is none fails', async () => {
    const address = await fakeDirectory(() => undefined);
    expect(await faultOf(ldapSource({ search_filter: '(&(a=b)' }, { address }))).toMatch(
      /^invalid_input: search_filter/,
    );
  });

  it('reads an entry of ten megabytes', async () => {
    const entries = [entry('a', { info: ['x'.repeat(10_000_000)] }), entry('b')];
    const items = await read({ entries });
    expect(items).toHaveLength(2);
  });
});

describe('a connection', () => {
  it('that is refused, silent, closed, or none of LDAP fails in time, and quotes no password', async () => {
    const refused = await faultOf(ldapSource({}, { address: 'ldap://127.0.0.1:1' }));
    expect(refused).toMatch(/^unavailable: ldap:\/\/127\.0\.0\.1:1 refuses the connection/);
    const silent = await listenOn(() => undefined);
    expect(await faultOf(ldapSource({ query_timeout: 0.1 }, { address: silent }))).toMatch(
      /did not answer within 0\.1/,
    );
    const closed = await listenOn((socket) => socket.destroy());
    expect(await faultOf(ldapSource({}, { address: closed }))).toMatch(/^unavailable: .*(ended|closed) the connection/);
    const other = await listenOn((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const fault = await faultOf(ldapSource({}, { address: other }));
    expect(fault).toMatch(/^failed: ldap:\/\/127\.0\.0\.1:\d+: what it answers is not LDAP/);
    expect(fault).not.toContain(ACCOUNT.password);
  });

  it('that goes silent in the middle is given up', async () => {
    const address = await fakeDirectory(({ kind }) =>
      kind === 'search' ? { entries: [entry('a')], silent: true } : undefined,
    );
    expect(await faultOf(ldapSource({ query_timeout: 0.1 }, { address }))).toMatch(
      /did not answer within 0\.1 seconds/,
    );
  });

  it('is given up when the run is called off', async () => {
    const address = await fakeDirectory(({ kind }) => (kind === 'search' ? { silent: true } : undefined));
    const controller = new AbortController();
    const reading = itemsOf(ldapSource({}, { address }), controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(reading).rejects.toThrow('enough');
  });

  it.each([
    [{ status: 49 }, /refuses the login; check username and password/],
    [{ status: 49, message: '80090308: LdapErr: DSID-0C09, comment: x, data 775, v4563\0' }, /the user is locked/],
    [{ status: 8 }, /only over an encrypted connection/],
  ])('whose login ends with %j fails', async (end, message) => {
    const address = await fakeDirectory(({ kind }) => (kind === 'bind' ? end : undefined));
    expect(await faultOf(ldapSource({}, { address }))).toMatch(message);
  });

  it('never logs in without a password, which would be the login of nobody', async () => {
    const asked: string[] = [];
    const address = await fakeDirectory(({ kind }) => void asked.push(kind));
    expect(await faultOf(ldapSource({}, { address, password: '' }))).toMatch(/password of the account is missing/);
    expect(asked).not.toContain('bind');
  });

  it('without encryption is for this machine, or for accounts that allow it', async () => {
    const lines: LoggedLine[] = [];
    const address = await fakeDirectory(({ kind }) => (kind === 'search' ? { entries: [entry('a')] } : undefined));
    expect(await itemsOf(ldapSource({}, { address }, lines))).toHaveLength(1);
    expect(lines).toEqual([]);
    const fault = await faultOf(ldapSource({ use_tls: 'no' }, { address }));
    expect(fault).toMatch(/use_tls is off, which needs allow_unencrypted/);
    const allowed = { use_tls: 'no', allow_unencrypted: 'yes' };
    expect(await itemsOf(ldapSource(allowed, { address }))).toHaveLength(1);
  });

  it('is refused when the server sends more before the encryption begins', async () => {
    const address = await listenOn((socket) => {
      socket.on('data', () => {
        const yes = Buffer.from('300c02010178070a010004000400', 'hex');
        socket.write(Buffer.concat([yes, Buffer.from('30', 'hex')]));
      });
    });
    expect(await faultOf(ldapSource({}, { address }))).toMatch(/sends more before the encryption begins/);
  });

  it.each(['db', 'http://db', 'ldap://', 'ldap://a b', 'ldaps://user:word@db', 'ldap://db/dc=x'])(
    'needs an address: %s is none',
    async (address) => {
      expect(await faultOf(ldapSource({}, { address }))).toMatch(
        /^invalid_input: the address of the account must be ldaps:/,
      );
    },
  );
});

describe('messages', () => {
  it('are cut out of a stream, however it comes', () => {
    const long = Buffer.concat([Buffer.from([0x30, 0x82, 0x01, 0x00]), Buffer.alloc(256, 7)]);
    const stream = Buffer.concat([Buffer.from([0x30, 0x01, 1]), long, Buffer.from([0x30, 0x00])]);
    for (let size = 1; size <= stream.length; size++) {
      const framer = new Framer();
      const found: number[] = [];
      for (let at = 0; at < stream.length; at += size) {
        for (const message of framer.push(stream.subarray(at, at + size))) found.push(message.length);
      }
      expect(found).toEqual([3, 260, 2]);
      expect(framer.isEmpty).toBe(true);
    }
  });

  it('that say they are endless are refused', () => {
    expect(() => new Framer().push(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]))).toThrow(/larger than 64 MiB/);
    expect(() => new Framer().push(Buffer.from([0x30, 0x80]))).toThrow(/not LDAP/);
  });
});

describeSourceContract('ldap', {
  healthy: async () => {
    const entries = [
      entry('web1', { serialNumber: ['J1'] }),
      entry('web2'),
      { dn: 'ou=x', attributes: { ou: ['x'], serialNumber: ['J2'] } },
    ];
    const address = await fakeDirectory(({ kind }) => (kind === 'search' ? { entries } : undefined));
    const source = ldapSource({ key_fields: 'serial:serialnumber', attributes: 'cn' }, { address });
    return {
      hostname: 'web1',
      source,
      keys: { hostname: 'web1', values: { serial: ['J1'] } },
      nameless: { serial: ['J2'] },
    };
  },
  broken: async () => {
    const given = { entries: [entry('web1')], cut: true };
    return ldapSource({}, { address: await fakeDirectory(({ kind }) => (kind === 'search' ? given : undefined)) });
  },
});
