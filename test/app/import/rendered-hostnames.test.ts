import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderedHostnames } from '../../../src/app/runs/import/decisions/rendered-hostnames.ts';

describe('names of a rendered text', () => {
  it.each([
    ['["a", "b"]', ['a', 'b']],
    ["['a', 'A']", ['a', 'A']],
    ['[1, -2, 12345678901234567890]', ['1', '-2', '12345678901234567890']],
    ['[true, null, "a\\/b"]', ['a/b']],
    ['[True, None]', []],
    ['[]', []],
    ['[web]', ['[web]']],
    ['["a"], ["b"]', ['["a"], ["b"]']],
    ['["a"', ['["a"']],
    ["('a', 'b')", ["('a', 'b')"]],
  ])('%s', (text, names) => {
    expect(renderedHostnames(text, false)).toEqual(names);
  });

  it('are the stripped texts and whole numbers of a list, each once', () => {
    const entry = fc.oneof(
      fc.string(),
      fc.constantFrom(' a', 'a', 'A', 'b\t', ''),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(entry), fc.boolean(), (entries, lowercase) => {
        const names = renderedHostnames(JSON.stringify(entries), lowercase);
        const wanted = entries
          .filter((item) => typeof item === 'string' || typeof item === 'number')
          .map((item) => String(item).trim())
          .filter((name) => name !== '');
        const key = (name: string) => (lowercase ? name.toLowerCase() : name);
        expect(names).toEqual(
          wanted.filter((name, at) => wanted.findIndex((other) => key(other) === key(name)) === at),
        );
      }),
    );
  });
});
