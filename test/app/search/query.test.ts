import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/app/search/decisions/parse-query.ts';
import type { Query } from '../../../src/app/search/decisions/query.ts';

/** A query as it was understood, in one line. */
function read(text: string): string {
  const query = parseQuery(text);
  return query.ok ? shown(query.value) : `! ${query.message}`;
}

function shown(query: Query): string {
  switch (query.kind) {
    case 'everything':
      return 'all';
    case 'text':
      return `<${query.text}>`;
    case 'test':
      return `${query.field}${query.comparison}${query.isQuoted ? JSON.stringify(query.value) : query.value}`;
    case 'not':
      return `not ${shown(query.part)}`;
    default:
      return `(${query.parts.map(shown).join(` ${query.kind} `)})`;
  }
}

describe('the language of queries', () => {
  it('takes any number of negations', () => {
    expect(read(`${'NOT '.repeat(2000)}a`)).toBe('<a>');
    expect(read(`${'- '.repeat(20_001)}a`)).toBe('not <a>');
  });

  const cases: readonly (readonly [text: string, understood: string])[] = [
    ['', 'all'],
    ['  ', 'all'],
    ['web', '<web>'],
    ['web db', '(<web> and <db>)'],
    ['"two words"', '<two words>'],
    ['"a \\"b\\" \\\\"', '<a "b" \\>'],
    ['site:fra', 'site=fra'],
    ['site = fra', 'site=fra'],
    ['os="Debian GNU/Linux 12"', 'os="Debian GNU/Linux 12"'],
    ['"app name"="x=y"', 'app name="x=y"'],
    ['app.kubernetes.io/name=x=y:z', 'app.kubernetes.io/name=x=y:z'],
    ['cpus>=8', 'cpus>=8'],
    ['seen<2d changed>today', '(seen<2d and changed>today)'],
    ['site!=fra', 'not site=fra'],
    ['os!~"^deb"', 'not os~"^deb"'],
    ['os~/^deb (11|12)\\/x/', 'os~^deb (11|12)/x'],
    ['NOT a -b', '(not <a> and not <b>)'],
    ['-site:fra', 'not site=fra'],
    ['- (a OR b)', 'not (<a> or <b>)'],
    ['a AND b OR c d', '((<a> and <b>) or (<c> and <d>))'],
    ['a (b OR c)', '(<a> and (<b> or <c>))'],
    ['site:(fra OR ber)', '(site=fra or site=ber)'],
    ['site!=(fra OR ber)', 'not (site=fra or site=ber)'],
    ['site:(fra ber)', '(site=fra or site=ber)'],
    [
      'name:(web01, web02,10.3.3.3\nfe80::1\n"two words" x:y -z=1,)',
      '(name=web01 or name=web02 or name=10.3.3.3 or name=fe80::1 or name="two words" or name=x:y or name=-z=1)',
    ],
    ['site!=(a b) c', '(not (site=a or site=b) and <c>)'],
    ['os~(a{1,2} OR b)', '(os~a{1,2} or os~b)'],
    ['warranty<+90d end>=-2.5h', '(warranty<+90d and end>=-2.5h)'],
    ['and or not', '(<and> and <or> and <not>)'],
    ['10.3.0.0/16', '<10.3.0.0/16>'],
    ['fe80::1 00:50:56:aa:bb:cc', '(<fe80::1> and <00:50:56:aa:bb:cc>)'],
    ['ip:fe80::1', 'ip=fe80::1'],
    ['mac=00:50:56:aa:bb:cc', 'mac=00:50:56:aa:bb:cc'],
    ['web-01', '<web-01>'],
    ['a!b', '<a!b>'],
    ['site:*', 'site=*'],
    ['name:"*"', 'name="*"'],
  ];
  for (const [text, understood] of cases)
    it(`reads ${JSON.stringify(text)}`, () => expect(read(text)).toBe(understood));

  const refused: readonly (readonly [text: string, message: RegExp])[] = [
    ['site:', /add a value after "site:", or use site:\* for any value/],
    ['site: )', /add a value after "site:"/],
    ['= fra', /nothing in front of = at 1; write a field/],
    ['(a', /the bracket at 1 is never closed/],
    ['a)', /the bracket at 2 closes nothing/],
    ['()', /nothing in front of the bracket at 2/],
    ['a AND', /nothing behind AND at 3/],
    ['OR a', /nothing in front of OR at 1; quote it to look for the word: "OR"/],
    ['NOT', /nothing behind NOT at 1/],
    ['!site:fra', /write -site instead of !site to leave out hosts, or quote it/],
    ['web !(db)', /write - instead of ! to leave out hosts/],
    ['"open', /the quotation mark at 1 is never closed/],
    [
      'site:(fra AND ber)',
      /only values may be between the brackets behind "site", with blanks, commas or OR between them/,
    ],
    ['site:(fra (ber))', /only values may be between/],
    ['site:(fra', /the bracket at 6 is never closed/],
    [`site:(${'a '.repeat(1001)})`, /more than 1000 values of "site"/],
    [`site~(${'a '.repeat(450)})`, /more than 200 tests/],
    ['site:()', /a value of "site" is missing between brackets/],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, /more than 50 deep/],
    [Array.from({ length: 500 }, () => 'a').join(' '), /more than 200 tests/],
  ];
  for (const [text, message] of refused) {
    it(`says what is wrong with ${JSON.stringify(text.slice(0, 20))}`, () => expect(read(text)).toMatch(message));
  }
});
