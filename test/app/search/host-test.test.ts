import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldTexts } from '../../../src/app/search/decisions/held-texts.ts';
import { hostTest, type QueryFacts } from '../../../src/app/search/decisions/host-test.ts';
import { parseQuery } from '../../../src/app/search/decisions/parse-query.ts';
import { type HostRecord, StoredJson } from '../../../src/ports/index.ts';
import { documentOf } from '../../../src/testing/samples.ts';

const now = new Date('2026-03-10T12:00:00Z');
const facts: QueryFacts = {
  now,
  accounts: new Map([['aaaaaaaaaaaaaaaaaaaaaaaa', 'netbox']]),
  found: new Map(),
  targets: (hostname, type) => (hostname === 'vm1' && type === 'runs_on' ? ['esx01', 'esx02'] : []),
  groups: () => [],
  served: (hostname, path) => (hostname === 'vm1' && path.join('.') === 'app.tier' ? ['Core', 7] : []),
};

function host(values: Partial<HostRecord> = {}): HostRecord {
  return documentOf('Web01.example.org', {
    labels: StoredJson.ofValue({
      site: 'CODFW',
      os: 'Debian GNU/Linux 12',
      kernel: '5.10.0-28',
      cpus: 48,
      memory: '64',
      roles: ['web', 'Cache'],
      empty: [],
      nothing: null,
      virtual: true,
      ip: '10.3.3.3',
      net: '10.3.3.3/24',
      ip6: 'fd00::1',
      'app.kubernetes.io/name': 'x=y',
      warranty: '2026-05-01',
      bought: 1772366400,
      release: '5.9',
      load: 5.9,
      state: 'fine',
    }),
    inventory: StoredJson.ofValue({
      facts: {
        distribution: { name: 'Debian' },
        interfaces: [
          { name: 'eth0', mtu: 1500 },
          { name: 'eth1', mtu: 9000 },
        ],
        'a.b': { c: 7 },
      },
    }),
    members: StoredJson.ofValue({ cmdb_templates: ['linux'] }),
    lastSeen: new Date('2026-03-09T12:00:00Z'),
    lastUpdate: new Date('2026-03-10T01:00:00Z'),
    createdAt: new Date('2026-01-05T00:00:00Z'),
    ...values,
  });
}

function matches(where: string, record = host()): boolean {
  const query = parseQuery(where);
  if (!query.ok) throw new Error(query.message);
  const test = hostTest(query.value, facts);
  if (!test.ok) throw new Error(test.message);
  return test.value(record);
}

describe('what a query asks of a host', () => {
  const found = [
    'web01',
    'WEB',
    'codfw',
    '10.3.',
    'cach',
    'web*',
    '*.Example.org',
    '*',
    'debian*12',
    'cac*',
    '*ache',
    '"gnu/linux"',
    '10.0.0.0/8',
    'fd00::/8',
    '"x=y"',
    'site:codfw',
    'site:cod*',
    'site:*dfw',
    'site:*',
    'site:c*d*w',
    'os="debian gnu/linux 12"',
    'os:debian*',
    'cpus:48',
    'cpus>=48',
    'cpus>8',
    'cpus<100',
    'memory>=9',
    'kernel>5.9',
    'kernel<5.11',
    'release<5.10',
    'release>5.8',
    'release>=5',
    'load>5.10',
    'virtual:TRUE',
    'roles:web',
    'roles:cache',
    'roles:(db OR web)',
    'empty:*',
    'nothing:*',
    'nothing:""',
    'ip:10.3.0.0/16',
    'net:10.3.0.0/16',
    'ip6:fd00::/16',
    'app.kubernetes.io/name=x=y',
    'os~deb',
    'os~^deb',
    'os~/linux \\d+$/',
    'os!~bsd',
    'facts.distribution.name:debian',
    'facts.interfaces.name:eth1',
    'facts.interfaces.mtu>=9000',
    'facts.a.b.c:7',
    'facts.a.b:*',
    'section.facts.distribution.name:Debian',
    'label.site:codfw',
    'label.state:fine',
    'name:web01.*',
    'hostname:"Web01.example.org"',
    'account:netbox',
    'type:host',
    'template:linux',
    'state:active',
    'seen<2d',
    'seen<=24h',
    'seen>12h',
    'seen:yesterday',
    'seen:2026-03-09',
    'seen>=2026-03-09',
    'seen<2026-03-10',
    'seen<=2026-03-09',
    'changed>2026-03-10T00:30:00Z',
    'changed>today',
    'changed:today',
    'created<2026-02-01',
    'created>30d',
    'archived:never',
    'site:codfw cpus>8 OR nothing:x',
    'NOT site:fra',
    'site!=fra',
    'rack!=a',
    '-rack:*',
    'site:(fra codfw)',
    'site:(fra, COD*)',
    'rack:(a b) OR cpus:(4 48)',
    'ip:(10.4.0.0/16 10.3.0.0/16)',
    'name:10.3.3.3',
    'name:(web02 ::ffff:10.3.3.3)',
    'name:(web02 10.3.0.0/16)',
    'name:(db1 web01.example.org)',
    'rack!=(a b)',
    'seen:(today 2026-03-09)',
    'state:(active archived)',
    'warranty<+90d',
    'warranty>+30d',
    'warranty>today',
    'warranty>=-30d',
    'bought<-7d',
    'bought<yesterday',
    'changed>-12h',
    'seen<-12h',
    'seen<=+1h',
  ]; // prettier-ignore
  for (const where of found) it(`finds it by ${where}`, () => expect(matches(where)).toBe(true));

  const missed = [
    'web02',
    'fra',
    '11.0.0.0/8',
    'eb01*',
    '*.example',
    'linux*',
    '"web*"',
    'site:cod',
    'Site:codfw',
    'site:"cod*"',
    'rack:*',
    'cpus>48',
    'cpus<8',
    'cpus:4',
    'virtual>0',
    'site>5',
    'nothing>=0',
    'roles:we',
    'ip:10.4.0.0/16',
    'cpus:0.0.0.0/0',
    'os~^linux',
    'facts.interfaces.mtu>9000',
    'facts.distribution:Debian',
    'facts.none:*',
    'label.facts.distribution.name:debian',
    'section.site:codfw',
    'state:archived',
    'seen>2d',
    'seen:never',
    'seen<12h',
    'changed<today',
    'changed:yesterday',
    'archived>2020-01-01',
    'constructor:*',
    'facts.constructor:*',
    'NOT web01',
    'site:codfw AND site:fra',
    'runs_on:esx01',
    'account:other',
    'template:windows',
    'site:(fra "cod*")',
    'site:(cod fra)',
    'name:(web01 10.3.3.33)',
    'name:"10.3.3.3"',
    'own.folder:(10.3.3.3 x)',
    'warranty<+30d',
    'warranty<-1d',
    'warranty<"+90d"',
    'site<+90d',
    'rack>-30d',
    'changed<-12h',
    'archived<+1h',
  ]; // prettier-ignore
  for (const where of missed) it(`does not find it by ${where}`, () => expect(matches(where)).toBe(false));

  it('knows the hosts at the other end of a relation, and those that others lead to', () => {
    expect(matches('runs_on:esx*', host({ hostname: 'vm1' }))).toBe(true);
    expect(matches('relation.runs_on:ESX02', host({ hostname: 'vm1' }))).toBe(true);
    expect(matches('served.app.tier:core', host({ hostname: 'vm1' }))).toBe(true);
    expect(matches('served.app.tier>6', host({ hostname: 'vm1' }))).toBe(true);
    expect(matches('served.app.tier:*')).toBe(false);
    expect(matches('runs_on:*', host({ hostname: 'vm2' }))).toBe(false);
    const query = parseQuery('serial:J4711');
    if (!query.ok || query.value.kind !== 'test') throw new Error('no test');
    const test = hostTest(query.value, { ...facts, found: new Map([[query.value, new Set(['vm1'])]]) });
    expect(test.ok && test.value(host({ hostname: 'vm1' }))).toBe(true);
    expect(test.ok && test.value(host({ hostname: 'vm2' }))).toBe(false);
  });

  it('says what is wrong with a value', () => {
    const problem = (where: string): string => {
      const query = parseQuery(where);
      const test = query.ok ? hostTest(query.value, facts) : query;
      return test.ok ? '' : test.message;
    };
    expect(problem('seen:2d')).toMatch(/never exactly an age; write an age/);
    expect(problem('seen:-2d')).toMatch(/never exactly an age; write an age/);
    expect(problem('state:(active gone)')).toMatch(/"gone" is not a state/);
    expect(problem('seen<soon')).toMatch(/"soon" is not a time; write an age/);
    expect(problem('state:gone')).toMatch(/not a state; write state:active/);
    expect(problem('os~"("')).toMatch(/does not compile/);
    expect(problem('cpus>""')).toMatch(/compared with an empty text/);
  });
});

describe('the texts that a host holds which a query finds', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'fra',
      'FRA',
      'frankfurt',
      'a"b',
      'ü',
      'Kelvin',
      '\u212aelvin',
      'İst',
      '12345',
      '10.3.3.3',
      '10.30.3.3/24',
      '1e5',
      'x\\y',
      'x_y',
      '100%',
      'a;b',
      'a\u037eb',
      'cafe\u0301',
    ),
    fc.string({ minLength: 1, maxLength: 6 }),
  );
  const value = fc.oneof(
    word,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(word, { maxLength: 3 }),
  );
  const record = fc
    .record({ hostname: word, site: value, rack: value, deep: value })
    .map(({ hostname, site, rack, deep }) =>
      host({
        hostname,
        labels: StoredJson.ofValue({ site, rack }),
        inventory: StoredJson.ofValue({ facts: { deep } }),
      }),
    );
  const quoted = (text: string): string => JSON.stringify(text).replaceAll(/\\[bfnrt]|\\u[0-9a-f]{4}/g, ' ');
  const leaf = fc
    .tuple(
      fc.constantFrom('', 'site:', 'rack=', 'facts.deep:', 'name:', 'type:', 'runs_on:', 'site!=', 'seen:'),
      word,
      fc.boolean(),
    )
    .map(([field, text, isWild]) => {
      if (field === 'seen:') return 'seen<2d';
      if (field === 'site:' && isWild) return 'site:10.3.0.0/16';
      return isWild && /^[\w%]+$/.test(text) ? `${field}${text.slice(0, 3)}*` : `${field}${quoted(text)}`;
    });
  const where = fc.letrec<{ query: string }>((tie) => ({
    query: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(tie('query'), fc.constantFrom('AND', 'OR'), tie('query')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      tie('query').map((query) => `NOT (${query})`),
    ),
  })).query;

  it('are in every host that it finds', () => {
    fc.assert(
      fc.property(where, record, (text, one) => {
        if (!matches(text, one)) return;
        const query = parseQuery(text);
        const lists = query.ok ? heldTexts(query.value, new Map()) : [];
        const held = asciiLower([one.hostname, one.labels.text, one.inventory.text].join('\n'));
        for (const texts of lists) {
          expect(
            texts.some((wanted) => held.includes(asciiLower(wanted))),
            `${text}: ${JSON.stringify(texts)}`,
          ).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are known where much is asked, and none where nothing can be', () => {
    const textsOf = (text: string) => {
      const query = parseQuery(text);
      return query.ok ? heldTexts(query.value, new Map()) : [];
    };
    // The Kelvin sign is a k in lower case, so no k is sure to be held.
    expect(textsOf('site:frankfurt role:web*')).toEqual([['fran'], ['web']]);
    expect(textsOf('site:(fra OR ber)')).toEqual([['fra', 'ber']]);
    expect(textsOf('NOT site:fra')).toEqual([]);
    expect(textsOf('site:fra OR cpus>8')).toEqual([]);
    expect(textsOf('ip:10.3.0.0/20')).toEqual([['10.3.', 'ffff:']]);
    expect(textsOf('10.3.3.3/32')).toEqual([['10.3.3.3', 'ffff:']]);
    expect(textsOf('0.0.0.0/0 fd00::/8 site:* type:host runs_on:esx01 x')).toEqual([]);
  });
});

/** As SQLite compares: only letters of ASCII have a case. */
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());
}

describe('what is written in several ways', () => {
  const spellings: readonly (readonly string[])[] = [
    ['aa:bb:cc:0d:ee:ff', 'AA-BB-CC-0D-EE-FF', 'aabb.cc0d.eeff', 'AABBCC0DEEFF', 'aabbcc-0deeff'],
    ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::0001', '2001:db8::0.0.0.1'],
    ['10.3.3.3', '::ffff:10.3.3.3', '::FFFF:a03:303', '0:0:0:0:0:ffff:0a03:0303'],
    ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9'],
  ];
  const stored = (value: string): HostRecord => documentOf(`${value}x`, { labels: StoredJson.ofValue({ at: value }) });

  it.each(spellings)('is found by all of them: %s', (...all) => {
    for (const value of all) {
      for (const asked of all) {
        for (const where of [asked, `at:${asked}`]) {
          const query = parseQuery(where);
          const test = query.ok ? hostTest(query.value, facts) : query;
          if (!query.ok || !test.ok) throw new Error(where);
          const host = stored(value);
          expect(test.value(host), `${value} by ${where}`).toBe(true);
          const text = `${host.hostname}${host.labels.text}`.toLowerCase();
          for (const texts of heldTexts(query.value, facts.found))
            expect(
              texts.some((held) => text.includes(held.toLowerCase())),
              where,
            ).toBe(true);
        }
      }
    }
  });

  it('guesses nothing, and takes quoted values as they are', () => {
    const misses: readonly (readonly [string, string])[] = [
      ['010.3.3.3', 'at:8.3.3.3'],
      ['010.3.3.3', 'at:10.3.3.3'],
      ['010.3.3.3', '10.3.0.0/16'],
      ['aa:bb:cc:dd:ee:fe', 'at:aabb.ccdd.eeff'],
      ['aa:bb:cc:dd:ee:ff', 'at:"aabb.ccdd.eeff"'],
      ['10.3.3.31', 'at:10.3.3.3'],
    ];
    for (const [value, where] of misses) {
      const query = parseQuery(where);
      const test = query.ok ? hostTest(query.value, facts) : query;
      expect(test.ok && test.value(stored(value)), `${value} by ${where}`).toBe(false);
    }
  });
});
