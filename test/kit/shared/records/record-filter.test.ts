import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterTextFault, readFilter } from '../../../../src/kit/records/filter-text.ts';
import { RecordFilter } from '../../../../src/kit/records/record-filter.ts';
import type { JsonObject } from '../../../../src/ports/index.ts';
import { processorTime } from '../../../support/processor-time.ts';

async function passes(filter: string, record: JsonObject): Promise<boolean> {
  return (await RecordFilter.of(filter)).passes(record, 'record 3');
}

describe('the text of a filter', () => {
  it.each<[string, [string, string, string][]]>([
    ['', []],
    ['status=active', [['status', '=', 'active']]],
    [
      ' a = 1 , b != 2 and c~^x AND d!~y$ ',
      [
        ['a', '=', '1'],
        ['b', '!=', '2'],
        ['c', '~', '^x'],
        ['d', '!~', 'y$'],
      ],
    ],
    ['a==b=c', [['a', '=', 'b=c']]],
    ['a=', [['a', '=', '']]],
    [
      'a=,b!=',
      [
        ['a', '=', ''],
        ['b', '!=', ''],
      ],
    ],
    [`"a=b"="x, y and z"`, [['a=b', '=', 'x, y and z']]],
    [
      `a='say "no"',b~"\\d{1,3}"`,
      [
        ['a', '=', 'say "no"'],
        ['b', '~', '\\d{1,3}'],
      ],
    ],
    ['metadata.labels.kubernetes.io/os=linux', [['metadata.labels.kubernetes.io/os', '=', 'linux']]],
    ['Tags[].Key=Name', [['Tags[].Key', '=', 'Name']]],
    ['site name=sand and-stone', [['site name', '=', 'sand and-stone']]],
  ])('%j', (text, expected) => {
    expect(readFilter(text).map(({ field, operator, value }) => [field, operator, value])).toEqual(expected);
  });

  it.each(['status', '=x', 'a=1,', 'a=1 and ', ',a=1', 'a="x', 'a="x"y', 'a=1 and b', 'a="x" b=1', '~', 'a!b'])(
    '%j cannot be read',
    (text) => {
      expect(() => readFilter(text)).toThrow(FilterTextFault);
    },
  );

  it('may not be endless', () => {
    expect(() => readFilter(`a=${' '.repeat(5_000)}`)).toThrow(/is longer than 4000 characters/);
    const taken = processorTime(() => {
      expect(readFilter(`a=x${' '.repeat(3_990)}`)).toHaveLength(1);
      expect(() => readFilter(`a${' '.repeat(3_990)}`)).toThrow(FilterTextFault);
    });
    expect(taken).toBeLessThan(1_000);
  });

  it('is read as it was written, whatever names and values are', () => {
    const quoted = fc.oneof(
      fc
        .string({ minLength: 1 })
        .filter((text) => !text.includes('"'))
        .map((text) => [`"${text}"`, text] as const),
      fc
        .string({ minLength: 1 })
        .filter((text) => !text.includes("'"))
        .map((text) => [`'${text}'`, text] as const),
    );
    const bare = fc.stringMatching(/^[a-z][a-z0-9.[\]/-]{0,8}$/).map((text) => [text, text] as const);
    const word = fc.oneof(quoted, bare);
    const condition = fc.tuple(word, fc.constantFrom('=', '!=', '~', '!~'), word, fc.constantFrom(',', ' and ', ' , '));
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 4 }), (conditions) => {
        const text = conditions.map(([field, operator, value, end]) => `${field[0]}${operator}${value[0]}${end}`);
        const joined = text.join('').replace(/(?:,| and | , )$/, '');
        fc.pre(conditions.every(([, , value]) => !/(?:,| and | , )$/.test(value[0])));
        expect(readFilter(joined)).toEqual(
          conditions.map(([field, operator, value]) => ({ field: field[1], operator, value: value[1] })),
        );
      }),
    );
  });

  it('never does anything else than answer or refuse', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' and ', ',', '=', '!', '~', '"', "'", ' ', '.', '[]') });
    fc.assert(
      fc.property(text, (filter) => {
        try {
          expect(readFilter(filter).every(({ field }) => field !== '')).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(FilterTextFault);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a filter', () => {
  const record = {
    status: 'active',
    site: { name: 'berlin', id: 7 },
    tags: [
      { name: 'core', id: 1 },
      { name: 'edge', id: 2 },
    ],
    roles: ['web', 'db'],
    up: true,
    none: null,
    empty: '',
    nothing: {},
  };

  it.each([
    'status=active',
    'status!=offline',
    'site.name=berlin',
    'site.id=7',
    'up=true',
    'roles=db',
    'roles!=cache',
    'tags=core',
    'tags[].id=2',
    'status~^act',
    'status~tiv',
    'status!~^x',
    'roles~^d',
    'none=',
    'empty=',
    'absent=',
    'nothing=',
    'status!=',
    'absent!=x',
    'absent!~.',
    'status=active,site.name=berlin and roles=web',
  ])('%s passes', async (filter) => {
    expect(await passes(filter, record)).toBe(true);
  });

  it.each([
    'status=Active',
    'status!=active',
    'roles!=db',
    'absent=x',
    'absent!=',
    'absent~.',
    'none~.',
    'status~^tiv',
    'roles!~web',
    'status=active,up=false',
  ])('%s does not', async (filter) => {
    expect(await passes(filter, record)).toBe(false);
  });

  it('never passes what its opposite passes', () => {
    const value = fc.oneof(fc.constantFrom('x', 'y', '', 7, true, null), fc.array(fc.constantFrom('x', 'y', 1)));
    const text = fc.constantFrom('x', 'y', '', '7', 'true', '1');
    return fc.assert(
      fc.asyncProperty(value, text, fc.constantFrom('=', '~'), async (found, compared, operator) => {
        const of = found as JsonObject[string];
        const given: JsonObject = of === undefined ? {} : { a: of };
        expect(await passes(`a!${operator}${compared}`, given)).toBe(!(await passes(`a${operator}${compared}`, given)));
      }),
    );
  });

  it('fails where it compares an object, and names the members', async () => {
    await expect(passes('site=berlin', record)).rejects.toThrow(
      'record_filter compares "site", which is an object in record 3; name one of its members: "site.name", "site.id"',
    );
  });

  it.each(['name~(', 'name~(?<x', `name~${'x'.repeat(1_001)}`])(
    'with a broken pattern fails: %.20s',
    async (filter) => {
      await expect(RecordFilter.of(filter)).rejects.toMatchObject({ code: 'failed' });
    },
  );

  it('takes linear time, and refuses a text that would still take long', async () => {
    const filter = await RecordFilter.of('name~"(x+x+)+y"');
    const taken = processorTime(() => {
      expect(filter.passes({ name: 'x'.repeat(20_000) }, 'record 1')).toBe(false);
    });
    expect(taken).toBeLessThan(1_000);
    expect(() => filter.passes({ name: 'x'.repeat(1_000_000) }, 'record 2')).toThrow(/compares a text of 1000000/);
  });
});
