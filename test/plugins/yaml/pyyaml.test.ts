import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { documentsOf } from '../../../src/plugins/yaml/documents.ts';
import { pythonProgram } from '../../support/python-environment.ts';

const DOCUMENTS = [
  'a: [yes, No, on, off, true, False, y, n, "yes"]',
  'a: [~, null, NULL, "", nil]',
  'a: [10, 0o10, 5, -7, 0, 08]',
  'a: [1.5, 0.5, -5.25, 1e3]',
  'a: {b: {c: [1, {d: 2}]}}',
  'base: &b {x: 1, y: 2}\nother: {<<: *b, y: 3, z: *b}',
  'a: &a {x: 1}\nb: &b {y: 2, x: 3}\nc: {<<: [*a, *b]}',
  'text: |\n  one\n   two\nfolded: >-\n  one\n  two\n',
  "quoted: 'it''s'\ndouble: \"tab\\tnew\\u00e9\"",
  'plain: a b:c',
  '- - 1\n  - 2\n-\n  - 3\n',
  '? a\n: b\n',
  'ip: 10.0.0.1\nversion: 1.10.2\nname: web-01.example.org\nmac: 0a:1b:2c:3d:4e:5f\n',
  '# comment\na: b # another\nc: "#none"\n',
];

const PROGRAM = `
import json, sys, yaml
print(json.dumps([yaml.safe_load(text) for text in json.load(sys.stdin)]))
`;

describe('YAML', () => {
  it('is read as PyYAML reads it', () => {
    const python = pythonProgram('python');
    const theirs: unknown = JSON.parse(
      execFileSync(python, ['-c', PROGRAM], { input: JSON.stringify(DOCUMENTS), encoding: 'utf8' }),
    );
    expect(DOCUMENTS.map((text) => documentsOf(text)[0])).toEqual(theirs);
  });

  it('stays as it is written where the value would lose signs', () => {
    const [read] = documentsOf('a: [1.10, 3.0, 0777, 0x10, 1_000, +49, -0, 1.0e+3, .5, NO, ON, "x"]');
    expect(read).toEqual({
      a: ['1.10', '3.0', '0777', '0x10', '1_000', '+49', '-0', '1.0e+3', '.5', 'NO', 'ON', 'x'],
    });
  });

  it('has texts for keys, and for the members that name a record', () => {
    const text = 'no: 1\n012: 2\n10: 3\n1.10: 4\non: 5\n~: 6\n2024-01-31: 7\nhost: 0o1\nid: [true, 7]\n';
    const [read] = documentsOf(text, new Set(['host', 'id']));
    expect(Object.entries(read as object)).toEqual([
      ['10', 3],
      ['no', 1],
      ['012', 2],
      ['1.10', 4],
      ['on', 5],
      ['~', 6],
      ['2024-01-31', 7],
      ['host', '0o1'],
      ['id', ['true', '7']],
    ]);
    expect(() => documentsOf('a: 1\n12: 2\n"12": 3\n')).toThrow('is not valid YAML in line 3: a key occurs twice');
    expect(documentsOf('a: &a {x: 1}\nb: &b {y: 2}\nc: {<<: *a, <<: *b}')[0]).toMatchObject({ c: { x: 1, y: 2 } });
  });
});
