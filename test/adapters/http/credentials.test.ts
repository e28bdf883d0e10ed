import { describe, expect, it } from 'vitest';
import { credentialsOf } from '../../../src/adapters/listener/access/credentials.ts';

function basic(bytes: string | Buffer): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(bytes).toString('base64')}` };
}

describe('credentials of a request', () => {
  it('are absent without headers', () => {
    expect(credentialsOf({})).toBeUndefined();
  });

  it.each([
    ['Basic', basic('jo:pa:ss:')],
    ['basic in lower case', { authorization: basic('jo:pa:ss:').authorization.replace('Basic', 'basic') }],
    ['x-login-user', { 'x-login-user': 'jo:pa:ss:' }],
  ])('of %s keep colons of the secret', (_name, headers) => {
    expect(credentialsOf(headers)).toEqual({ kind: 'password', name: 'jo', password: 'pa:ss:' });
  });

  it('are read as UTF-8, in either header', () => {
    const wanted = { kind: 'password', name: 'jörg', password: '密码' };
    expect(credentialsOf(basic('jörg:密码'))).toEqual(wanted);
    expect(credentialsOf({ 'x-login-user': Buffer.from('jörg:密码').toString('latin1') })).toEqual(wanted);
  });

  it('that are no UTF-8 are read as Latin-1', () => {
    expect(credentialsOf(basic(Buffer.from('jörg:x', 'latin1')))).toEqual({
      kind: 'password',
      name: 'jörg',
      password: 'x',
    });
  });

  it('may be a token', () => {
    expect(credentialsOf({ authorization: 'Bearer muster_abc' })).toEqual({ kind: 'token', token: 'muster_abc' });
  });

  it.each([
    ['x-login-token', { 'x-login-token': 'cmdb_pat_abc' }],
    ['x-login-token beside what a proxy added', { ...basic('proxy:x'), 'x-login-token': ' cmdb_pat_abc' }],
    ['Authorization without a scheme', { authorization: 'cmdb_pat_abc' }],
    ['Bearer', { authorization: 'Bearer cmdb_pat_abc' }],
  ])('may be a token of an existing installation in %s', (_name, headers) => {
    expect(credentialsOf(headers)).toEqual({ kind: 'token', token: 'cmdb_pat_abc' });
  });

  it('of x-login-user win over those that a proxy may have added', () => {
    expect(credentialsOf({ ...basic('proxy:x'), 'x-login-user': 'jo:pw' })).toMatchObject({ name: 'jo' });
  });

  it('may have an empty secret, but no empty name', () => {
    expect(credentialsOf(basic('jo:'))).toEqual({ kind: 'password', name: 'jo', password: '' });
    expect(() => credentialsOf(basic(':pw'))).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  });

  it.each([
    ['no scheme', { authorization: 'jo' }],
    ['another scheme', { authorization: 'Digest x' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['no colon', basic('jo')],
    ['no base64', { authorization: 'Basic ///' }],
    ['nothing', { authorization: '' }],
    ['a login without colon', { 'x-login-user': 'jo' }],
  ])('with %s are refused', (_name, headers) => {
    expect(() => credentialsOf(headers)).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  });
});
