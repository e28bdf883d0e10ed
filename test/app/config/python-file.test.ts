import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePythonConfig } from '../../../src/main/config/python-file.ts';
import { pythonProgram } from '../../support/python-environment.ts';

/** What Python itself makes of files: the literals that are assigned at their top level, nothing executed. */
const ORACLE = `
import ast, json, sys
def values(source):
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Expr):
            assert isinstance(node.value.value, str)
            continue
        assert isinstance(node, ast.Assign) and len(node.targets) == 1
        found[node.targets[0].id] = ast.literal_eval(node.value)
    return found
json.dump([values(source) for source in json.load(sys.stdin)], sys.stdout)
`;

function pythonReads(sources: readonly string[]): unknown[] {
  return JSON.parse(
    execFileSync(pythonProgram('python'), ['-c', ORACLE], { input: JSON.stringify(sources), encoding: 'utf8' }),
  );
}

const REAL = `#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Settings of our installation.

Ask "the team" before you change # anything.
"""

CMDB_MODE = True  # relations

# several
# lines of comment

PLUGINS = [
    'a',  # 'the "first"

    "b",
]
BASE_URL = ('https://muster.example.org'
            '/base')  ; TIMEZONE = "Europe/Berlin"
'A text that describes BASE_URL.'
DATA_DIR = r'C:\\data' \\
    '\\\\x'
TLS_CERT = '''
not a # comment
'''
LOG_LEVEL = 'in\\
fo'
`;

describe('local_config.py', () => {
  it('may have a docstring, comments, blank lines, and values over several lines', () => {
    expect(parsePythonConfig(REAL)).toEqual({
      CMDB_MODE: true,
      PLUGINS: ['a', 'b'],
      BASE_URL: 'https://muster.example.org/base',
      TIMEZONE: 'Europe/Berlin',
      DATA_DIR: 'C:\\data\\x',
      TLS_CERT: '\nnot a # comment\n',
      LOG_LEVEL: 'info',
    });
    expect(pythonReads([REAL])).toEqual([parsePythonConfig(REAL)]);
    expect(parsePythonConfig(REAL.replaceAll('\n', '\r\n'))).toEqual(parsePythonConfig(REAL));
  });

  it.each([
    ["'''Doc'''\nA = 1\n"],
    ['"""Doc"""\nA = 1'],
    ['r"""Doc \\d"""\nA = 1'],
    ["U'Doc'\nA = 1"],
    ['"Doc" "umentation"\n\n\nA = 1'],
    ['"""Quotes: "" and \\""" # """\nA = 1'],
    ['# only a comment\n\nA = 1 # "'],
  ])('takes a text at its top for a description: %j', (source) => {
    expect(parsePythonConfig(source)).toEqual({ A: 1 });
    expect(pythonReads([source])).toEqual([{ A: 1 }]);
  });

  it.each([
    ['"""Doc"""\n\nA = open("x")\n', 3],
    ['A = 1\nimport os; os.system("true")', 2],
    ['A = 1\n\nif True:\n    B = 2\n', 3],
    ['A = (\n  1,\n  f("x"),\n)\nB = 2', 1],
    ['"""Doc""".format(1)\nA = 1', 1],
    ['f"""{1}"""\nA = 1', 1],
    ['A = f"{1}"', 1],
    ['A = 1\nB += 1', 2],
    ['A = 1\n  B = 2', 2],
    ['A = 1\ndel A', 2],
    ['A = "open\nB = 2', 1],
    ['"""open\nB = 2', 1],
    ['A = 1\nB = [1,\n', 2],
    ['from os import path, system as s\nexec("x")', 2],
    ['A == 1', 1],
    ['__import__("os").system("true")', 1],
  ])('refuses %j by its line', (source, line) => {
    expect(() => parsePythonConfig(source)).toThrow(`line ${line} is not an assignment`);
  });

  it('shows no value in what it refuses', () => {
    expect(() => parsePythonConfig('INSTANCE_KEY = c0ffee\n')).toThrow(/\(INSTANCE_KEY = …\)/);
    expect(() => parsePythonConfig('INSTANCE_KEY = "c0ffee')).not.toThrow(/c0ffee/);
  });

  it('says of files what Python says', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab #"\'\\n\n\t;[]{}()=,é\u{1f600}'), maxLength: 8 });
    const scalar = fc.oneof(
      fc.integer().map(String),
      fc.constantFrom('True', 'False', 'None', '1_000', '0x1f', '-1.5', '2e3'),
      text.map((value) => quoted(value, "'")),
      text.map((value) => quoted(value, '"')),
      text.map((value) => triple(value)),
      fc.constantFrom("r'\\d'", 'u"x"', "'a' 'b'", 'r"\\""'),
    );
    const gap = fc.constantFrom('', ' ', '\n', ' # "comment\n', '\n\n  ');
    const list = fc
      .array(fc.tuple(gap, scalar, gap), { maxLength: 4 })
      .chain((items) =>
        fc.constantFrom(
          `[${items.map((item) => `${item.join('')},`).join('')}]`,
          `{${items.map((item, index) => `${item[0]}"k${index}":${item[1]}${item[2]},`).join('')}}`,
        ),
      );
    const name = fc.constantFrom('A', 'B', 'CMDB_MODE', 'x1');
    const statement = fc.oneof(
      fc.tuple(name, fc.oneof(scalar, list)).map(([key, value]) => `${key} = ${value}`),
      fc.tuple(name, scalar).map(([key, value]) => `${key}=(\n ${value} # )\n)`),
      text.map((value) => triple(value)),
      fc.constantFrom('', '# comment "', '   # indented', '\t'),
    );
    const end = fc.constantFrom('\n', '\n\n', ' # end\n', '\r\n');
    const files = fc.array(
      fc.tuple(statement, end).map((parts) => parts.join('')),
      { maxLength: 6 },
    );
    const sources = fc.sample(
      files.map((lines) => lines.join('')),
      { numRuns: 400, seed: 1 },
    );
    const read = pythonReads(sources);
    for (const [index, source] of sources.entries()) expect(parsePythonConfig(source), source).toEqual(read[index]);
  });
});

function quoted(text: string, mark: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll(mark, `\\${mark}`);
  return `${mark}${escaped}${mark}`;
}

function triple(text: string): string {
  return `"""${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""`;
}
