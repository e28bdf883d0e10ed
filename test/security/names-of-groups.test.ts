import { describe, expect, it } from 'vitest';
import { userNameProblem } from '../../src/kit/users/user-names.ts';
import { identifyByProxy } from '../../src/plugins/proxy-sign-in/identify.ts';
import { proxySignInOptions } from '../../src/plugins/proxy-sign-in/options.ts';

const options = proxySignInOptions().parse({ certificate: 'proxy', user_header: 'x-user', groups_header: 'x-groups' });
const groupsOf = (header: string, more: object = {}) =>
  identifyByProxy({ ...options, ...more }, {
    headers: { 'x-user': 'sue', 'x-groups': header },
    certificate: { fingerprint: '', names: ['proxy'] },
  } as never)?.groups;

describe('a header with groups', () => {
  it.each([
    ['"staff,boss"', ['staff,boss']],
    ['"staff,boss", ops', ['staff,boss', 'ops']],
    ['ops,"a, b"', ['ops', 'a, b']],
    ['staff\\,boss,ops', ['staff,boss', 'ops']],
    ['staff, boss', ['staff', 'boss']],
    ['"boss"', ['"boss"']],
    ['bo\\ss', ['bo\\ss']],
    ['"staff,boss', ['"staff', 'boss']],
    [' , ', []],
  ])('%s has these groups', (header, groups) => {
    expect(groupsOf(header)).toEqual(groups);
  });

  it('is taken apart at another separator as well', () => {
    expect(groupsOf('"a|b"|c|d\\|e', { group_separator: '|' })).toEqual(['a|b', 'c', 'd|e']);
  });
});

describe('names of the program itself', () => {
  it.each(['anonymous', 'cron', 'Cron', 'сron', 'webhook', 'muster', 'sign-in directory'])(
    '%s is no new user',
    (name) => {
      expect(userNameProblem(name)).toBeDefined();
    },
  );

  it.each(['olga', 'crontab', 'anonymous.coward'])('%s may be one', (name) => {
    expect(userNameProblem(name)).toBeUndefined();
  });
});
