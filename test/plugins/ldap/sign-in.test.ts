import { expect, it } from 'vitest';
import { pluginUnderTest } from '../../../src/main/plugin-under-test.ts';
import ldap from '../../../src/plugins/ldap/index.ts';
import type { PasswordSignIn } from '../../../src/ports/index.ts';
import { type EntryToGive, fakeDirectory, type Given } from './fake-directory.ts';

const INVALID_CREDENTIALS = 49;

/** What a directory with this entry, or none, is asked when somebody logs in with a wrong password. */
async function askedOf(entries: readonly EntryToGive[], refusal: Given = { status: INVALID_CREDENTIALS }) {
  const asked: string[] = [];
  let binds = 0;
  const address = await fakeDirectory(({ kind, search }) => {
    const isOfPerson = search?.filter.toString().includes('(uid=') === true;
    asked.push(kind === 'search' ? `search ${isOfPerson ? 'people' : 'groups'}` : kind);
    if (kind === 'search') return { entries: isOfPerson ? entries : [] };
    // The first login is that of the account.
    return kind === 'bind' && ++binds > 1 ? refusal : undefined;
  });
  const options = { base_dn: 'dc=example,dc=test', use_tls: 'false', allow_unencrypted: 'true' };
  const account = { address, username: 'cn=reader', password: 'secret' };
  const method = pluginUnderTest(ldap).signInMethod('ldap-sign-in', options, account) as PasswordSignIn;
  const { signal } = new AbortController();
  expect(await method.verify({ name: 'sue', password: 'wrong' }, { signal })).toBeUndefined();
  return asked;
}

it('asks a directory the same of somebody who is not there, or is locked, as of who has another password', async () => {
  const sue = {
    dn: 'uid=sue,dc=example,dc=test',
    attributes: { uid: ['sue'], entryUUID: ['1'], mail: ['sue@example.test'] },
  };
  const there = await askedOf([sue]);
  expect(there).toEqual(['bind', 'search people', 'search groups', 'bind']);
  expect(await askedOf([])).toEqual(there);
  const locked = { ...sue, attributes: { ...sue.attributes, pwdAccountLockedTime: ['000001010000Z'] } };
  expect(await askedOf([locked])).toEqual(there);
  const noSuchObject = { status: 32, message: 'no such object' };
  expect(await askedOf([], noSuchObject)).toEqual(there);
});
