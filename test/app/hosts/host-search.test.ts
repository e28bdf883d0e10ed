import { describe, expect, it } from 'vitest';
import { hostSearch } from '../../../src/app/hosts/decisions/host-search.ts';
import { type Labels, StoredJson } from '../../../src/ports/index.ts';

function found(search: string, labels: Labels = {}, hostname = 'Web01.example.org'): boolean {
  return hostSearch(search)({ hostname, labels: StoredJson.ofValue(labels) });
}

describe('the search of hosts', () => {
  it('takes part of a hostname, whatever its case', () => {
    expect(found('web01')).toBe(true);
    expect(found(' EXAMPLE ')).toBe(true);
    expect(found('web02')).toBe(false);
    expect(found('web.*')).toBe(false);
    expect(found('a=b', {}, 'odd-a=b')).toBe(true);
  });

  it('takes a label and its value, and looks at labels only then', () => {
    const labels = { site: 'CODFW', 'app.kubernetes.io/name': 'x=y' };
    expect(found('site=codfw', labels)).toBe(true);
    expect(found('site=cod', labels)).toBe(false);
    expect(found('Site=codfw', labels)).toBe(false);
    expect(found('codfw', labels)).toBe(false);
    expect(found('app.kubernetes.io/name = x=y', labels)).toBe(true);
    expect(found('=codfw', labels)).toBe(false);
    expect(found('constructor=*', labels)).toBe(false);
    expect(found('na"me=1', { 'na"me': 1 })).toBe(true);
  });

  it('takes a star at either end of the value for anything', () => {
    const labels = { os: 'Debian 12', none: null };
    expect(found('os=debian*', labels)).toBe(true);
    expect(found('os=*12', labels)).toBe(true);
    expect(found('os=*ian*', labels)).toBe(true);
    expect(found('os=*', labels)).toBe(true);
    expect(found('none=*', labels)).toBe(true);
    expect(found('none=', labels)).toBe(true);
    expect(found('os=', labels)).toBe(false);
    expect(found('os=12*', labels)).toBe(false);
    expect(found('arch=*', labels)).toBe(false);
    expect(found('os=**', labels)).toBe(true);
  });

  it('finds numbers, truth values and elements of lists', () => {
    expect(found('cpus=8', { cpus: 8 })).toBe(true);
    expect(found('cpus=8', { cpus: 18 })).toBe(false);
    expect(found('virtual=TRUE', { virtual: true })).toBe(true);
    expect(found('roles=db', { roles: ['web', 'DB'] })).toBe(true);
    expect(found('roles=web,db', { roles: ['web', 'db'] })).toBe(false);
    expect(found('roles=*', { roles: [] })).toBe(true);
  });
});
