import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { documentsOf } from '../../../src/plugins/yaml/documents.ts';
import { pythonProgram } from '../../support/python-environment.ts';

const DOCUMENTS = [
  'a: [yes, No, ON, off, true, False, y, n, "yes"]',
  'a: [~, null, NULL, "", nil]',
  'a: [010, 0o10, 0x1F, 0b101, 1_000, +5, -0, 08]',
  'a: [1.5, .5, 5., 1e3, 1.0e+3, 1.5e-3, 685.230_15]',
  'a: {b: {c: [1, {d: 2}]}}',
  'base: &b {x: 1, y: 2}\nother: {<<: *b, y: 3, z: *b}',
  'a: &a {x: 1}\nb: &b {y: 2, x: 3}\nc: {<<: [*a, *b]}',
  'text: |\n  one\n   two\nfolded: >-\n  one\n  two\n',
  "quoted: 'it''s'\ndouble: \"tab\\tnew\\u00e9\"",
  'plain: a b:c',
  '- - 1\n  - 2\n-\n  - 3\n',
  '? a\n: b\n',
  'ip: 10.0.0.1\nversion: 1.10\nname: web-01.example.org\nmac: 0a:1b:2c:3d:4e:5f\n',
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
});
