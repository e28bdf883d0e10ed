import { describe, expect, it } from 'vitest';
import { fieldOffers, pastedList, valueOffers, wordAt } from '../../../src/adapters/admin/pages/hosts/typed-word.ts';

const word = (text: string) => {
  const found = wordAt(text, text.length);
  return found && [text.slice(0, found.from), found.isNegated, found.field, found.sign, found.value];
};

describe('the word that is typed', () => {
  it.each<[string, unknown]>([
    ['', ['', false, '', '', '']],
    ['site.n', ['', false, 'site.n', '', '']],
    ['web changed:', ['web ', false, 'changed', ':', '']],
    ['web -site:fr', ['web ', true, 'site', ':', 'fr']],
    ['(os', ['(', false, 'os', '', '']],
    ['cpus>=8', ['', false, 'cpus', '>=', '8']],
    ['site!=fra', ['', false, 'site', '!=', 'fra']],
    ['"app name":x', ['', false, '"app name"', ':', 'x']],
    ['os:"Debian', ['', false, 'os', ':', 'Debian']],
    ['a ', ['a ', false, '', '', '']],
    ['-', undefined],
    [':x', undefined],
    ['name:(web01 we', undefined],
    ['name:(a b) we', ['name:(a b) ', false, 'we', '', '']],
  ])('of %j is %j', (text, expected) => {
    expect(word(text)).toEqual(expected);
  });

  it('ends at the cursor', () => {
    expect(wordAt('site:fra role:web', 6)).toMatchObject({ from: 0, to: 6, field: 'site', value: 'f' });
  });

  it('is completed by fields, those that begin with it first', () => {
    const fields = ['changed', 'rack', 'exchange', 'change_no'].map((field) => ({ field, note: '' }));
    const offers = (text: string) =>
      fieldOffers(wordAt(text, text.length) ?? expect.fail(), fields).map((offer) => offer.text);
    expect(offers('chan')).toEqual(['changed:', 'change_no:', 'exchange:']);
    expect(offers('a -RA')).toEqual(['-rack:']);
  });

  it('is completed by values, as a query asks for them', () => {
    const values = [
      { value: 'Debian 12', condition: 'os:"Debian 12"', note: '' },
      { value: 'alpine', condition: 'os:alpine', note: '' },
    ];
    const offers = (text: string) =>
      valueOffers(wordAt(text, text.length) ?? expect.fail(), values).map((offer) => offer.text);
    expect(offers('os:')).toEqual(['os:"Debian 12"', 'os:alpine']);
    expect(offers('-os!="Deb')).toEqual(['-os!="Debian 12"']);
    expect(offers('os:pin')).toEqual(['os:alpine']);
    expect(offers('os>=')).toEqual([]);
  });
});

describe('a list that is pasted', () => {
  it.each<[string, string | undefined]>([
    ['web01', undefined],
    ['web01\n', undefined],
    ['site:fra role:web', undefined],
    ['web01\nweb02', 'name:(web01 web02)'],
    ['web01,\r\nweb02;\r\n\r\n10.3.3.3\tfe80::1\nweb01', 'name:(web01 web02 10.3.3.3 fe80::1)'],
    ['a b\nOR\nx*\n"q"', 'name:("a b" "OR" "x*" "\\"q\\"")'],
  ])('of %j is %j', (text, expected) => {
    expect(pastedList(text)).toBe(expected);
  });
});
