import { expect, it } from 'vitest';
import { filterValue, sameName } from '../../../src/plugins/ldap/names.ts';

it('writes a text into a filter so that nothing of it is syntax', () => {
  expect(filterValue('sue)(uid=*')).toBe('sue\\29\\28uid\\3d\\2a');
  expect(filterValue('a\\b\0ü')).toBe('a\\5cb\\00\\c3\\bc');
});

it('compares names of groups as a directory does', () => {
  expect(sameName('CN=Admins, OU=Groups,DC=example', 'cn=admins,ou=groups,dc=example')).toBe(true);
  expect(sameName('cn=admins,ou=groups', 'cn=admins,ou=people')).toBe(false);
  expect(sameName('cn=a\\, b,ou=x', 'cn=a,b,ou=x')).toBe(false);
});
