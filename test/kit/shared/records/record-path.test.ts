import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentFault } from '../../../../src/kit/json/document-scanner.ts';
import { RecordMaker } from '../../../../src/kit/records/record-maker.ts';
import { fieldValues, isList, stepsIntoLists, valuesAt } from '../../../../src/kit/records/record-path.ts';
import { jsonOptions } from '../../../../src/plugins/json/options.ts';
import { RecordReader } from '../../../../src/plugins/json/record-reader.ts';
import type { JsonValue } from '../../../../src/ports/index.ts';

const options = jsonOptions().parse({ path: 'file' });
const maker = await RecordMaker.of(options);

/** What the streaming reader finds at a path: names of the records, in their order. */
function streamed(text: string, path: string, cuts: readonly number[] = []): string[] | 'refused' {
  const reader = new RecordReader(options, { target: path, maker, host: 'file' });
  const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  try {
    let from = 0;
    const items = [...points, text.length].flatMap((to) => {
      const found = reader.push(text.slice(from, to));
      from = to;
      return found;
    });
    return [...items, ...reader.end()].map((item) => (item.kind === 'record' ? item.hostname : 'skipped'));
  } catch (error) {
    if (error instanceof DocumentFault) return 'refused';
    throw error;
  }
}

/** The same of the parsed document. */
function parsed(text: string, path: string): string[] | 'refused' {
  const values = valuesAt(JSON.parse(text) as JsonValue, path);
  const lists = stepsIntoLists(path) ? values?.filter((value) => value !== null) : values;
  if (lists === undefined || !lists.every(isList)) return 'refused';
  return lists.flat(1).map((element) => (element as { host: string }).host);
}

describe('paths to records', () => {
  it.each<[string, string, string[] | 'refused']>([
    ['{"a":[{"b":[{"host":"1"},{"host":"2"}]},{"b":[{"host":"3"}]}]}', 'a[].b[]', ['1', '2', '3']],
    ['{"a":[{"b":[{"host":"1"}]},{"c":1},{"b":null},{"b":[]}]}', 'a[].b', ['1']],
    ['{"a":[{"b":{"c":[{"d":[{"host":"1"}]}]}}]}', 'a[].b.c[].d[]', ['1']],
    ['[{"b":[{"host":"1"}]},{"b":[{"host":"2"}]}]', '[].b', ['1', '2']],
    ['[[{"host":"1"}],[],[{"host":"2"}]]', '[][]', ['1', '2']],
    ['{"a":[[{"host":"1"}]]}', 'a[][]', ['1']],
    ['{"a":[{"host":"1"}]}', 'a[]', ['1']],
    ['{"a[]":[{"host":"1"}]}', 'a[]', ['1']],
    ['{"a":[{"b":null}]}', 'a[].b', []],
    ['{"a":[]}', 'a[].b[]', []],
    ['{"a":[{"b":[]},{}]}', 'a[].b[].c', []],
    ['{"a":[{},{}]}', 'a[].b', 'refused'],
    ['{"a":[1,2]}', 'a[].b', 'refused'],
    ['{"a":{"b":[]}}', 'a[].b', 'refused'],
    ['{"a":[{"b":[{"host":"1"}]},{"b":{"c":1}}]}', 'a[].b', 'refused'],
    ['{"a":[{"b":[{"host":"1"}]},{"b":7}]}', 'a[].b', 'refused'],
    ['{"a":null}', 'a', 'refused'],
    ['{"a":null}', 'a[]', []],
    ['{"a":null}', 'a[].b', []],
    ['{"a":7}', 'a[].b', 'refused'],
  ])('of %s at %s', (text, path, expected) => {
    expect(streamed(text, path)).toEqual(expected);
    expect(parsed(text, path)).toEqual(expected);
  });

  it.each([
    '{"a":[{"b":[]}],"a":[{"b":[]}]}',
    '{"a":[{"b":[],"b":[]}]}',
    '{"a":[],"a":[{"b":[]}]}',
    '{"a":[{"b":[]},{"b":[]}],"a":[{"b":[]}]}',
  ])('are refused where a member stands twice: %s', (text) => {
    expect(streamed(text, 'a[].b')).toBe('refused');
  });

  it('lead to the same places in a stream as in memory, wherever the chunks are cut', () => {
    const hosts = fc.array(fc.record({ host: fc.constantFrom('x', 'y', 'z') }), { maxLength: 3 });
    const noise = fc.jsonValue({ maxDepth: 2 });
    const inner = fc.record({ noise, b: fc.oneof(hosts, fc.constant(null)), behind: noise }, { requiredKeys: [] });
    const outer = fc.record(
      { before: noise, a: fc.oneof(fc.array(inner, { maxLength: 4 }), inner, hosts), behind: noise },
      { requiredKeys: ['a'] },
    );
    const path = fc.constantFrom('a[].b[]', 'a[].b', 'a.b', 'a', 'a[]');
    fc.assert(
      fc.property(outer, path, fc.array(fc.nat(), { maxLength: 6 }), (document, at, cuts) => {
        const text = JSON.stringify(document);
        const expected = parsed(text, at);
        // What is no record is skipped by its reader.
        fc.pre(expected === 'refused' || expected.every((name) => typeof name === 'string'));
        expect(streamed(text, at, cuts)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, readonly JsonValue[] | undefined]>([
    ['ip[0].address', ['a']],
    ['ip[-1].address', ['c']],
    ['ip[primary=1].address', ['b']],
    ['ip[kind.name=v 6].address', ['c']],
    ['ip[primary=1].names[]', [['x', 'y']]],
    ['ip[primary=1].names[1]', ['y']],
    [
      'ip[]',
      [
        [
          { address: 'a', primary: 0 },
          { address: 'b', primary: 1, names: ['x', 'y'] },
          { address: 'c', kind: { name: 'v 6' } },
        ],
      ],
    ],
    ['ip[7].address', []],
    ['ip[primary=2].address', []],
    ['none[0].address', []],
    ['ip[0].nothing', undefined],
    ['one[0].address', undefined],
    ['odd[0]', ['a name']],
  ])('lead to one element of a list: %s', (path, expected) => {
    const ip = [
      { address: 'a', primary: 0 },
      { address: 'b', primary: 1, names: ['x', 'y'] },
      { address: 'c', kind: { name: 'v 6' } },
    ];
    expect(valuesAt({ ip, none: null, one: { address: 'd' }, 'odd[0]': 'a name' }, path)).toEqual(expected);
    expect(fieldValues({ ip }, 'ip[primary=1].address')).toEqual(['b']);
  });

  it('are streamed: what stands before, between and after is let go of as it passes', () => {
    const reader = new RecordReader(options, { target: 'a[].b[]', maker, host: 'file' });
    const filler = `"${'x'.repeat(1_000_000)}"`;
    const document = function* () {
      yield '{"before":[';
      for (let index = 0; index < 20; index++) yield `${filler},`;
      yield '0],"a":[';
      for (let index = 0; index < 20; index++) yield `{"x":{"y":${filler}},"b":[{"host":"h${index}"}]},`;
      yield '{}],"behind":[';
      for (let index = 0; index < 20; index++) yield `${filler},`;
      yield '0]}';
    };
    // What is held must not exceed 16 million characters.
    let count = 0;
    for (const chunk of document()) count += reader.push(chunk).length;
    expect(count + reader.end().length).toBe(20);
  });
});
